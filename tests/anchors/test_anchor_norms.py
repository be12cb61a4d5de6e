from __future__ import annotations

import pytest

from engine.anchors.extract import extract_from_text
from engine.anchors.model import AnchorKind


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The Seller shall deliver.", ["must"]),
        ("The Seller shall not deliver.", ["must not"]),
        ("The Seller may deliver.", ["may"]),
        ("The Seller may not deliver.", ["must not"]),
        ("The Seller is not required to deliver.", ["need not"]),
        ("The Seller shall have no obligation to deliver.", ["need not"]),
        ("The Seller shall have no right to deliver.", ["must not"]),
        ("The Seller shall be entitled to deliver.", ["may"]),
        ("The Seller is entitled to deliver.", ["may"]),
        ("The Seller shall not be entitled to deliver.", ["must not"]),
        ("The Seller is obligated to deliver.", ["must"]),
        ("In no event shall the Seller deliver.", ["must not"]),
        ("No party shall assign this contract.", ["must not"]),
        ("The Seller need not deliver.", ["need not"]),
        ("The Seller has the right to deliver.", ["may"]),
        ("The Seller is prohibited from delivering.", ["must not"]),
        ("乙方应当交货。", ["must"]),
        ("乙方不得转让。", ["must not"]),
        ("乙方有权解除合同。", ["may"]),
        ("乙方可以解除合同。", ["may"]),
        ("乙方无须通知。", ["need not"]),
        ("严禁转租。", ["must not"]),
        ("发生不可抗力的，相应顺延。", []),
        ("应付款项与供应商", []),
    ],
)
def test_modality(text: str, values: list[str]) -> None:
    assert [a.value for a in extract_from_text(text) if a.kind is AnchorKind.MODALITY] == values


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Notwithstanding Section 4, the cap applies.", AnchorKind.PRECEDENCE, "notwithstanding"),
        ("Subject to Section 4, the cap applies.", AnchorKind.PRECEDENCE, "subject to"),
        ("Annex A shall prevail over this text.", AnchorKind.PRECEDENCE, "prevails"),
        ("以附件一为准。", AnchorKind.PRECEDENCE, "prevails"),
        ("除本合同另有约定外，甲方付款。", AnchorKind.PRECEDENCE, "except"),
        ("unless the Buyer agrees", AnchorKind.CONDITION, "exception"),
        ("provided that the Buyer agrees", AnchorKind.CONDITION, "proviso"),
        ("if the Buyer agrees", AnchorKind.CONDITION, "condition"),
        ("如果甲方同意", AnchorKind.CONDITION, "condition"),
        ("除非甲方同意", AnchorKind.CONDITION, "exception"),
    ],
)
def test_markers(text: str, kind: AnchorKind, value: str) -> None:
    assert value in [a.value for a in extract_from_text(text) if a.kind is kind]
