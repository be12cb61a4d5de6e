"""Comparing two versions of a document: the whole of it, from two Documents to one list of clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.comparison.alignment import Pair, align
from engine.comparison.findings import finding_changes
from engine.comparison.order import rising
from engine.comparison.pieces import Piece, pieces_of
from engine.comparison.values import may_change_values, value_changes
from engine.comparison.wording import word_changes
from engine.document import Document
from engine.protocol.comparison import ChangeKind, ClauseChange, Comparison, ValueChange, WordChange, WordSign
from engine.protocol.findings import Finding


def compare_documents(
    old: Document, new: Document, old_findings: Iterable[Finding] = (), new_findings: Iterable[Finding] = ()
) -> Comparison:
    """Compare an earlier and a later version; boxes are not needed.

    Of the findings those count whose passages all stand in the one document.
    """
    before, after = pieces_of(old), pieces_of(new)
    pairs = align(before, after)
    clauses = _in_order(before, after, pairs)
    own_old = [f for f in old_findings if all(p.document == old.id for p in f.passages)]
    own_new = [f for f in new_findings if all(p.document == new.id for p in f.passages)]
    return Comparison(old.id, new.id, clauses, finding_changes(clauses, own_old, own_new))


def _in_order(before: Sequence[Piece], after: Sequence[Piece], pairs: Sequence[Pair]) -> tuple[ClauseChange, ...]:
    """The pairs and the single pieces in the later version's order; a deleted piece follows the one it followed."""
    weights = [float(1 + len(after[j].bag)) for _, j in pairs]
    kept = {pairs[k][0] for k in rising([i for i, _ in pairs], weights)}
    partner = {j: i for i, j in pairs}
    paired = {i for i, _ in pairs}
    # A deleted piece stands behind the nearest piece before it that is still in its place.
    behind: dict[int, list[int]] = {}
    anchor = -1
    for i in range(len(before)):
        if i in kept:
            anchor = i
        elif i not in paired:
            behind.setdefault(anchor, []).append(i)
    rows = [_single(before[i], None) for i in behind.get(-1, ())]
    for j, piece in enumerate(after):
        at = partner.get(j)
        if at is None:
            rows.append(_single(None, piece))
            continue
        rows.append(_pair(before[at], piece, moved=at not in kept))
        if at in kept:
            rows += [_single(before[i], None) for i in behind.get(at, ())]
    return tuple(rows)


def _single(old: Piece | None, new: Piece | None) -> ClauseChange:
    kind = ChangeKind.DELETED if old is not None else ChangeKind.INSERTED
    return ClauseChange(kind, old.place if old else None, new.place if new else None, similarity=0.0)


def _pair(old: Piece, new: Piece, *, moved: bool) -> ClauseChange:
    renumbered = old.label != new.label
    if old.key == new.key:
        kind = ChangeKind.MOVED if moved else ChangeKind.RENUMBERED if renumbered else ChangeKind.SAME
        words = _all_words(old, new, (_run(WordSign.EQUAL, old, new),)) if renumbered else ()
        return ClauseChange(kind, old.place, new.place, moved, renumbered, 1.0, words)
    inner = word_changes(old.words, new.words, (old.body, old.end), (new.body, new.end))
    words = _all_words(old, new, inner)
    equal = sum(c.old_end - c.old_start + c.new_end - c.new_start for c in inner if c.sign is WordSign.EQUAL)
    both = old.end - old.body + new.end - new.body
    similarity = round(equal / both, 3) if both else 1.0
    return ClauseChange(
        ChangeKind.CHANGED, old.place, new.place, moved, renumbered, similarity, words, _values(old, new, inner)
    )


def _run(sign: WordSign, old: Piece, new: Piece) -> WordChange:
    return WordChange(sign, old.body, old.end, new.body, new.end)


def _all_words(old: Piece, new: Piece, inner: Sequence[WordChange]) -> tuple[WordChange, ...]:
    """The printed numbers' difference before that of the words, equal runs side by side made one."""
    head: list[WordChange] = []
    if old.label == new.label:
        head.append(WordChange(WordSign.EQUAL, old.start, old.body, new.start, new.body))
    else:
        head.append(WordChange(WordSign.DELETED, old.start, old.body, new.start, new.start))
        head.append(WordChange(WordSign.INSERTED, old.body, old.body, new.start, new.body))
    out: list[WordChange] = []
    for run in (*head, *inner):
        if run.old_start == run.old_end and run.new_start == run.new_end:
            continue
        if out and out[-1].sign is run.sign is WordSign.EQUAL:
            out[-1] = WordChange(run.sign, out[-1].old_start, run.old_end, out[-1].new_start, run.new_end)
        else:
            out.append(run)
    return tuple(out)


def _values(old: Piece, new: Piece, words: Sequence[WordChange]) -> tuple[ValueChange, ...]:
    if not may_change_values(old.document.text, new.document.text, words):
        return ()
    before = old.document.text[old.body : old.end]
    after = new.document.text[new.body : new.end]
    language = new.clause.language if new.clause is not None else new.document.language
    return value_changes(before, after, old.body, new.body, "zh" if language == "zh" else "en", words)
