"""``antinomy model``: which model writes answers, if any; and writing one for ``antinomy ask --write``."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

import msgspec

from engine.command.review import CommandFailed
from engine.protocol.answers import Answer
from engine.protocol.places import data_dir
from engine.writing.prompt import Prompt, what_is_sent
from engine.writing.settings import (
    ANTHROPIC_URL,
    Keyring,
    Kind,
    ModelSettings,
    WritingFailed,
    forget_settings,
    keep_key,
    load_settings,
    read_key,
    save_settings,
    system_keyring,
)

_UNUSABLE = 2


def make_model_parser() -> argparse.ArgumentParser:
    """Its own command line."""
    parser = argparse.ArgumentParser(
        prog="antinomy model",
        description="Without options says which model writes answers. No model is configured until you do it; "
        "passages are sent only for `antinomy ask --write`, after you have seen which and agreed.",
    )
    parser.add_argument("--anthropic", metavar="MODEL", help="use this model of the Anthropic API")
    parser.add_argument("--openai", nargs=2, metavar=("URL", "MODEL"), help="use this model of an OpenAI-compatible "
                        "endpoint, a local one too: http://localhost:11434/v1")  # fmt: skip
    parser.add_argument("--key", action="store_true", help="ask for the endpoint's key and keep it in the keyring")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="of one run of the program, sent and received")
    parser.add_argument("--forget", action="store_true", help="switch written answers off again")
    return parser


def run_model_command(arguments: Sequence[str]) -> int:
    """Configure or show; returns the exit status."""
    try:
        parsed = make_model_parser().parse_args(arguments)
        sys.stdout.write(_configure(parsed) + "\n")
    except WritingFailed as error:
        sys.stderr.write(f"antinomy: {error}\n")
        return _UNUSABLE
    return 0


def _configure(parsed: argparse.Namespace) -> str:
    folder = data_dir()
    if parsed.forget:
        forget_settings(folder)
        return "No model writes answers."
    settings = load_settings(folder)
    if parsed.anthropic:
        settings = ModelSettings(Kind.ANTHROPIC, ANTHROPIC_URL, parsed.anthropic)
    elif parsed.openai:
        settings = ModelSettings(Kind.OPENAI, *parsed.openai)
    if settings is None:
        return "No model writes answers. --anthropic or --openai configures one."
    if parsed.budget is not None:
        settings = msgspec.structs.replace(settings, budget_tokens=parsed.budget)
    save_settings(folder, settings)
    if parsed.key:
        keep_key(settings, getpass.getpass(f"Key for {settings.url}: "), system_keyring())
    return f"{settings.model} at {settings.url} writes answers for `antinomy ask --write`."


def check_model() -> ModelSettings:
    """The configured model.

    Raises:
        CommandFailed: there is none.
    """
    try:
        settings = load_settings(data_dir())
    except WritingFailed as error:
        raise CommandFailed(str(error), _UNUSABLE) from error
    if settings is None:
        raise CommandFailed("no model is configured for --write; `antinomy model --help` says how.", _UNUSABLE)
    return settings


def write_to(
    answer: Answer,
    out: TextIO,
    err: TextIO,
    *,
    agree: Callable[[str], str] = input,
    keyring: Callable[[], Keyring] = system_keyring,
) -> None:
    """Have an answer written and print it, values that no passage has marked; on a failure a sentence.

    The quoted passages are printed in any case, by the caller.
    """
    from engine.writing.written import Writer, marked

    settings = check_model()
    try:
        key = "" if settings.is_local else read_key(settings, keyring())
        writer = Writer(settings, key)
        prompt = writer.prompt_for(answer)
        if not _agreed(settings, prompt, answer, err, agree):
            return
        written = writer.write(answer, prompt=prompt)
    except WritingFailed as error:
        err.write(f"antinomy: no written answer: {error}\n")
        return
    out.write(marked(written.text.strip(), written.unsupported) + "\n")
    out.write(f"— written by {written.model} from the passages below\n")
    if written.unsupported:
        out.write(f"{len(written.unsupported)} marked [?…] stand in no passage.\n")
    if written.problem:
        out.write(f"Not complete: {written.problem_sentence}\n")
    out.write("\n")


def _agreed(
    settings: ModelSettings, prompt: Prompt, answer: Answer, err: TextIO, agree: Callable[[str], str]
) -> bool:
    """Whether the person has agreed to this address; asked once, with the very words."""
    if settings.agreed == settings.url:
        return True
    err.write(what_is_sent(prompt, answer.passages, settings) + "\n\n")
    err.flush()
    try:
        yes = agree("Send this, and from now on passages for other questions too? [y/N] ").strip().lower()
    except EOFError:
        yes = ""
    if yes not in ("y", "yes", "是"):
        err.write("antinomy: nothing was sent.\n")
        return False
    save_settings(data_dir(), msgspec.structs.replace(settings, agreed=settings.url))
    return True
