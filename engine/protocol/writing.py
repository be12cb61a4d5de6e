"""Written answers by a model that a person configured: what it is, what is asked of it, what comes back."""

from __future__ import annotations

import enum
from urllib.parse import urlsplit

import msgspec

from engine.protocol.answers import Answer, Unsupported
from engine.protocol.base import Message

MODEL_SCHEMA = "antinomy.model/1"
ANTHROPIC_URL = "https://api.anthropic.com"
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class Kind(enum.StrEnum):
    """How an endpoint is spoken to."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"


class ModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model and what it may cost.

    Attributes:
        url: of the endpoint, up to and without ``/chat/completions`` (OpenAI-compatible), or of the Anthropic API.
        most_words_in: characters that are sent at most; passages that do not fit are left out, the last first.
        most_tokens: of an answer.
        budget_tokens: of all answers of one run of the program, sent and received together.
        timeout_s: without a sign of life.
        attempts: to begin an answer, when the endpoint is busy or away.
        agreed: the address that the person has agreed to send passages to; another address is asked about again.
    """

    kind: Kind
    url: str
    model: str
    most_words_in: int = 24_000
    most_tokens: int = 1_000
    budget_tokens: int = 200_000
    timeout_s: float = 60.0
    attempts: int = 3
    agreed: str = ""
    schema: str = MODEL_SCHEMA

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        try:
            return urlsplit(self.url).hostname in _LOCAL
        except ValueError:
            return False


class Written(msgspec.Struct, frozen=True):
    """A model's answer.

    Attributes:
        text: as it came.
        unsupported: values in it that no cited passage has.
        model: which wrote it.
        complete: False when it was stopped or cut off; ``problem`` then says why.
        tokens: sent and received.
        problem: an English sentence with ``{names}`` for ``values``, as in :class:`engine.protocol.base.Fault`.
        checked: how many values, names and references of it were looked up.
    """

    text: str
    unsupported: tuple[Unsupported, ...]
    model: str
    complete: bool
    tokens: int
    problem: str = ""
    values: dict[str, str] = {}
    checked: int = 0

    @property
    def problem_sentence(self) -> str:
        """The problem with its values filled in, in English."""
        return self.problem.format_map(self.values) if self.values else self.problem


# --- messages -----------------------------------------------------------------------------------------------------


class DescribeModel(Message, frozen=True, tag="describe_model"):
    """Ask which model is configured in ``folder``; answered by :class:`ModelDescribed`."""

    job: int
    folder: str


class ConfigureModel(Message, frozen=True, tag="configure_model"):
    """Keep a model, or switch written answers off (``settings`` None); answered by :class:`ModelDescribed`.

    ``key`` goes to the system's keyring, "" leaves what is there.
    """

    job: int
    folder: str
    settings: ModelSettings | None
    key: str = ""


class ModelDescribed(Message, frozen=True, tag="model_described"):
    """Terminal: the model in use, None for none; whether the keyring has a key for it; tokens since the start."""

    job: int
    settings: ModelSettings | None
    has_key: bool = False
    spent_tokens: int = 0


class Write(Message, frozen=True, tag="write"):
    """Have an answer written from its passages.

    Without agreement to this address (in the settings, or as ``agreed``) nothing is sent: :class:`WriteProposed` says
    what would be. ``mark`` of a proposal makes the same words again. ``remember`` keeps the agreement.
    """

    job: int
    folder: str
    answer: Answer
    mark: str = ""
    agreed: str = ""
    remember: bool = False


class WriteProposed(Message, frozen=True, tag="write_proposed"):
    """Terminal: exactly what would be sent, and where to. Nothing was sent yet."""

    job: int
    mark: str
    url: str
    model: str
    is_local: bool
    passages: int
    system: str
    user: str


class StopWriting(Message, frozen=True, tag="stop_writing"):
    """End a running answer; what came of it is checked and comes as :class:`AnswerWritten`."""

    job: int


class WritingProgressed(Message, frozen=True, tag="writing_progressed"):
    """The next words of an answer, as they came."""

    job: int
    words: str


class AnswerWritten(Message, frozen=True, tag="answer_written"):
    """Terminal: the written answer, checked."""

    job: int
    written: Written
    spent_tokens: int


#: What the engine is asked about writing, and what it answers.
ToWriting = Write | StopWriting | DescribeModel | ConfigureModel
FromWriting = ModelDescribed | WriteProposed | WritingProgressed | AnswerWritten
