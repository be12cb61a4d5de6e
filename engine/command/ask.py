"""``antinomy ask``: files and a question in, quoted passages out."""

from __future__ import annotations

import dataclasses
import getpass
import re
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from engine import APP_VERSION
from engine.command.children import Children, CommandLine, JobFailed
from engine.command.model import check_model, write_to
from engine.command.progress_bar import ProgressBar
from engine.command.review import CommandFailed, ReviewRequest, check_input, hand_out, read_all
from engine.document import Document
from engine.protocol.answers import ANSWER_SCHEMA, Answer, AnswerFile
from engine.protocol.child import ChildStartError, child_command
from engine.protocol.messages import ReviewOptions
from engine.protocol.ranking import BadRanking, checked_ranking

_HAN = re.compile(r"[\u3400-\u9fff]")

_DISAGREE = {
    "differ": "[{a}] and [{b}] differ", "first_prevails": "[{a}] says that it prevails over [{b}]",
    "second_prevails": "[{b}] says that it prevails over [{a}]",
}  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class AskRequest:
    """What the person asked for; ``json`` is a path, ``-`` for stdout, or empty; ``ranking`` are ``name=value``."""

    files: tuple[Path, ...]
    question: str
    json: str
    password: str
    encoder: str = ""
    write: bool = False
    ranking: tuple[str, ...] = ()


def language_of(question: str, documents: Sequence[Document]) -> str:
    """Which encoder a question to these documents needs: ``en``, or ``zh`` as soon as anything is Chinese."""
    chinese = _HAN.search(question) or any(document.language != "en" for document in documents)
    return "zh" if chinese else "en"


def ask_files(
    request: AskRequest,
    out: TextIO,
    err: TextIO,
    *,
    command: CommandLine = child_command,
    ask_password: Callable[[str], str] = getpass.getpass,
) -> None:
    """Answer and print; write the JSON file when one is asked for.

    Raises:
        CommandFailed: in one line, why not.
    """
    if not request.question.strip():
        raise CommandFailed("the question is empty; put it in quotation marks after the files.", 2)
    as_review = ReviewRequest(request.files, request.json, request.password, ReviewOptions(), 0)
    check_input(as_review)
    ranking = _ranking(request.ranking)
    if request.write:
        # Before anything is read: without a model there is nothing to wait for.
        check_model()
    started_s = time.monotonic()
    bar = ProgressBar(err, "starting")
    try:
        with Children(command) as children:
            documents = read_all(children, as_review, err, ask_password)
            bar = ProgressBar(err, "asking")
            bar.update("loading the encoder", 0, 0)
            language = language_of(request.question, documents)
            answered = children.ask(request.question, documents, language, request.encoder, bar.update, ranking)
    except ChildStartError as error:
        raise CommandFailed(str(error), 1) from error
    except JobFailed as error:
        raise CommandFailed(error.fault.sentence, 1) from error
    finally:
        bar.clear()
    if request.write:
        write_to(answered.answer, err if request.json == "-" else out, err)
    if request.json:
        named = tuple((document.id, document.name) for document in documents)
        seconds = {**answered.seconds, "in all": round(time.monotonic() - started_s, 3)}
        data = msgspec.json.encode(AnswerFile(ANSWER_SCHEMA, APP_VERSION, named, answered.answer, seconds)) + b"\n"
        hand_out(request.json, data, out)
        if request.json == "-":
            return
    for line in answer_lines(answered.answer, documents):
        out.write(line + "\n")


def _ranking(given: Sequence[str]) -> dict[str, float]:
    """``name=value`` as numbers.

    Raises:
        CommandFailed: one is none.
    """
    try:
        pairs = [each.partition("=") for each in given]
        return checked_ranking({name.strip(): float(value) for name, _, value in pairs})
    except BadRanking as error:
        raise CommandFailed(str(error), 2) from error
    except ValueError as error:
        raise CommandFailed(f"--ranking takes NAME=NUMBER, not {', '.join(given)}.", 2) from error


def answer_lines(answer: Answer, documents: Sequence[Document], columns: int = 100) -> Iterator[str]:
    """The answer for a terminal: each passage's place, then the sentences that answer, quoted."""
    by_id = {document.id: document for document in documents}
    if not answer.passages:
        yield "No passage answers this."
    for number, passage in enumerate(answer.passages, 1):
        document = by_id[passage.document]
        place = [passage.number, passage.heading.rpartition(" / ")[2], f"page {passage.page + 1}"]
        if len(documents) > 1:
            place.append(document.name)
        yield f"[{number}] {', '.join(part for part in place if part)}  ({passage.score:.2f})"
        for start, end in passage.quotes:
            quote = " ".join(document.quote(start, end).split())
            yield from textwrap.wrap(f"“{quote}”", columns, initial_indent="    ", subsequent_indent="    ")
        yield ""
    for conflict in answer.conflicts:
        words = _DISAGREE[conflict.code].format(a=conflict.first + 1, b=conflict.second + 1)
        yield f"{words}: “{conflict.values[0]}” against “{conflict.values[1]}”."
    if answer.choices:
        yield "The question is open. It may be about:"
        yield from (f"  - {choice.words}" for choice in answer.choices)
