"""The comparison libraries on the stretches of the anchor set; runs in a Python of its own, which has them installed.

Reads a JSON list of ``{"language", "text"}`` from standard input and writes one JSON line per library: ``peer``,
``note`` (its version, or why it cannot run) and ``marks``, per stretch a list of ``[kind, start, end, value]`` with
values in our canonical form. LexNLP's sentence splitter and tagger need NLTK data, which no package carries: an
untrained Punkt takes their place, and its definitions, which need the tagger, are left out.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

Mark = tuple[str, int, int, str]
CURRENCIES = {"dollar": "USD", "euro": "EUR", "pound sterling": "GBP", "chinese yuan": "CNY", "renminbi": "CNY",
              "yuan": "CNY", "japanese yen": "JPY"}  # fmt: skip


def plain(number: float) -> str:
    """A number without trailing zeros."""
    return f"{float(number):.6f}".rstrip("0").rstrip(".")


def period(number: float, unit: str) -> str:
    """A period as our canonical form writes it."""
    unit = unit.lower().rstrip("s")
    factor = {"day": ("D", 1), "week": ("D", 7), "month": ("M", 1), "year": ("M", 12), "quarter": ("M", 3)}.get(unit)
    if factor is None:
        return f"PT{plain(number)}{unit[:1].upper()}"
    letter, times = factor
    total = float(number) * times
    if letter == "M" and total >= 12 and total % 12 == 0:
        return f"P{plain(total / 12)}Y"
    return f"P{plain(total)}{letter}"


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space and punctuation at its ends."""
    while end > start and text[end - 1] in " \n\t,.;:":
        end -= 1
    while start < end and text[start] in " \n\t,.;:":
        start += 1
    return start, end


def lexnlp_marks() -> Callable[[str, str], Iterator[Mark]]:
    """LexNLP's money, percentages, durations and dates."""
    import nltk
    import nltk.tokenize
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    untrained = PunktSentenceTokenizer()
    nltk.tokenize.sent_tokenize = lambda text, language="english": untrained.tokenize(text)
    nltk.tag.pos_tag = nltk.pos_tag = lambda tokens, **_: [(token, "NN") for token in tokens]
    from lexnlp.extract.en import dates, durations, money, percents

    def marks(text: str, language: str) -> Iterator[Mark]:
        if language != "en":
            return
        for found in money.get_money_annotations(text):
            yield "amount", *trimmed(text, *found.coords), f"{found.currency} {plain(found.amount)}"
        for found in percents.get_percent_annotations(text):
            yield "percent", *trimmed(text, *found.coords), f"{plain(found.fraction * 100)}%"
        for found in durations.get_duration_annotations(text):
            yield "period", *trimmed(text, *found.coords), period(found.amount, found.duration_type)
        for found in dates.get_date_annotations(text):
            yield "date", *trimmed(text, *found.coords), found.date.isoformat()[:10]

    return marks


def quantulum_marks() -> Callable[[str, str], Iterator[Mark]]:
    """quantulum3's money, percentages and times."""
    from quantulum3 import parser

    def marks(text: str, language: str) -> Iterator[Mark]:
        if language != "en":
            return
        for found in parser.parse(text):
            start, end = trimmed(text, *found.span)
            if found.unit.entity.name == "currency":
                yield "amount", start, end, f"{CURRENCIES.get(found.unit.name, found.unit.name)} {plain(found.value)}"
            elif found.unit.name == "percentage":
                yield "percent", start, end, f"{plain(found.value)}%"
            elif found.unit.entity.name == "time":
                yield "period", start, end, period(found.value, found.unit.name)

    return marks


def dateparser_marks() -> Callable[[str, str], Iterator[Mark]]:
    """dateparser's search for dates, English and Chinese."""
    from dateparser.search import search_dates

    def marks(text: str, language: str) -> Iterator[Mark]:
        at = 0
        for quote, when in search_dates(text, languages=[language]) or []:
            start = text.find(quote, at)
            if start >= 0:
                at = start + len(quote)
                yield "date", *trimmed(text, start, at), when.date().isoformat()

    return marks


def run(name: str, package: str, load: Callable[[], Callable[[str, str], Iterator[Mark]]], asked: list[Any]) -> None:
    """Write the line of one library."""
    empty: list[list[Mark]] = [[] for _ in asked]
    try:
        marks = load()
        version = importlib.metadata.version(package)
    except Exception as error:  # noqa: BLE001  # a process boundary: whatever a foreign library raises is reported
        reason = re.sub(r"\s+", " ", str(error))[:160]
        say({"peer": name, "note": f"cannot run: {type(error).__name__}: {reason}", "marks": empty})
        return
    failed = 0
    for stretch, out in zip(asked, empty, strict=True):
        try:
            out.extend(marks(stretch["text"], stretch["language"]))
        except Exception:  # noqa: BLE001  # the same: a stretch on which the library fails counts as nothing found
            failed += 1
    say({"peer": name, "note": f"version {version}; failed on {failed} of {len(asked)} stretches", "marks": empty})


def say(line: dict[str, Any]) -> None:
    """Write one JSON line."""
    sys.stdout.write(json.dumps(line) + "\n")


def main() -> int:
    """Answer for each library in turn."""
    warnings.filterwarnings("ignore")
    asked = json.load(sys.stdin)
    run("LexNLP", "lexnlp", lexnlp_marks, asked)
    run("quantulum3", "quantulum3", quantulum_marks, asked)
    run("dateparser", "dateparser", dateparser_marks, asked)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
