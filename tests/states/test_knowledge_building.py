"""Rules in plain words, the trial of a pack, the shelf that reloads, and the command line over them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engine.command.knowledge import DONE, REFUSED, UNUSABLE, run_knowledge_command
from engine.states.knowledge import Knowledge, load_knowledge, shipped_packs
from engine.states.knowledge_pack import Concept, Exclusive, Limit, Pack, PackError, Precedence, Void, pack_lines
from engine.states.knowledge_rules import RuleError, build_entries
from engine.states.knowledge_shelf import KnowledgeShelf
from engine.states.knowledge_trial import PackRefused, figures, try_pack


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


@pytest.mark.parametrize(
    ("rule", "entry"),
    [
        (
            '"Vendor" means the same as "Supplier" and "Merchant"',
            Concept("supplier", "own", ("Vendor", "Supplier", "Merchant")),
        ),
        ("“卖方”与“供货单位”同义。", Concept("supplier", "own", ("卖方", "供货单位"))),
        (
            '"exclusive" excludes "non-exclusive" for licence',
            Exclusive("exclusive_non_exclusive", ("exclusive",), ("non-exclusive",), ("licence",)),
        ),
        ("“独家”与“非独家”不能并存（许可）", Exclusive("独家_非独家", ("独家",), ("非独家",), ("许可",))),
        ('"in no event" overrides', Precedence("in_no_event", "overrides", ("in no event",))),
        ("“以本附件为准”优先", Precedence("以本附件为准", "prevails", ("以本附件为准",))),
    ],
)
def test_rules_become_entries(knowledge: Knowledge, rule: str, entry: object) -> None:
    preview = build_entries(rule, knowledge)
    assert preview.entries == (entry,)
    assert len(preview.meaning) == 1


@pytest.mark.parametrize(
    ("rule", "value", "bound", "source"),
    [
        ("A deposit must not exceed 20 % (Civil Code, Article 586)", "20%", "at_most", "Civil Code, Article 586"),
        ("The notice period must be at least 30 days (Act, section 3).", "P30D", "at_least", "Act, section 3"),
        ("定金不得超过20%（民法典第五百八十六条）", "20%", "at_most", "民法典第五百八十六条"),
        ("租赁期限不得超过二十年（民法典第七百零五条）。", "P20Y", "at_most", "民法典第七百零五条"),
    ],
)
def test_rules_of_the_law(knowledge: Knowledge, rule: str, value: str, bound: str, source: str) -> None:
    (entry,) = build_entries(rule, knowledge).entries
    assert isinstance(entry, Limit)
    assert (entry.value, entry.bound, entry.source) == (value, bound, source)


def test_void_rules(knowledge: Knowledge) -> None:
    (entry,) = build_entries("“概不负责”无效（民法典第五百零六条）", knowledge).entries
    assert isinstance(entry, Void)
    assert entry.phrases == ("概不负责",)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("hello world", "none of the rules"),
        ("", "none of the rules"),
        ('"Vendor" equals "Customer"', "different things"),
        ("租期不得超过二十年", "source"),
        ("The deposit must not exceed a lot (Act, section 3)", "could not be read"),
        ('"free" excludes "Free"', "both sides"),
        ('"words" is void', "source"),
    ],
)
def test_rules_that_cannot_be_read_are_said(knowledge: Knowledge, rule: str, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        build_entries(rule, knowledge)


def test_the_shipped_packs_help() -> None:
    for pack in shipped_packs():
        old, new = try_pack(pack, Knowledge([]))
        assert new.exclusions > old.exclusions + 0.5
        assert new.law > old.law + 0.3
        assert new.names > old.names + 0.5


def test_a_pack_that_harms_is_refused_with_the_figures(knowledge: Knowledge) -> None:
    one_side, other_side = ("fee is paid", "arbitration takes"), ("notice is given", "arbitrator decides")
    harmful = Pack("bad", "en", "Bad", (Exclusive("x", one_side, other_side, ()),))
    with pytest.raises(PackRefused, match=r"bad makes .* exclusions \d\.\d+ → 0\.\d+"):
        try_pack(harmful, knowledge)
    assert figures(knowledge, "en").exclusions > 0.9


def test_the_shelf_sees_what_changes_without_a_restart(tmp_path: Path) -> None:
    shelf = KnowledgeShelf(tmp_path / "knowledge")
    first = shelf.current()
    assert shelf.current() is first
    assert not first.same_concept("Merchant", "Vendor")
    shelf.folder.mkdir()
    head = {"kind": "pack", "schema": "antinomy.knowledge/1", "id": "mine", "language": "en", "title": "Mine"}
    entry = {"kind": "concept", "id": "supplier", "field": "role", "labels": ["Merchant"]}
    path = shelf.folder / "mine.jsonl"
    path.write_text(json.dumps(head) + "\n" + json.dumps(entry))
    second = shelf.current()
    assert second.same_concept("Merchant", "Vendor")
    assert not first.same_concept("Merchant", "Vendor")
    shelf.switch("mine", on=False)
    assert not shelf.current().same_concept("Merchant", "Vendor")
    shelf.switch("mine", on=True)
    assert shelf.current().same_concept("Merchant", "Vendor")
    shelf.switch("commercial-en", on=False)
    assert not shelf.current().same_concept("Seller", "Vendor")
    path.write_text("broken")
    os.utime(path, (1, 1))
    assert shelf.current().same_concept("卖方", "供应商")
    assert "mine.jsonl" in shelf.problems[0]


def test_building_from_the_command_line() -> None:
    lines: list[str] = []
    rule = '"Vendor" means the same as "Merchant"'
    assert run_knowledge_command(["build", rule, "--preview"], lines.append) == DONE
    assert "Nothing was kept" in lines[-1]
    assert not KnowledgeShelf().current().same_concept("Merchant", "Seller")
    assert run_knowledge_command(["build", rule], lines.append) == DONE
    assert run_knowledge_command(["build", '"Dealer" equals "Vendor"'], lines.append) == DONE
    assert run_knowledge_command(["build", "“卖方”与“供货单位”同义"], lines.append) == DONE
    assert run_knowledge_command(["build", rule, "“卖方”与“供货单位”同义"], lines.append) == UNUSABLE
    known = KnowledgeShelf().current()
    assert known.same_concept("Merchant", "Seller")
    assert known.same_concept("Dealer", "Merchant")
    assert known.same_concept("供货单位", "Merchant")
    lines.clear()
    assert run_knowledge_command(["check"], lines.append) == DONE
    assert any(line.startswith("commercial-zh") for line in lines)
    assert run_knowledge_command(["check", "--off", "commercial-zh"], lines.append) == DONE
    assert "commercial-zh" in lines[-1]


def test_what_the_command_line_refuses(tmp_path: Path) -> None:
    lines: list[str] = []
    assert run_knowledge_command(["build", "hello world"], lines.append) == UNUSABLE
    assert run_knowledge_command(["check", str(tmp_path / "nothing.jsonl")], lines.append) == UNUSABLE
    harmful = '"fee is paid" and "arbitration takes" excludes "notice is given" and "arbitrator decides"'
    assert run_knowledge_command(["build", harmful], lines.append) == REFUSED
    assert not any(KnowledgeShelf().folder.glob("*.jsonl"))
    assert run_knowledge_command(["build"], lines.append) == UNUSABLE
    assert any("cannot be read" in line for line in lines)
    (tmp_path / "x.jsonl").write_text("{}")
    with pytest.raises(PackError):
        load_knowledge([tmp_path / "x.jsonl"])


def test_the_program_knows_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from engine.cli import run_command_line

    assert run_command_line(["knowledge", "check"]) == 0
    assert "commercial-en" in capsys.readouterr().out


def test_the_shelf_refuses_a_pack_that_harms_with_the_figures(tmp_path: Path) -> None:
    shelf = KnowledgeShelf(tmp_path / "knowledge")
    shelf.folder.mkdir()
    harmful = Exclusive("x", ("fee is paid", "arbitration takes"), ("notice is given", "arbitrator decides"), ())
    path = shelf.folder / "bad.jsonl"
    path.write_text("\n".join(pack_lines(Pack("bad", "en", "Bad", (harmful,)))))
    knowledge = shelf.current()
    assert "bad" not in [pack.id for pack in knowledge.packs]
    assert "→" in shelf.problems[0]
    path.unlink()
    assert shelf.current().packs == knowledge.packs
    assert shelf.problems == ()


def test_two_packs_may_say_the_same_words_of_different_things(knowledge: Knowledge) -> None:
    own = Pack("own", "zh", "自有", build_entries("“独家”与“非独家”不能并存（赞助）", knowledge).entries)
    for packs in ([*knowledge.packs, own], [own, *knowledge.packs]):
        both = Knowledge(packs)
        assert both.exclusions("甲方独家赞助", "甲方非独家赞助")
        assert both.exclusions("乙方为独家代理", "乙方为非独家代理")
