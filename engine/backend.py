"""What the engine process works with: encoders, chosen and warmed, and the review itself."""

from __future__ import annotations

import importlib.metadata
import logging
import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from engine import APP_VERSION
from engine.asking import Asker
from engine.document import Document
from engine.engine_process import WorkCancelled, WorkFailed
from engine.protocol.answers import Answer
from engine.protocol.findings import Finding
from engine.protocol.learning import Card
from engine.protocol.messages import Ask, EngineStatus, Fault, FaultCode, Learn, ReviewOptions
from engine.states.knowledge_shelf import KnowledgeShelf

if TYPE_CHECKING:
    from engine.conflicts.second_look import Load
    from engine.conflicts.verifier import Verifier
    from engine.states.encoder import Encoder

#: Torch gains nothing from more threads at our batch sizes.
MOST_THREADS = 8
WARM_UP = (
    "The Buyer shall pay each invoice within thirty (30) days.",
    "This Agreement is governed by the laws of the State of New York.",
    "买方应在收到发票后三十日内付款。",
)
#: What judges the pairs: rules and anchors, ranked by trees, looked at again by a small verifier.
VERIFIER = "rules, trees, verifier"
#: … when the person's own labels taught it; ``{name}`` is that of the weights.
LEARNT = VERIFIER + ", learnt {name}"
#: … when every pair is read again by the whole encoder.
FULL_CHECK = ", full check"
#: Said when learnt weights cannot be used; without parts, so that a window can say them in another language.
UNUSABLE = "What was learnt from your labels is missing or damaged, so reviews use what came with Antinomy."
OUTDATED = (
    "What was learnt from your labels belongs to another version of Antinomy, so reviews use what came with this one; "
    "learn again to have it back."
)
log = logging.getLogger(__name__)


class ReviewBackend:
    """Encoders by language, loaded at first need, and the review over them."""

    def __init__(self) -> None:
        self._encoders: dict[tuple[str, str], Encoder] = {}
        self._lock = threading.Lock()
        self._report: Callable[[EngineStatus], None] = _tell_nobody
        self._facts: dict[str, str] = {}
        self._notices: dict[str, None] = {}
        self._asker = Asker()
        self._shelf = KnowledgeShelf()
        self._loading = threading.Lock()
        self._verifier = VERIFIER
        self._learnt: tuple[tuple[str, int, int], Verifier] | None = None

    def load(self, report: Callable[[EngineStatus], None]) -> bool:
        """Import torch, load the English encoder and warm it."""
        self._report = report
        report(EngineStatus("loading", "cpu", "", "", VERIFIER))
        import torch

        threads = thread_count()
        torch.set_num_threads(threads)
        facts = {"torch threads": str(threads), "cuda": self._cuda_name()}
        with self._lock:
            self._facts.update(facts)
        self._encoder("en", "")
        self._say_ready()
        return True

    def review(
        self,
        documents: list[Document],
        options: ReviewOptions,
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
    ) -> tuple[list[Finding], dict[str, float]]:
        """See :class:`engine.engine_process.Backend`."""
        from engine.conflicts.review import ReviewCancelled, review_documents
        from engine.states.encoder import EncoderError, EncodingCancelled

        try:
            found = review_documents(
                documents,
                encoder_for=lambda language: self._encoder(language, options.encoder),
                options=options,
                progress=progress,
                cancelled=cancelled,
                verifier=self._verifier_of(options),
                notice=self._note,
                knowledge=self._shelf.current(),
            )
            self._keep_facts(documents)
            # An encoder may have had to leave the GPU on the way.
            for encoder in list(self._encoders.values()):
                if encoder.notice:
                    self._note(encoder.notice)
            return found
        except (ReviewCancelled, EncodingCancelled) as error:
            raise WorkCancelled from error
        except EncoderError as error:
            fault = Fault.of(FaultCode.UNREADABLE_FILE, "The encoder cannot be used: {error}.", {"error": str(error)})
            raise WorkFailed(fault) from error

    def ask(
        self,
        asked: Ask,
        documents: list[Document],
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
    ) -> tuple[Answer, dict[str, float]]:
        """See :class:`engine.engine_process.Backend`."""
        from engine.asking import MissingIndex
        from engine.protocol.ranking import BadRanking
        from engine.states.encoder import EncoderError, EncodingCancelled

        begun = time.perf_counter()
        folder = Path(asked.index) if asked.index else None
        try:
            encoder = self._encoder(asked.language, asked.encoder)
            answer = self._asker.ask(
                asked.question, asked.history, asked.ids, documents, folder, encoder, progress, cancelled,
                asked.ranking,
            )  # fmt: skip
        except EncodingCancelled as error:
            raise WorkCancelled from error
        except BadRanking as error:
            sentence = "The ranking settings cannot be used: {error}"
            raise WorkFailed(Fault.of(FaultCode.UNREADABLE_FILE, sentence, {"error": str(error)})) from error
        except MissingIndex as error:
            sentence = "A document of the matter has not been read yet; ask again in a moment."
            raise WorkFailed(Fault.of(FaultCode.NOT_OPEN, sentence)) from error
        except EncoderError as error:
            fault = Fault.of(FaultCode.UNREADABLE_FILE, "The encoder cannot be used: {error}.", {"error": str(error)})
            raise WorkFailed(fault) from error
        except OSError as error:
            sentence = "The index of this matter cannot be kept: {error}."
            raise WorkFailed(Fault.of(FaultCode.UNREADABLE_FILE, sentence, {"error": str(error)})) from error
        return answer, {"all": time.perf_counter() - begun}

    def learn(
        self,
        order: Learn,
        documents: list[Document],
        progress: Callable[[str, int, int], None],
        cancelled: Callable[[], bool],
    ) -> Card:
        """See :class:`engine.engine_process.Backend`."""
        from engine.learning.case import LearningCancelled
        from engine.learning.learn import TooFewLabels, learn
        from engine.learning.shelf import Shelf, ShelfError
        from engine.learning.weights import weights_bytes
        from engine.states.encoder import EncoderError

        shelf = Shelf(Path(order.folder))
        try:
            shelf.require_writable()
            learnt = learn(
                documents, order.labels, order.name, lambda language: self._encoder(language, ""), progress, cancelled,
                seed=order.seed,
            )  # fmt: skip
            if cancelled():
                raise WorkCancelled
            shelf.put_on_trial(weights_bytes(learnt), learnt.card)
        except LearningCancelled as error:
            raise WorkCancelled from error
        except TooFewLabels as error:
            raise WorkFailed(too_few(error.missing)) from error
        except ShelfError as error:
            raise WorkFailed(Fault.of(FaultCode.UNREADABLE_FILE, error.english, error.values)) from error
        except (EncoderError, ValueError) as error:
            sentence = "Nothing could be learnt: {error}"
            raise WorkFailed(Fault.of(FaultCode.UNREADABLE_FILE, sentence, {"error": str(error)})) from error
        return learnt.card

    def _verifier_of(self, options: ReviewOptions) -> Load | None:
        """The weights that a review asks for; None, for the shipped ones, also when they cannot be used."""
        from engine.conflicts.verifier import VerifierError
        from engine.learning.weights import OtherVersion, read_weights

        verifier: Verifier | None = None
        if options.weights:
            path = Path(options.weights)
            try:
                stat = path.stat()
                key = (options.weights, stat.st_mtime_ns, stat.st_size)
                if self._learnt is None or self._learnt[0] != key:
                    self._learnt = key, read_weights(path)
                verifier = self._learnt[1]
                if "compensation" in options.without:
                    verifier = read_weights(path, compensated=False)
            except (OSError, VerifierError) as error:
                log.warning("The weights in %s cannot be used: %s.", path, error)
                self._note(OUTDATED if isinstance(error, OtherVersion) else UNUSABLE)
        words = LEARNT.format(name=verifier.version) if verifier is not None else VERIFIER
        words += FULL_CHECK if options.full_check else ""
        if words != self._verifier:
            self._verifier = words
            self._say_ready()
        return None if verifier is None else lambda: verifier

    def facts(self) -> dict[str, str]:
        """Versions, machine, device and encoders."""
        facts = {
            "antinomy": APP_VERSION,
            "python": platform.python_version(),
            "system": platform.platform(),
            "processor cores": f"{psutil.cpu_count(logical=False)} ({psutil.cpu_count()} threads)",
            "memory": f"{psutil.virtual_memory().total / 2**30:.1f} GiB",
            "torch": _version("torch"),
            "triton": _version("triton"),
        }
        with self._lock:
            facts.update(self._facts)
            facts["encoders"] = ", ".join(_describe(encoder) for encoder in self._encoders.values()) or "not loaded"
        return facts

    def _keep_facts(self, documents: list[Document]) -> None:
        """Keep for the diagnosis what a review showed: decision density by document, and the packs in use."""
        from engine.states.decision_points import find_decision_points

        densities = [f"{document.name} {find_decision_points(document, ()).density:.0f}" for document in documents[:20]]
        packs = ", ".join(pack.id for pack in self._shelf.current().packs) or "none"
        with self._lock:
            self._facts["decision points per 1,000 tokens"] = ", ".join(densities)
            self._facts["knowledge packs"] = " ".join((packs, *self._shelf.problems))

    def _encoder(self, language: str, folder: str) -> Encoder:
        """The encoder for a language, or of a folder; loaded once.

        Raises:
            EncoderError: ``folder`` does not hold a usable one.
        """
        # Whoever learns and whoever reviews may want the same one at the same moment.
        with self._loading:
            return self._loaded_encoder(language, folder)

    def _loaded_encoder(self, language: str, folder: str) -> Encoder:
        key = ("", folder) if folder else ("zh" if language == "zh" else "en", "")
        encoder = self._encoders.get(key)
        if encoder is None:
            encoder = _load(*key)
            # The first batch costs several times the next ones: it is not the review's.
            encoder.encode(WARM_UP)
            with self._lock:
                first = not self._encoders
                self._encoders[key] = encoder
            if not first:
                self._say_ready()
        return encoder

    def _note(self, words: str) -> None:
        """Tell the person, once, what a review had to do without."""
        log.warning("%s", words)
        with self._lock:
            known = words in self._notices
            self._notices[words] = None
        if not known and self._encoders:
            self._say_ready()

    def _say_ready(self) -> None:
        encoders = list(self._encoders.values())
        notices = [encoder.notice for encoder in encoders if encoder.notice]
        self._report(
            EngineStatus(
                state="ready",
                device=str(getattr(encoders[0], "device", "cpu")),
                precision=encoders[0].precision,
                encoder=", ".join(dict.fromkeys(encoder.name for encoder in encoders)),
                verifier=self._verifier,
                notice=" ".join(dict.fromkeys([*notices, *self._notices])),
            )
        )

    @staticmethod
    def _cuda_name() -> str:
        import torch

        try:
            return str(torch.cuda.get_device_name(0)) if torch.cuda.is_available() else "none"
        except RuntimeError as error:
            log.warning("the GPU cannot be used: %s", error)
            return f"unusable: {error}"


def too_few(missing: tuple[int, int, int]) -> Fault:
    """What is missing to learn, in words: conflicts, pairs that are none, contracts."""
    sentence = (
        "There are too few labels to learn from: {conflicts} more that say conflict, {others} more that say none and "
        "labels in {contracts} more contracts are needed."
    )
    values = dict(zip(("conflicts", "others", "contracts"), map(str, missing), strict=True))
    return Fault.of(FaultCode.TOO_FEW_LABELS, sentence, values)


def thread_count() -> int:
    """Torch's threads: one a core that is ours, hyper-threads not counted, at most :data:`MOST_THREADS`."""
    ours = len(os.sched_getaffinity(0)) if sys.platform == "linux" else MOST_THREADS
    return max(1, min(MOST_THREADS, psutil.cpu_count(logical=False) or 1, ours))


def _tell_nobody(_status: EngineStatus) -> None:
    """Before :meth:`ReviewBackend.load` there is nobody to tell."""


def _load(language: str, folder: str) -> Encoder:
    from engine.states.encoder import EncoderError, load_encoder

    try:
        return load_encoder(language, folder)
    except EncoderError as error:
        if folder:
            raise
        from engine.states.ngrams import NgramEncoder

        log.warning("fell back to letters: %s", error)
        encoder = NgramEncoder()
        encoder.notice = f"Sentences are compared by their letters, which finds fewer conflicts: {error}."
        return encoder


def _describe(encoder: Encoder) -> str:
    return f"{encoder.name} ({encoder.precision})"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "bundled" if getattr(sys, "frozen", False) else "not installed"
