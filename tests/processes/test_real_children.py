"""The whole way with the real reader and the real engine, as the window goes it."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from engine.protocol.messages import FaultCode
from gui.processes.supervisor import Supervisor

CLAUSES = (
    "SUPPLY AGREEMENT",
    "1. Payment",
    "1.1 The Buyer shall pay each invoice within thirty (30) days after receipt of the invoice.",
    "2. Invoices",
    "2.1 The Buyer shall pay each invoice within forty-five (60) days after receipt of the invoice.",
)


@pytest.fixture
def real(qtbot, make_ear):
    supervisor = Supervisor()
    ear = make_ear(supervisor)
    supervisor.start()
    yield supervisor, ear
    supervisor.close()


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """An encrypted PDF of one page."""
    document = pymupdf.open()
    page = document.new_page()
    for i, line in enumerate(CLAUSES):
        page.insert_text((72, 72 + 24 * i), line, fontsize=9)
    path = tmp_path / "合同.pdf"
    document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="owner")
    document.close()
    return path


def test_a_contract_goes_in_and_findings_come_out(real, contract):
    supervisor, ear = real
    assert ear.wait_for_end(supervisor.open_document(contract))[1][1].code is FaultCode.NEEDS_PASSWORD
    assert ear.wait_for_end(supervisor.open_document(contract, "no"))[1][1].code is FaultCode.WRONG_PASSWORD

    name, (_, document) = ear.wait_for_end(supervisor.open_document(contract, "open"))
    assert name == "document_read"
    assert "forty-five (60) days" in document.text

    name, (_, _, _, image, _) = ear.wait_for_end(supervisor.render(document.id, 0, 1.5))
    assert name == "page_rendered"
    assert abs(image.width() - 1.5 * document.pages[0].width_pt) <= 2
    assert image.pixelColor(2, 2).getRgb()[:3] == (255, 255, 255)

    name, (_, findings, seconds) = ear.wait_for_end(supervisor.review([document]))
    assert name == "review_finished"
    assert "value.words_figures" in {finding.code for finding in findings}
    assert seconds
    assert ear.all("engine_status_changed")[-1][0].state == "ready"

    keeper = supervisor._reader
    keeper.channel.abandon()
    ear.wait("child_died")
    assert ear.wait_for_end(supervisor.render(document.id, 0, 1.0))[0] == "page_rendered"
