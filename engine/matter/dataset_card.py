"""The card of a dataset: what is in it, how far the annotators agree, by which guide, under which licence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from engine import APP_VERSION
from engine.matter.agreement import Agreement
from engine.matter.clock import now
from engine.matter.coefficients import Coefficient
from engine.matter.exchange import LINKS_SCHEMA
from engine.matter.formats.bundle import BundleDocument
from engine.matter.guide import Guide, guide_markdown
from engine.matter.records import Decision, Link

_USE = (
    f"Each split is a file of `{LINKS_SCHEMA}`. Offsets are code points of the files in `texts/`, named by the "
    "digest in a document's id. Documents that a label joins are in one split; the split of a group is a hash "
    "of its documents and does not change when the dataset grows. A link's code that begins with `not.` says "
    "why its passages do not conflict. A link of the origin `control` joins clauses drawn at random under a kind "
    "drawn at random; one of the origin `adjudication` is a ruling on judgements that differ, whose status is then "
    "`accepted` or `rejected`. Annotators appear by number."
)


class Facts(msgspec.Struct, frozen=True):
    """What a card counts. ``splits`` gives the documents, links and decisions of each split."""

    splits: Mapping[str, tuple[int, int, int]]
    left_out: int
    documents: tuple[BundleDocument, ...]
    links: tuple[Link, ...]
    decisions: tuple[Decision, ...]


def dataset_card(
    facts: Facts, agreements: Sequence[Agreement], people: Mapping[str, str], guides: Sequence[Guide], guide: str,
    licence: str, title: str,
) -> str:  # fmt: skip
    """The card as Markdown. ``people`` are the annotators' numbers by id; ``guide`` is the guide's text."""
    out = [f"# {title}", "", f"Licence: {licence}", "", f"Made with Antinomy {APP_VERSION} on {now()[:10]}.", ""]
    out += ["| split | documents | links | decisions |", "|---|---|---|---|"]
    out += [f"| {split} | {a} | {b} | {c} |" for split, (a, b, c) in facts.splits.items()]
    out += ["", f"Left out because the text was not in the matter: {facts.left_out}.", ""]
    out += _table("language", "documents", (_language(document) for document in facts.documents))
    out += _table("code", "links", (link.code for link in facts.links))
    out += _table("aspect", "links", (" ".join(x.aspect.split()) for x in facts.links if x.aspect.strip()))
    out += _table("origin", "links", (link.origin.value for link in facts.links))
    out += _table("status", "links", (link.status.value for link in facts.links))
    said = [link.annotator for link in facts.links] + [decision.annotator for decision in facts.decisions]
    out += _table("annotator", "links and decisions", (people[who] for who in said))
    out += _table("decision", "findings", (decision.state.value for decision in facts.decisions))
    out += ["## Agreement", ""]
    for number, each in enumerate(agreements, 1):
        out += _agreement(number, each, people)
    out += ["## Use", "", _USE]
    if guide:
        out += ["", "## Guide of the annotators", "", guide.strip()]
    for each_guide in guides:
        labels = msgspec.structs.replace(each_guide, text="")
        out += ["", "## Labels" if len(guides) == 1 else "## Labels of one of the matters", "", guide_markdown(labels)]
    return "\n".join(out).rstrip() + "\n"


def _language(document: BundleDocument) -> str:
    return document.layout.language if document.layout is not None else "unknown"


def _table(name: str, what: str, values: Iterable[str]) -> list[str]:
    counts = sorted(Counter(values).items())
    if not counts:
        return []
    return [f"| {name} | {what} |", "|---|---|", *(f"| {_cell(value)} | {n} |" for value, n in counts), ""]


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def _agreement(number: int, agreement: Agreement, people: Mapping[str, str]) -> list[str]:
    out = [
        f"Matter {number}: {agreement.units} pairs of clauses, {len(agreement.annotators)} annotators.", "",
        "| agreement | value | pairs |", "|---|---|---|",
    ]  # fmt: skip
    rows = [
        ("conflict or not (Krippendorff's alpha)", agreement.conflict),
        ("code (Krippendorff's alpha)", agreement.code),
        ("code (Fleiss' kappa)", agreement.fleiss),
        ("aspect (Krippendorff's alpha)", agreement.aspect),
    ]
    rows += [
        (f"{people.get(p.first, 'annotator ?')} and {people.get(p.second, 'annotator ?')} (Cohen's kappa)", p.kappa)
        for p in agreement.pairwise
    ]
    rows += [(f"{each.code} against all else (alpha)", each.alpha) for each in agreement.by_code]
    rows += [(f"code, on the aspect “{each.aspect}” (alpha)", each.alpha) for each in agreement.by_aspect]
    return [*out, *(f"| {_cell(name)} | {_figure(value)} | {value.units} |" for name, value in rows), ""]


def _figure(coefficient: Coefficient) -> str:
    return f"undefined ({coefficient.because})" if coefficient.value is None else f"{coefficient.value:.3f}"
