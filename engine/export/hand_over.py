"""One order to hand something over, carried out: which file is made from what."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.export.errors import ExportError
from engine.protocol.handover import Form, Report
from engine.protocol.messages import FaultCode, HandOver


def hand_over(order: HandOver, as_pdf: Callable[[str], bytes | None]) -> Sequence[str]:
    """Write what the order asks for.

    Args:
        as_pdf: the pages of a document that is no PDF, as they were laid out; None when it is not open.

    Returns:
        Labels of the passages that got no mark.

    Raises:
        ExportError: it cannot be done, for a reason that a person can act on.
    """
    target = Path(order.target)
    try:
        if order.report is not None:
            _write(target, _report(order.form, order.report))
            return ()
        return _marked(order, target, as_pdf)
    except OSError as error:
        raise _unwritable(error, target) from error


def _report(form: Form, report: Report) -> bytes:
    if form is Form.DOCX:
        from engine.export.report_docx import report_docx

        return report_docx(report)
    from engine.export.report_pdf import report_pdf

    return report_pdf(report)


def _marked(order: HandOver, target: Path, as_pdf: Callable[[str], bytes | None]) -> Sequence[str]:
    source = Path(order.source)
    if target.exists() and target.samefile(source):
        raise ExportError(
            FaultCode.UNSUPPORTED_FORMAT, "“{name}” is the contract itself; choose another name.", name=target.name
        )
    data = _unchanged(source, order.document)
    if order.form is Form.DOCX:
        from engine.export.marked_docx import mark_docx

        return mark_docx(data, source.name, order.text, order.document, order.marks, target)
    from engine.export.marked_pdf import mark_pdf

    pages = data if order.is_pdf else as_pdf(order.document)
    if pages is None:
        raise ExportError(
            FaultCode.NOT_OPEN, "“{name}” is not open any more; open it again, then save.", name=source.name
        )
    return mark_pdf(pages, source.name, order.document, order.marks, target, order.password)


def _unchanged(source: Path, document: str) -> bytes:
    try:
        data = source.read_bytes()
    except OSError as error:
        raise ExportError(
            FaultCode.MISSING_FILE, "“{name}” is not there any more; put it back, then save.", name=source.name
        ) from error
    if "sha256:" + hashlib.sha256(data).hexdigest() != document:
        raise ExportError(
            FaultCode.NOT_OPEN, "“{name}” has changed since it was read; open it again, then save.", name=source.name
        )
    return data


def _write(target: Path, data: bytes) -> None:
    draft = target.with_name(target.name + ".new")
    try:
        draft.write_bytes(data)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _unwritable(error: OSError, target: Path) -> ExportError:
    if error.errno == errno.ENOSPC:
        return ExportError(
            FaultCode.UNREADABLE_FILE,
            "There is no room on the disk for “{name}”; free some, or choose another disk.",
            name=target.name,
        )
    return ExportError(
        FaultCode.UNREADABLE_FILE,
        "“{name}” cannot be written there ({why}); choose another folder.",
        name=target.name,
        why=error.strerror or str(error),
    )
