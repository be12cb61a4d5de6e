"""Which signal passes on which answer of a child."""

from __future__ import annotations

from engine.protocol.messages import AnchorsFound, Answered, Compared, Diagnosis, HandedOver, Learned, ReviewDone
from engine.protocol.writing import AnswerWritten, ModelDescribed, WriteProposed
from gui.processes.channel import DocumentArrived, PageArrived
from gui.processes.interface import Processes
from gui.processes.jobs import Job

#: What ends a job well.
Reply = (
    DocumentArrived | PageArrived | HandedOver | ReviewDone | AnchorsFound | Answered | Compared | Learned | Diagnosis
    | ModelDescribed | WriteProposed | AnswerWritten
)


def pass_on(processes: Processes, job: Job, reply: Reply) -> None:
    """Tell the window what ended its job."""
    match reply:
        case DocumentArrived():
            processes.document_read.emit(reply.job, reply.document)
        case PageArrived():
            processes.page_rendered.emit(reply.job, reply.document, reply.page, reply.image, job.scale)
        case HandedOver():
            processes.handed_over.emit(reply.job, reply)
        case ReviewDone():
            processes.review_finished.emit(reply.job, reply.findings, reply.seconds)
        case AnchorsFound():
            processes.anchors_found.emit(reply.job, reply)
        case Answered():
            processes.answered.emit(reply.job, reply.answer, reply.seconds)
        case Compared():
            processes.compared.emit(reply.job, reply.comparison)
        case Learned():
            processes.learned.emit(reply.job, reply.card)
        case Diagnosis():
            processes.diagnosed.emit(reply.job, reply.facts)
        case ModelDescribed():
            processes.model_described.emit(reply.job, reply)
        case WriteProposed():
            processes.write_proposed.emit(reply.job, reply)
        case AnswerWritten():
            processes.answer_written.emit(reply.job, reply)
