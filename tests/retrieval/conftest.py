"""Small contracts, read as any file is, and an encoder by letters: quick, and the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.anchors.extract import extract_anchors
from engine.document import Document
from engine.reading.open_file import open_file
from engine.retrieval.document_index import DocumentIndex, build_document_index
from engine.retrieval.matter_index import MatterIndex
from engine.states.ngrams import NgramEncoder

ENGLISH = """SUPPLY AGREEMENT between Alpha Valves Inc. and Beta Pipes LLC

1. Payment. The Buyer shall pay each invoice within thirty (30) days after receipt.
Late payments bear interest at 5% a year.

2. Early payment. If the Buyer pays an invoice early, no penalty is due. The Seller grants a discount of 2%.

3. Confidentiality. Each party shall keep the other's information secret for five (5) years after termination.

4. Governing law. This Agreement is governed by the laws of the State of New York.

5. Termination. Either party may terminate this Agreement on ninety (90) days' written notice.
"""
CHINESE = """房屋租赁合同

出租方（甲方）：北京晨光物业管理有限公司
承租方（乙方）：李明

第一条 租金
乙方应在每月五日前支付租金人民币8000元。逾期支付的，按日加收千分之一的违约金。

第二条 押金
乙方应在签订本合同时支付押金人民币16000元。租赁期满后，甲方应在十五日内退还押金。

第三条 争议解决
因本合同发生的争议，双方协商不成的，提交北京仲裁委员会仲裁。
"""


@pytest.fixture
def read_text(tmp_path: Path) -> Callable[[str, str], Document]:
    def read(text: str, name: str) -> Document:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        file = open_file(str(path), "")
        for _ in file.read():
            pass
        try:
            return file.document
        finally:
            file.close()

    return read


@pytest.fixture
def english(read_text) -> Document:
    return read_text(ENGLISH, "supply.txt")


@pytest.fixture
def chinese(read_text) -> Document:
    return read_text(CHINESE, "租赁.txt")


@pytest.fixture
def encoder() -> NgramEncoder:
    return NgramEncoder()


@pytest.fixture
def index_of(encoder) -> Callable[[Document], DocumentIndex]:
    return lambda document: build_document_index(document, extract_anchors(document), encoder)


@pytest.fixture
def matter(english, chinese, index_of):
    index = MatterIndex([index_of(english), index_of(chinese)])
    yield index
    index.close()
