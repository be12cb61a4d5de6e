"""The summary's lines and the findings file."""

from __future__ import annotations

import msgspec
import numpy as np

from engine.command.findings_file import findings_file, to_json, write_whole
from engine.command.summary import summary_lines
from engine.document import CharacterBoxes, Clause, ClauseKind, Document, Media, Notice, Page
from engine.protocol.findings import AnchorMark, Finding, FindingsFile, Passage, PathStep, Severity
from engine.protocol.messages import EngineStatus

TEXT = "Pay in 30 days.\nPay in 45 days."


def a_document(name: str = "msa.pdf", identity: str = "sha256:1") -> Document:
    n = len(TEXT)
    rect = np.zeros((n, 4), np.float32)
    for i in range(n):
        line, column = (0, i) if i < 16 else (1, i - 16)
        rect[i] = (72 + 5 * column, 72 + 20 * line, 77 + 5 * column, 84 + 20 * line)
    clauses = (
        Clause("c0", "1", (1,), "1", "", 0, ClauseKind.CLAUSE, 0, 15, 0, "", 0, "en"),
        Clause("c1", "2", (2,), "2", "", 0, ClauseKind.CLAUSE, 16, n, 16, "", 0, "en"),
    )
    boxes = CharacterBoxes(rect, np.zeros(n, np.int32))
    notices = (Notice("no_text_layer", "Page 3 has no text."),)
    return Document(identity, name, Media.PDF, "en", TEXT, (Page(0, 612, 792, 0, n),), clauses, (), (), notices, boxes)


def a_finding(rank: int = 1, document: str = "sha256:1") -> Finding:
    def passage(clause: str, start: int, end: int, value: str, at: int) -> Passage:
        anchor = AnchorMark("period", value, at, at + 7)
        return Passage(document, clause, f"c{int(clause) - 1}", 0, start, end, TEXT[start:end], (anchor,))

    path = (PathStep("same_matter", "both speak of paying"), PathStep("conflict", "30 is not 45"))
    passages = (passage("1", 0, 15, "P30D", 7), passage("2", 16, 31, "P45D", 23))
    summary = "Clause 1 gives 30 days, clause 2 gives 45."
    return Finding(f"f-{rank}", "value.period", rank, 0.93, Severity.HIGH, summary, path, passages, "Choose one.")


def lines(documents, findings, **more) -> list[str]:
    given = {"columns": 80, "colour": False, "most": 50, **more}
    return list(summary_lines(documents, findings, 1.23, **given))


def test_a_finding_has_its_code_sentence_clauses_pages_and_quotes():
    said = "\n".join(lines([a_document()], [a_finding()]))
    for words in ("HIGH", "value.period", "Clause 1 gives 30 days", "1, page 1:", "“Pay in 45 days.”", "Choose one."):
        assert words in said
    assert "msa.pdf: 1 page, 31 characters, 2 numbered clauses, English" in said
    assert "Page 3 has no text." in said


def test_ranks_order_and_the_rest_is_counted():
    said = lines([a_document()], [a_finding(3), a_finding(1), a_finding(2)], most=2)
    assert [line.split()[0] for line in said if "value.period" in line] == ["1", "2"]
    assert said[-1].startswith("1 finding more")
    everything = lines([a_document()], [a_finding(i) for i in range(99)], most=0)
    assert len([line for line in everything if "0.93" in line]) == 99


def test_chinese_documents_are_summed_up_in_chinese():
    chinese = msgspec.structs.replace(a_document("合同.docx"), language="zh")
    said = "\n".join(lines([chinese], [a_finding(1), a_finding(2)], most=1))
    for words in ("合同.docx：1 页，31 字", "高  value.period  冲突，得分 0.93", "1，第 1 页：", "另有 1 处"):
        assert words in said
    assert "未发现问题" in lines([chinese], [])[-1]


def test_several_documents_are_named_at_each_passage():
    documents = [a_document(), a_document("order.docx", "sha256:2")]
    assert any("order.docx, 2, page 1:" in line for line in lines(documents, [a_finding(1, "sha256:2")]))


def test_a_contract_cannot_steer_the_terminal():
    evil = a_document("\x1b]0;evil\x07.pdf")
    finding = msgspec.structs.replace(a_finding(), summary="\x1b[2Jgone \u202e reversed")
    said = "\n".join(lines([evil], [finding]))
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_the_file_is_read_back_and_has_rectangles(tmp_path):
    status = EngineStatus("ready", "cpu", "bfloat16", "minilm", "rules")
    content = findings_file([a_document()], [a_finding()], status)
    data = to_json(content)
    assert msgspec.json.decode(data, type=FindingsFile) == content
    quads = [passage.quads for passage in content.findings[0].passages]
    assert quads == [((72.0, 72.0, 147.0, 84.0),), ((72.0, 92.0, 147.0, 104.0),)]
    path = tmp_path / "out.json"
    path.write_text("old")
    write_whole(path, data)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_weak_findings_are_counted_and_printed_when_asked():
    weak = [msgspec.structs.replace(a_finding(rank), tier="check", score=0.05) for rank in (2, 3)]
    likely = msgspec.structs.replace(a_finding(4), tier="check", score=0.30)
    possible = msgspec.structs.replace(a_finding(5), tier="possible", score=0.05)
    findings = [a_finding(1), *weak, likely, possible]
    said = lines([a_document()], findings)
    assert [line.split()[0] for line in said if "value.period" in line] == ["1", "4", "5"]
    assert said[-1] == "2 weaker ones not shown; --all shows all, --json writes all."
    assert any(line.startswith("3 findings in") for line in said)
    everything = lines([a_document()], findings, weak_too=True)
    assert len([line for line in everything if "value.period" in line]) == 5
    assert "weaker" not in everything[-1]
    chinese = msgspec.structs.replace(a_document("合同.docx"), language="zh")
    assert lines([chinese], weak)[-1].startswith("另有 2 处较弱")


def test_what_is_left_out_by_number_and_by_weakness_is_said_apart():
    weak = msgspec.structs.replace(a_finding(3), tier="check", score=0.05)
    said = lines([a_document()], [a_finding(1), a_finding(2), weak], most=1)
    assert said[-3:] == [
        "",
        "1 finding more; --top 0 shows all, --json writes all.",
        "1 weaker one not shown; --all shows all, --json writes all.",
    ]
