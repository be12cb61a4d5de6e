"""Keeping what a review found, so that decisions survive the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from sqlite_utils import Database

from engine.matter.clock import now
from engine.matter.errors import UnknownRecord
from engine.matter.records import FindingRecord, ReviewChanges
from engine.protocol.findings import EngineLine, Finding

_finding = msgspec.json.Decoder(Finding)


def save_known(
    db: Database, reviewed: Sequence[str], findings: Sequence[Finding], engine: EngineLine
) -> ReviewChanges:
    """:func:`save_review`, once it is sure that all documents are in the matter.

    Raises:
        UnknownRecord: a finding stands in a document that is not.
    """
    known = {row[0] for row in db.execute("SELECT id FROM document")}
    if not {*reviewed, *(p.document for each in findings for p in each.passages)} <= known:
        raise UnknownRecord("The review is of a document that is not in this matter.")
    return save_review(db, frozenset(reviewed), tuple(findings), engine)


def save_review(
    db: Database, reviewed: frozenset[str], findings: tuple[Finding, ...], engine: EngineLine
) -> ReviewChanges:
    """Write a review of the documents ``reviewed``; inside a transaction.

    A finding is gone when all its documents were reviewed and it was not found again. Its row stays,
    with what people decided about it.
    """
    review = open_review(db, engine.device, engine.encoder, engine.verifier, len(findings))
    known = {row[0]: (bool(row[1]), row[2]) for row in db.execute("SELECT id, present, body FROM finding")}
    new: list[str] = []
    changed: list[str] = []
    kept: list[str] = []
    returned: list[str] = []
    found: dict[str, Finding] = {finding.id: finding for finding in findings}
    for finding in found.values():
        if finding.id not in known:
            new.append(finding.id)
        else:
            present, body = known[finding.id]
            if not present:
                returned.append(finding.id)
            elif _differs(_finding.decode(body), finding):
                changed.append(finding.id)
            else:
                kept.append(finding.id)
    put_findings(db, list(found.values()), review)
    gone = _gone(db, reviewed, found)
    db.conn.executemany("UPDATE finding SET present = 0 WHERE id = ?", [(finding,) for finding in gone])
    return ReviewChanges(tuple(new), tuple(gone), tuple(changed), tuple(kept), tuple(returned))


def open_review(db: Database, device: str, encoder: str, verifier: str, findings: int) -> int:
    """Write a review's own row; gives its number."""
    cursor = db.execute(
        "INSERT INTO review (at, device, encoder, verifier, findings) VALUES (?, ?, ?, ?, ?)",
        (now(), device, encoder, verifier, findings),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def put_finding(db: Database, finding: Finding, review: int) -> None:
    """Write a finding as present in ``review``."""
    put_findings(db, [finding], review)


def put_findings(db: Database, findings: Sequence[Finding], review: int) -> None:
    """Write findings as present in ``review``: all of them by three statements, for there may be thousands."""
    db.conn.executemany(
        "INSERT INTO finding (id, code, rank, score, present, first_review, last_review, body) "
        "VALUES (?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET code = excluded.code, rank = excluded.rank, "
        "score = excluded.score, present = 1, last_review = excluded.last_review, body = excluded.body",
        [
            (each.id, each.code, each.rank, each.score, review, review, msgspec.json.encode(each).decode())
            for each in findings
        ],
    )
    db.conn.executemany("DELETE FROM finding_document WHERE finding = ?", [(each.id,) for each in findings])
    db.conn.executemany(
        "INSERT INTO finding_document VALUES (?, ?)",
        [(each.id, document) for each in findings for document in sorted({p.document for p in each.passages})],
    )


def _differs(before: Finding, after: Finding) -> bool:
    """Whether a person would read something else; rank and score move with every other finding."""
    return msgspec.structs.replace(before, rank=after.rank, score=after.score) != after


def _gone(db: Database, reviewed: frozenset[str], found: dict[str, Finding]) -> list[str]:
    documents: dict[str, set[str]] = {}
    for finding, document in db.execute(
        "SELECT f.id, d.document FROM finding AS f LEFT JOIN finding_document AS d ON d.finding = f.id "
        "WHERE f.present = 1 ORDER BY f.rank, f.id"
    ):
        documents.setdefault(finding, set()).add(document)
    return [each for each, where in documents.items() if each not in found and where <= reviewed]


def records(db: Database, where: str = "", known: Mapping[str, Finding] | None = None) -> tuple[FindingRecord, ...]:
    """Findings by rank, then score; those of ``known`` (by id, as they are in the file) are not read again."""
    known = known or {}
    condition = f"WHERE {where}" if where else ""
    rows = db.execute(
        "SELECT f.id, f.body, f.present, a.at, z.at FROM finding AS f JOIN review AS a ON a.id = f.first_review "
        f"JOIN review AS z ON z.id = f.last_review {condition} ORDER BY f.rank, f.score DESC, f.id"
    )
    return tuple(
        FindingRecord(known.get(row[0]) or _finding.decode(row[1]), bool(row[2]), row[3], row[4]) for row in rows
    )


def summary(db: Database, finding: str) -> str:
    """A finding's one sentence, for the journal."""
    row = db.execute("SELECT body FROM finding WHERE id = ?", (finding,)).fetchone()
    return "" if row is None else _finding.decode(row[0]).summary
