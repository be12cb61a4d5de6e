"""Documents' roles: given, taken back, kept apart from what a name suggests."""

from __future__ import annotations

import pytest

from engine.matter import DocumentRole, Matter, UnknownRecord
from engine.matter.check import check
from engine.matter.merge import merge
from engine.matter.role_proposals import Described, proposals
from engine.matter.roles import chosen, set_role


@pytest.fixture
def matter(tmp_path):
    with Matter.create(tmp_path / "deal.antinomy") as matter:
        matter.add_document("sha256:a", "msa.docx", "", "docx", None)
        matter.add_document("sha256:b", "order.docx", "", "docx", None, "other")
        yield matter


def roles(matter):
    return [document.role for document in matter.documents()]


def test_a_role_is_given_undone_and_given_again(matter):
    assert chosen(matter) == frozenset()
    changes = set_role(matter, "sha256:b", DocumentRole.ORDER)
    assert changes.documents == ("sha256:b",)
    assert (roles(matter), chosen(matter)) == (["master", "order"], {"sha256:b"})
    assert matter.undo() == "role of order.docx"
    assert matter.last_changes.documents == ("sha256:b",)
    assert (roles(matter), chosen(matter)) == (["master", "other"], frozenset())
    assert matter.redo("zh") == "order.docx 的角色"
    assert (roles(matter), chosen(matter)) == (["master", "order"], {"sha256:b"})
    events = matter.events(document="sha256:b")
    assert [(event.table, event.record) for event in events] == [("document", "sha256:b")] * 3
    assert check(matter) == ()


def test_a_proposal_that_is_right_can_be_said_to_be_so(matter):
    assert set_role(matter, "sha256:a", DocumentRole.MASTER)
    assert chosen(matter) == {"sha256:a"}
    assert not set_role(matter, "sha256:a", DocumentRole.MASTER), "said already: nothing to undo"
    with pytest.raises(UnknownRecord):
        set_role(matter, "sha256:x", DocumentRole.ORDER)


def test_a_text_on_its_way_does_not_take_the_role_back(matter):
    set_role(matter, "sha256:b", DocumentRole.EARLIER_VERSION)
    matter.add_document("sha256:b", "order.docx", "/there", "docx", b"text", "other")
    assert roles(matter) == ["master", "earlier_version"]


def test_roles_survive_a_restart_and_travel_with_a_merge(matter, tmp_path):
    set_role(matter, "sha256:b", DocumentRole.AMENDMENT)
    matter.close()
    with Matter.create(tmp_path / "other.antinomy") as other:
        other.add_document("sha256:a", "msa.docx", "", "docx", None)
        set_role(other, "sha256:a", DocumentRole.ANNEX)
        merge(other, tmp_path / "deal.antinomy")
        assert (roles(other), chosen(other)) == (["annex", "amendment"], {"sha256:a", "sha256:b"})
        assert check(other) == ()
        assert other.undo() == "role of msa.docx"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["MSA.docx", "Amendment No. 2.docx", "Order Form 7.pdf", "Exhibit A - Prices.pdf"],
         ["master", "amendment", "order", "annex"]),
        (["采购合同.docx", "补充协议二.docx", "附件一 价格表.docx", "2024年度订单.pdf"],
         ["master", "amendment", "annex", "order"]),
        (["Supply Agreement v1.docx", "Supply Agreement v2.docx"], ["earlier_version", "master"]),
        (["Supply_Agreement.docx", "Supply Agreement (2).docx"], ["earlier_version", "master"]),
        (["nda_2024-05-01.docx", "nda_2024-06-30.docx"], ["earlier_version", "master"]),
        (["nda old.docx", "nda.docx"], ["earlier_version", "master"]),
        (["lease v1.2.docx", "lease v1.10.docx", "lease final.docx"], ["earlier_version", "earlier_version", "master"]),
        (["租赁合同初稿.docx", "租赁合同定稿.docx"], ["earlier_version", "master"]),
        (["Amended and Restated Credit Agreement.pdf"], ["master"]),
        (["lease.docx", "guarantee.docx"], ["master", ""]),
    ],
)  # fmt: skip
def test_names_suggest_roles(names, expected):
    found = proposals([Described(str(i), name, "en") for i, name in enumerate(names)])
    assert [found.get(str(i), "") for i in range(len(names))] == expected


def test_languages_and_titles_suggest_roles():
    names = (Described("0", "JV Agreement EN.docx", "en"), Described("1", "JV Agreement (Chinese).docx", "zh"))
    found = proposals(names)
    assert found == {"0": "master", "1": "translation"}
    found = proposals([Described("0", "scan0001.pdf", "en", "MASTER SERVICES AGREEMENT"),
                       Described("1", "scan0002.pdf", "zh", "补充协议")])  # fmt: skip
    assert found == {"0": "master", "1": "amendment"}
