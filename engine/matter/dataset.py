"""A dataset of what people decided: texts, labels in three splits by contract, and a card.

Documents that a link joins go to the same split, and the split of a group depends on its documents alone
(a hash), so a contract that was once in the test part never moves to the training part when the dataset
grows. Findings nobody decided on are no labels and are not in it. People appear by number, not by name.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from engine import APP_VERSION
from engine.matter.agreement import agreement
from engine.matter.clock import now
from engine.matter.dataset_card import Facts, dataset_card
from engine.matter.errors import DiskFull, ReadOnlyFolder
from engine.matter.exchange import (
    LINKS_SCHEMA,
    AnnotatorLine,
    DecisionLine,
    FindingLine,
    Header,
    LinkLine,
)
from engine.matter.formats.bundle import BundleDocument, bundle_of
from engine.matter.guide import guide_of
from engine.matter.import_plan import DocumentLine
from engine.matter.matter import Matter
from engine.matter.records import Annotator, Decision, Link
from engine.protocol.findings import Finding

SPLITS = ("train", "development", "test")
#: Where in [0, 1) the hash of a group must lie: eight tenths, one tenth, one tenth.
_BOUNDS = (0.8, 0.9, 1.0)


class Dataset(msgspec.Struct, frozen=True):
    """What several matters hold together, each record once."""

    documents: dict[str, BundleDocument]
    links: tuple[Link, ...]
    findings: dict[str, Finding]
    decisions: tuple[Decision, ...]
    left_out: int


class DatasetReport(msgspec.Struct, frozen=True):
    """How many documents, links and decisions went into each split, and what was left out for want of its text."""

    documents: dict[str, int]
    links: dict[str, int]
    decisions: dict[str, int]
    left_out: int


def gather(matters: Iterable[Matter]) -> Dataset:
    """The labels of all matters whose documents' texts are there; a record that two of them hold counts once."""
    documents: dict[str, BundleDocument] = {}
    links: dict[str, Link] = {}
    findings: dict[str, Finding] = {}
    decisions: dict[tuple[str, str], Decision] = {}
    for matter in matters:
        documents.update({document.id: document for document in bundle_of(matter).documents})
        for link in matter.links():
            if link.id not in links or links[link.id].changed_at < link.changed_at:
                links[link.id] = link
        for decision in matter.all_decisions():
            key = (decision.finding, decision.annotator)
            if key not in decisions or decisions[key].decided_at < decision.decided_at:
                decisions[key] = decision
        decided = {finding for finding, _ in decisions}
        findings.update({r.finding.id: r.finding for r in matter.finding_records() if r.finding.id in decided})
    whole = [link for link in links.values() if all(end.document in documents for end in link.ends)]
    known = {id: f for id, f in findings.items() if all(p.document in documents for p in f.passages)}
    kept = [decision for decision in decisions.values() if decision.finding in known]
    used = {end.document for link in whole for end in link.ends}
    used |= {passage.document for finding in known.values() for passage in finding.passages}
    left_out = len(links) - len(whole) + len(decisions) - len(kept)
    return Dataset(
        {id: documents[id] for id in sorted(used)}, tuple(sorted(whole, key=lambda link: link.id)), known,
        tuple(sorted(kept, key=lambda d: (d.finding, d.annotator))), left_out,
    )  # fmt: skip


def split_of(dataset: Dataset) -> dict[str, str]:
    """The split of each document."""
    leader = {document: document for document in dataset.documents}

    def lead(document: str) -> str:
        while leader[document] != document:
            leader[document] = leader[leader[document]]
            document = leader[document]
        return document

    groups = [[end.document for end in link.ends] for link in dataset.links]
    groups += [[passage.document for passage in finding.passages] for finding in dataset.findings.values()]
    for first, *others in groups:
        for other in others:
            # The smaller id leads, so that the group's split does not hang on the order of its links.
            a, b = sorted((lead(first), lead(other)))
            leader[b] = a
    return {document: _split(lead(document)) for document in dataset.documents}


def _split(leader: str) -> str:
    place = int.from_bytes(hashlib.sha256(leader.encode()).digest()[:8]) / 2**64
    return next(split for split, bound in zip(SPLITS, _BOUNDS, strict=True) if place < bound)


def write_dataset(
    matters: Sequence[Matter], folder: Path, licence: str, guide: str = "", title: str = "Contract conflicts"
) -> DatasetReport:
    """Write ``texts/``, a file of ``antinomy.links/1`` for each split, ``labels.json``, ``CARD.md`` into a new folder.

    ``labels.json`` is a list of the matters' guides (``antinomy.guide/1``); ``guide`` takes the place of their texts
    in the card.

    Raises:
        ReadOnlyFolder, DiskFull: the folder holds something already, or cannot be written.
    """
    dataset = gather(matters)
    splits = split_of(dataset)
    people = sorted({x.annotator for x in dataset.links} | {x.annotator for x in dataset.decisions})
    numbers = {who: f"annotator {number}" for number, who in enumerate(people, 1)}
    lines = {split: _lines(dataset, splits, split, numbers) for split in SPLITS}
    report = DatasetReport(
        {split: sum(each == split for each in splits.values()) for split in SPLITS},
        {split: sum(isinstance(line, LinkLine) for line in lines[split]) for split in SPLITS},
        {split: sum(isinstance(line, DecisionLine) for line in lines[split]) for split in SPLITS},
        dataset.left_out,
    )
    guides = tuple(dict.fromkeys(guide_of(matter) for matter in matters))
    words = guide or "\n\n".join(each.text.strip() for each in guides if each.text.strip())
    card = dataset_card(
        Facts(
            {split: (report.documents[split], report.links[split], report.decisions[split]) for split in SPLITS},
            dataset.left_out, tuple(dataset.documents.values()), dataset.links, dataset.decisions,
        ),
        [agreement(matter) for matter in matters], numbers, guides, words, licence, title,
    )  # fmt: skip
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ReadOnlyFolder("{name} is not empty; name a new folder.", name=folder.name)
        (folder / "texts").mkdir()
        for document in dataset.documents.values():
            # Bytes, not text: a line ending changed on the way would move every offset.
            (folder / "texts" / f"{document.id.removeprefix('sha256:')}.txt").write_bytes(document.text.encode())
        (folder / "labels.json").write_bytes(msgspec.json.format(msgspec.json.encode(guides)))
        for split in SPLITS:
            encoded = [msgspec.json.encode(line) for line in lines[split]]
            (folder / f"{split}.jsonl").write_bytes(b"\n".join(encoded) + b"\n")
        (folder / "CARD.md").write_bytes(card.encode())
    except OSError as error:
        kind = DiskFull if error.errno == errno.ENOSPC else ReadOnlyFolder
        raise kind("{name} cannot be written ({error}).", name=folder.name, error=error.strerror) from error
    return report


def _lines(dataset: Dataset, splits: dict[str, str], split: str, people: dict[str, str]) -> list[msgspec.Struct]:
    links = [link for link in dataset.links if splits[link.ends[0].document] == split]
    findings = {id: f for id, f in dataset.findings.items() if splits[f.passages[0].document] == split}
    decisions = [decision for decision in dataset.decisions if decision.finding in findings]
    here = {link.annotator for link in links} | {decision.annotator for decision in decisions}
    out: list[msgspec.Struct] = [Header(LINKS_SCHEMA, APP_VERSION, now())]
    out += [DocumentLine(d.id, d.name) for d in dataset.documents.values() if splits[d.id] == split]
    out += [AnnotatorLine(Annotator(who, name)) for who, name in people.items() if who in here]
    out += [FindingLine(finding) for finding in findings.values()]
    out += [DecisionLine(decision) for decision in decisions]
    out += [LinkLine(link) for link in links]
    return out
