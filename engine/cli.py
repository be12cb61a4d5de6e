"""The command line: the window's work without a window, through the same child processes."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine import APP_VERSION
from engine.document import LIBREOFFICE, RevisionView
from engine.protocol.messages import ReadingOptions, ReviewOptions
from engine.protocol.ranking import ranking_lines

#: The parts of the engine that can be switched off, to see what each is good for.
PARTS = ("anchors", "arbitration", "verifier", "compensation", "ranker", "reading")
#: What becomes of tracked changes; the first is the usual.
STATES = tuple(view.value for view in RevisionView)
#: Who makes the pages of Word files; the first is the usual.
LAYOUTS = ("antinomy", LIBREOFFICE)
MOST_PRINTED = 50
#: Exit statuses: unusable input, Ctrl-C (128 + SIGINT), a reader of ours that went away (128 + SIGPIPE).
UNUSABLE, INTERRUPTED, PIPE_CLOSED = 2, 130, 141


def _score(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError("a number between 0 and 1 is needed")
    return value


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a whole number is needed")
    return int(text)


def make_parser() -> argparse.ArgumentParser:
    """All commands and options."""
    parser = argparse.ArgumentParser(
        prog="antinomy",
        description="Finds where contracts contradict themselves, on your own machine. "
        "Without a command the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"antinomy {APP_VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    review = commands.add_parser(
        "review",
        help="find the contradictions in and between files",
        description="Finds the contradictions in and between files (PDF, DOCX, text). The exit status is 0 whether or "
        "not there are findings, 2 for a file that cannot be used, 1 for a failure of the program.",
    )
    review.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a contract; several are taken as one deal")
    review.add_argument("--json", default="", metavar="OUT", help="write antinomy.findings/1 there, or - for stdout")
    review.add_argument("--password", default="", metavar="P", help="of encrypted files; $ANTINOMY_PASSWORD is safer")
    review.add_argument("--revisions", default=STATES[0], choices=STATES, metavar="STATE",
                        help="the state of tracked changes to read: accepted (the usual), original, both")  # fmt: skip
    review.add_argument("--layout", default=LAYOUTS[0], choices=LAYOUTS, metavar="MAKER",
                        help="whose pages of Word files are cited: antinomy (the usual), libreoffice")  # fmt: skip
    review.add_argument("--minimum-score", type=_score, metavar="X", help="drop findings below, 0 to 1, and print "
                        "all others; without it those that are at least likely are printed")  # fmt: skip
    review.add_argument("--all", action="store_true", help="print all findings, however weak")
    review.add_argument("--without", action="append", default=[], choices=PARTS, metavar="PART",
                        help=f"switch a part off: {', '.join(PARTS)}")  # fmt: skip
    review.add_argument("--weights", metavar="NAME", help="weights kept by `antinomy learn`, or shipped; without it "
                        "those in use")  # fmt: skip
    review.add_argument("--encoder", default="", metavar="FOLDER", help="a sentence-transformers model to use instead")
    review.add_argument("--full-check", action="store_true", help="also read every candidate pair again with the whole "
        "encoder; takes minutes where a review takes seconds")
    review.add_argument("--top", type=_count, metavar="N", help="print at most N findings, 0 for all (50)")
    ask = commands.add_parser(
        "ask",
        help="quote the passages that answer a question",
        description="Quotes the passages of the files that answer a question, with clause and page. Nothing is made "
        "up, and nothing is sent anywhere, unless --write asks a configured model for a written answer as well.",
    )
    ask.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a contract; several are taken as one deal")
    ask.add_argument("question", metavar="QUESTION", help="in quotation marks")
    ask.add_argument("--json", default="", metavar="OUT", help="write antinomy.answer/1 there, or - for stdout")
    ask.add_argument("--password", default="", metavar="P", help="of encrypted files; $ANTINOMY_PASSWORD is safer")
    ask.add_argument("--encoder", default="", metavar="FOLDER", help="a sentence-transformers model to use instead")
    ask.add_argument("--write", action="store_true", help="also have the model of `antinomy model` write an answer; "
                     "says what would be sent where, and asks, before it first does")  # fmt: skip
    ask.add_argument("--ranking", action="append", default=[], metavar="NAME=X", help="change a weight of the ranking "
                     "for this question; ranking.json in the data folder changes it for good")  # fmt: skip
    ask.formatter_class = argparse.RawDescriptionHelpFormatter
    ask.epilog = f"ranking settings, their usual values and measured effects:\n{ranking_lines()}"
    compare = commands.add_parser(
        "compare",
        help="say what became of each clause from one version to the next",
        description="Compares two versions of a contract clause by clause: changed, moved, renumbered, inserted, "
        "deleted, and which values differ. The exit status is 0 whether or not anything differs.",
    )
    compare.add_argument("old", type=Path, metavar="OLD", help="the earlier version")
    compare.add_argument("new", type=Path, metavar="NEW", help="the later version")
    compare.add_argument("--json", default="", metavar="OUT", help="write antinomy.comparison/1 there, or - for stdout")
    compare.add_argument("--password", default="", metavar="P", help="of encrypted files; $ANTINOMY_PASSWORD is safer")
    compare.add_argument("--review", action="store_true", help="also review both, and say which findings the later "
                         "version introduced and resolved")  # fmt: skip
    doctor = commands.add_parser(
        "doctor",
        help="say what this machine has and what is missing",
        description="Says what this machine has and what is missing. The exit status is 1 when contracts cannot be "
        "reviewed here.",
    )
    doctor.add_argument("--json", action="store_true", help="as JSON (antinomy.doctor/1)")
    commands.add_parser("matter", help="check, export, import, merge or compact matter files", add_help=False)
    commands.add_parser("model", help="choose the model for written answers; none is the usual", add_help=False)
    commands.add_parser("knowledge", help="make, check and measure knowledge packs", add_help=False)
    commands.add_parser("learn", help="learn from the labels in matter files; keep or drop it", add_help=False)
    return parser


def run_command_line(arguments: Sequence[str]) -> int:
    """Run a command; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else UNUSABLE
    except KeyboardInterrupt:
        print("\nantinomy: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Python would try to flush the dead pipe once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return status


def _run(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["matter"]:
        # It has a command line of its own, so that it says what its own commands are.
        from engine.matter.commands import run_matter_command

        return run_matter_command(arguments[1:])
    if arguments[:1] == ["knowledge"]:
        from engine.command.knowledge import run_knowledge_command

        return run_knowledge_command(arguments[1:])
    if arguments[:1] == ["learn"]:
        from engine.command.learn import run_learn_command

        return run_learn_command(arguments[1:])
    if arguments[:1] == ["model"]:
        from engine.command.model import run_model_command

        return run_model_command(arguments[1:])
    parsed = make_parser().parse_args(arguments)
    return {"doctor": _doctor, "ask": _ask, "compare": _compare, "review": _review}[parsed.command](parsed)


def _compare(parsed: argparse.Namespace) -> int:
    from engine.command.compare import CompareRequest, compare_files
    from engine.command.review import CommandFailed

    password = parsed.password or os.environ.get("ANTINOMY_PASSWORD", "")
    request = CompareRequest(parsed.old, parsed.new, parsed.json, password, parsed.review)
    try:
        compare_files(request, sys.stdout, sys.stderr)
    except CommandFailed as error:
        print(f"antinomy: {error}", file=sys.stderr)
        return error.status
    return 0


def _ask(parsed: argparse.Namespace) -> int:
    from engine.command.ask import AskRequest, ask_files
    from engine.command.review import CommandFailed

    encoder = parsed.encoder and str(Path(parsed.encoder).absolute())
    password = parsed.password or os.environ.get("ANTINOMY_PASSWORD", "")
    request = AskRequest(
        tuple(parsed.files), parsed.question, parsed.json, password, encoder, parsed.write, tuple(parsed.ranking)
    )
    try:
        ask_files(request, sys.stdout, sys.stderr)
    except CommandFailed as error:
        print(f"antinomy: {error}", file=sys.stderr)
        return error.status
    return 0


def _review(parsed: argparse.Namespace) -> int:
    from engine.command.review import CommandFailed, ReviewRequest, review_files

    encoder = parsed.encoder and str(Path(parsed.encoder).absolute())
    options = ReviewOptions(
        encoder=encoder,
        minimum_score=parsed.minimum_score or 0.0,
        without=tuple(dict.fromkeys(parsed.without)),
        weights=_weights(parsed.weights),
        full_check=parsed.full_check,
    )
    password = parsed.password or os.environ.get("ANTINOMY_PASSWORD", "")
    most = (0 if parsed.all else MOST_PRINTED) if parsed.top is None else parsed.top
    weak_too = parsed.all or parsed.minimum_score is not None
    layout = parsed.layout if parsed.layout != LAYOUTS[0] else ""
    reading = ReadingOptions(parsed.revisions, layout=layout)
    request = ReviewRequest(tuple(parsed.files), parsed.json, password, options, most, weak_too, reading)
    try:
        review_files(request, sys.stdout, sys.stderr)
    except CommandFailed as failure:
        print(f"antinomy: {failure}", file=sys.stderr)
        return failure.status
    return 0


def _weights(name: str | None) -> str:
    """The file of the weights that a person names, of those in use when None; "" for the shipped ones."""
    from engine.learning.shelf import Shelf
    from engine.protocol.places import data_dir

    shelf = Shelf(data_dir())
    return shelf.weights_in_use() if name is None else shelf.weights_of(name)


def _doctor(parsed: argparse.Namespace) -> int:
    from engine.doctor import examine, report_lines

    report = examine()
    if parsed.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=1).decode())
    else:
        print("\n".join(report_lines(report)))
    return 0 if report.healthy else 1
