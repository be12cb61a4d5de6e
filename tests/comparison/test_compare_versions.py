"""Two versions of small contracts, English and Chinese: what became of each clause."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest
from versions import Line, applied, row, version

from engine.comparison.compare import compare_documents
from engine.comparison.pieces import pieces_of
from engine.comparison.words import words_of
from engine.document import Document
from engine.protocol.comparison import ChangeKind, Comparison, FindingState, WordSign
from engine.protocol.findings import Finding, Passage, PathStep, Severity

ENGLISH = (
    Line("1.", "The Supplier shall deliver the goods to the warehouse of the Buyer.", "Delivery"),
    Line("2.", "The Buyer shall pay each invoice within thirty (30) days.", "Payment"),
    Line("3.", "Each party shall keep the other party's secrets for five years.", "Confidentiality"),
    Line("4.", "This Agreement is governed by the laws of New York.", "Law"),
)
CHINESE = (
    Line("第一条", "乙方应当将货物运送至甲方指定的仓库，并承担运费。"),
    Line("第二条", "甲方应在收到发票后三十日内支付货款人民币100,000元。"),
    Line("第三条", "双方应对本合同内容保密，期限为五年。"),
    Line("第四条", "本合同适用中华人民共和国法律。"),
)


def changed_payment(period: str) -> Line:
    return dataclasses.replace(ENGLISH[1], words=ENGLISH[1].words.replace("thirty (30)", period))


def compared(
    old: tuple[Line, ...], new: tuple[Line, ...], language: str = "en"
) -> tuple[Comparison, Document, Document]:
    before, after = version(old, "old", language), version(new, "new", language)
    return compare_documents(before, after), before, after


def runs(comparison: Comparison, number: str, old: Document, new: Document, sign: WordSign) -> list[str]:
    change = row(comparison, number)
    if sign is WordSign.DELETED:
        return [old.text[w.old_start : w.old_end] for w in change.words if w.sign is sign]
    return [new.text[w.new_start : w.new_end] for w in change.words if w.sign is sign]


def test_a_changed_period_is_a_changed_value() -> None:
    later = (ENGLISH[0], changed_payment("forty-five (45)"), *ENGLISH[2:])
    result, old, new = compared(ENGLISH, later)
    assert [c.kind.value for c in result.clauses] == ["same", "changed", "same", "same"]
    change = row(result, "2.")
    assert [(v.kind, v.old, v.new) for v in change.values] == [("period", "≤ P30D", "≤ P45D")]
    value = change.values[0]
    assert (old.text[value.old_start : value.old_end], new.text[value.new_start : value.new_end]) == (
        "thirty (30) days", "forty-five (45) days"
    )  # fmt: skip
    assert runs(result, "2.", old, new, WordSign.DELETED) == ["thirty", "30"]
    assert runs(result, "2.", old, new, WordSign.INSERTED) == ["forty-five", "45"]


def test_figures_that_only_the_brackets_hold_are_a_changed_value_too() -> None:
    later = (ENGLISH[0], changed_payment("thirty (45)"), *ENGLISH[2:])
    result, _, _ = compared(ENGLISH, later)
    assert [(v.kind, v.old, v.new) for v in row(result, "2.").values] == [("period", "30", "45")]


def test_chinese_numbers_and_characters_are_compared_as_a_reader_would() -> None:
    later = (
        CHINESE[0],
        Line("第二条", "甲方应当在收到合格发票后四十五日内支付货款人民币120,000元。"),
        *CHINESE[2:],
    )
    result, old, new = compared(CHINESE, later, "zh")
    assert runs(result, "第二条", old, new, WordSign.DELETED) == ["三十", "100,000"]
    assert runs(result, "第二条", old, new, WordSign.INSERTED) == ["当", "合格", "四十五", "120,000"]
    kinds = {(v.kind, v.old, v.new) for v in row(result, "第二条").values}
    assert kinds == {("period", "≤ P30D", "≤ P45D"), ("amount", "CNY 100000", "CNY 120000")}


@pytest.mark.parametrize(("lines", "language"), [(ENGLISH, "en"), (CHINESE, "zh")])
def test_an_inserted_clause_renumbers_those_behind_it(lines: tuple[Line, ...], language: str) -> None:
    labels = [line.label for line in lines] + ["5." if language == "en" else "第五条"]
    extra = {"en": "Nobody may assign anything without written consent.", "zh": "未经书面同意不得转让任何权利义务。"}
    order = [lines[0], Line("", extra[language]), *lines[1:]]
    later = tuple(dataclasses.replace(line, label=label) for line, label in zip(order, labels, strict=True))
    result, _, _ = compared(lines, later, language)
    assert [c.kind.value for c in result.clauses] == ["same", "inserted", "renumbered", "renumbered", "renumbered"]
    assert all(c.renumbered and not c.moved for c in result.clauses[2:])


def test_a_deleted_clause_stands_where_it_stood() -> None:
    result, _, _ = compared(ENGLISH, (ENGLISH[0], *ENGLISH[2:]))
    assert [c.kind.value for c in result.clauses] == ["same", "deleted", "same", "same"]
    result, _, _ = compared(ENGLISH, ENGLISH[1:])
    assert [c.kind.value for c in result.clauses] == ["deleted", "same", "same", "same"]


def test_a_moved_clause_is_moved_even_when_it_was_changed() -> None:
    moved = dataclasses.replace(ENGLISH[0], words=ENGLISH[0].words.replace("warehouse", "new warehouse"))
    result, old, new = compared(ENGLISH, (*ENGLISH[1:], moved))
    assert [c.kind.value for c in result.clauses] == ["same", "same", "same", "changed"]
    change = result.clauses[-1]
    assert change.moved
    assert applied(change, old, new).strip() == new.text[change.new.start : change.new.end].strip()
    result, _, _ = compared(ENGLISH, (*ENGLISH[1:], ENGLISH[0]))
    assert result.clauses[-1].kind is ChangeKind.MOVED


def test_layout_and_typography_are_no_change() -> None:
    old = (Line("1.", "The “Buyer” pays\nwithin 30 days （net）."), Line("2.", "甲方 应当\n付款。"))
    new = (Line("1.", 'The "Buyer"  pays within 30 days (net).'), Line("2.", "甲方应当付款。"))
    result, _, _ = compared(old, new)
    assert {c.kind for c in result.clauses} == {ChangeKind.SAME}


def test_words_after_inner_clauses_are_a_piece_of_their_own() -> None:
    document = version((Line("1.", "The Seller shall:", "Duties"), Line("(a)", "deliver; and", level=1)))
    whole = document.clauses[0]
    text = document.text + "all without delay.\n"
    grown = msgspec.structs.replace(
        document, text=text, clauses=(msgspec.structs.replace(whole, end=len(text)), document.clauses[1])
    )
    assert [(p.clause.id if p.clause else "", p.part) for p in pieces_of(grown)] == [("c0", 0), ("c1", 0), ("c0", 1)]


def test_a_clause_rewritten_from_end_to_end_is_deleted_and_inserted() -> None:
    later = (*ENGLISH[:3], Line("4.", "Disputes go to arbitration in Geneva under the rules of a chamber.", "Disputes"))
    result, _, _ = compared(ENGLISH, later)
    assert {c.kind.value for c in result.clauses[3:]} == {"deleted", "inserted"}


def test_words_keep_numbers_whole() -> None:
    assert [w.key for w in words_of("USD1,000.50 within 三十五 日、９０天")] == [
        "USD", "1,000.50", "within", "三十五", "日", "、", "90", "天"
    ]  # fmt: skip


def _finding(number: int, document: Document, *clauses: int, score: float = 0.9, code: str = "value.period") -> Finding:
    passages = tuple(
        Passage(document.id, c.number, c.id, 0, c.start, c.end, document.text[c.start : c.end])
        for c in (document.clauses[i] for i in clauses)
    )
    tier = "conflict" if score > 0.5 else "check"
    path = (PathStep("conflict", ""),)
    return Finding(f"f-{number}", code, 1, score, Severity.HIGH, "", path, passages, tier=tier)


def test_findings_are_introduced_resolved_or_kept() -> None:
    later = (ENGLISH[0], changed_payment("sixty (60)"), *ENGLISH[2:])
    old, new = version(ENGLISH, "old"), version(later, "new")
    before = [_finding(1, old, 1, 2), _finding(2, old, 0, 3), _finding(3, old, 0, 2)]
    after = [
        _finding(9, new, 1, 2),  # the same clauses, other words: kept
        _finding(2, new, 0, 3, code="norm.modality"),  # the same words: kept
        _finding(4, new, 1, 3),  # introduced, in a changed clause
        _finding(5, new, 2, 3, score=0.1),  # weak: not shown
    ]
    found = compare_documents(old, new, before, after).findings
    assert [(f.state, f.finding, f.earlier, f.clauses, f.touched) for f in found] == [
        (FindingState.INTRODUCED, "f-4", "", (1, 3), True),
        (FindingState.RESOLVED, "f-3", "", (0, 2), False),
        (FindingState.KEPT, "f-9", "f-1", (1, 2), True),
        (FindingState.KEPT, "f-2", "f-2", (0, 3), False),
    ]


def test_findings_between_documents_are_left_out() -> None:
    old, new = version(ENGLISH, "old"), version(ENGLISH, "new")
    across = _finding(1, new, 1)
    across = msgspec.structs.replace(across, passages=(*across.passages, Passage(old.id, "", "", 0, 0, 1, "T")))
    assert compare_documents(old, new, [across], [across]).findings == ()
