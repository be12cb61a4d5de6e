"""``antinomy learn``: what the labels in matter files teach, measured; then kept or dropped.

Exit status: 0 done, 1 a failure of the program, 2 unusable input or too few labels.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from engine.command.children import Children, CommandLine, JobFailed
from engine.command.progress_bar import ProgressBar
from engine.learning.shelf import SHIPPED, Shelf, ShelfError
from engine.matter.errors import MatterError
from engine.matter.judgements import Judgements, judgements
from engine.matter.matter import Matter
from engine.protocol.child import ChildStartError, child_command
from engine.protocol.learning import Card, Figure
from engine.protocol.messages import FaultCode
from engine.protocol.places import data_dir

DONE, OUR_FAILURE, UNUSABLE = 0, 1, 2
_WORDS = {
    "average_precision": "order of the judged findings (average precision)",
    "recall_10": "conflicts among a contract's first ten findings",
    "conflicts_shown": "conflicts shown unasked",
    "false_alarms_shown": "false alarms shown unasked",
}


def run_learn_command(
    arguments: Sequence[str],
    out: TextIO | None = None,
    err: TextIO | None = None,
    *,
    folder: Path | None = None,
    command: CommandLine = child_command,
) -> int:
    """Run ``antinomy learn ARGUMENTS``; ``folder`` is the person's (that of the program when None)."""
    out, err = out or sys.stdout, err or sys.stderr
    parser = _parser()
    try:
        options = parser.parse_args(list(arguments))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else UNUSABLE
    shelf = Shelf(folder or data_dir())
    try:
        if options.matters:
            return _learn(options, shelf, out, err, command)
        return _settle(options, shelf, out) if _is_settling(options) else _complain(parser, err)
    except (MatterError, ShelfError) as error:
        err.write(f"antinomy learn: {error}\n")
        return UNUSABLE
    except ChildStartError as error:
        err.write(f"antinomy learn: {error}\n")
        return OUR_FAILURE
    except JobFailed as error:
        err.write(f"antinomy learn: {error.fault.sentence}\n")
        ours = (FaultCode.INTERNAL, FaultCode.ENGINE_NOT_READY, FaultCode.OUT_OF_MEMORY, FaultCode.CHILD_DIED)
        return OUR_FAILURE if error.fault.code in ours else UNUSABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="antinomy learn",
        description="Learns from the links and decisions in matter files, on this machine. Each contract is left out "
        "once to see whether it helps; the result waits until it is kept or dropped. The shipped weights stay.",
    )
    parser.add_argument("matters", nargs="*", type=Path, metavar="MATTER", help="matter files; they are only read")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same weights (0)")
    parser.add_argument("--keep", action="store_true", help="keep what was learnt last, and use it from now on")
    parser.add_argument("--drop", nargs="?", const="", metavar="NAME", help="forget what was learnt last, or a set")
    parser.add_argument("--use", metavar="NAME", help=f"use a set from now on; '{SHIPPED}' for what came with Antinomy")
    parser.add_argument("--list", action="store_true", help="list what was kept, and what is in use")
    return parser


def _is_settling(options: argparse.Namespace) -> bool:
    return bool(options.keep or options.drop is not None or options.use or options.list)


def _complain(parser: argparse.ArgumentParser, err: TextIO) -> int:
    parser.print_usage(err)
    err.write("antinomy learn: name matter files to learn from, or one of --keep, --drop, --use, --list\n")
    return UNUSABLE


def _settle(options: argparse.Namespace, shelf: Shelf, out: TextIO) -> int:
    """Keep, drop, choose, list; in this order when several are asked for."""
    if options.keep:
        card = shelf.keep()
        back = f"'antinomy learn --use {SHIPPED}' goes back"
        out.write(f"{card.name} is kept and used from the next review on; {back}.\n")
    if options.drop is not None:
        shelf.drop(options.drop)
        out.write(f"{options.drop or 'What was learnt last'} is dropped.\n")
    if options.use:
        shelf.use(options.use)
        out.write(f"{options.use} is used from the next review on.\n")
    if options.list:
        used = shelf.in_use()
        out.write(f"{'*' if not used else ' '} {SHIPPED}\n")
        for card in shelf.cards():
            out.write(f"{'*' if card.name == used else ' '} {card.name}  {_summary(card)}\n")
        trial = shelf.trial()
        if trial is not None:
            out.write(f"? {trial.name}  {_summary(trial)}; not kept yet\n")
        if used and all(card.name != used for card in shelf.cards()):
            out.write(f"{used} is in use, but cannot be read; the shipped weights take its place.\n")
    return DONE


def _summary(card: Card) -> str:
    order = card.figures[0]
    return (
        f"{card.created_at[:10]}, {card.conflicts} conflicts and {card.not_conflicts} others in {card.contracts} "
        f"contracts, average precision {order.before:.2f} to {order.after:.2f}"
    )


def _learn(options: argparse.Namespace, shelf: Shelf, out: TextIO, err: TextIO, command: CommandLine) -> int:
    with contextlib.ExitStack() as opened:
        found = judgements([opened.enter_context(Matter.open(path, read_only=True)) for path in options.matters])
    for line in label_lines(found):
        out.write(line + "\n")
    if any(found.missing):
        err.write(f"antinomy learn: {missing_words(found.missing)}\n")
        return UNUSABLE
    shelf.require_writable()
    bar = ProgressBar(err, "learning")
    try:
        with Children(command) as children:
            card = children.learn(
                tuple(found.packed.values()), found.labels, str(shelf.folder.parent), shelf.free_name(), options.seed,
                bar.update,
            )  # fmt: skip
    finally:
        bar.clear()
    for line in card_lines(card):
        out.write(line + "\n")
    if options.keep:
        return _settle(options, shelf, out)
    out.write("Keep it with 'antinomy learn --keep', forget it with 'antinomy learn --drop'.\n")
    return DONE


def label_lines(found: Judgements) -> list[str]:
    """What would be learnt from."""
    no = len(found.labels) - found.conflicts
    lines = [f"{found.conflicts} labels say conflict, {no} say none, in {found.contracts} contracts."]
    lines += [f"  {code:24} {count:5}" for code, count in found.codes.items()]
    for count, why in (
        (found.disputed, "pairs are left out because people differ and nobody ruled"),
        (found.without_text, "labels are left out because the text of their document is not in the matter"),
        (found.of_form, "decisions on form (blanks, numbers, terms) teach nothing: no pair stands behind them"),
    ):
        if count:
            lines.append(f"{count} {why}.")
    return lines


def missing_words(missing: tuple[int, int, int]) -> str:
    """What is needed before anything can be learnt, one sentence."""
    conflicts, others, contracts = missing
    needed = []
    if conflicts:
        needed.append(f"{conflicts} more labels that say conflict (confirmed findings or links)")
    if others:
        needed.append(f"{others} more that say none (dismissed findings, or links with a reason)")
    if contracts:
        needed.append(f"labels in {contracts} more contracts, because only a contract left out shows whether it helps")
    return f"There is too little to learn from: {'; '.join(needed)}."


def card_lines(card: Card) -> list[str]:
    """Before and after, in words, and what to do."""
    lines = [f"Measured on each of {card.contracts} contracts with weights that had not seen it:"]
    lines += [_figure_line(figure) for figure in card.figures]
    before, after = card.replay
    lines.append(f"  the program's own samples, to see what is forgotten: {before:.2f} -> {after:.2f}")
    return [*lines, verdict(card)]


def _figure_line(figure: Figure) -> str:
    if figure.name.endswith("shown"):
        values, spread = f"{figure.before:.0f} -> {figure.after:.0f}", f"{figure.low:+.0f} to {figure.high:+.0f}"
    else:
        values, spread = f"{figure.before:.2f} -> {figure.after:.2f}", f"{figure.low:+.2f} to {figure.high:+.2f}"
    return f"  {_WORDS.get(figure.name, figure.name)}: {values} (in nine of ten draws of contracts {spread})"


def verdict(card: Card) -> str:
    """What the figures say, in one sentence."""
    order = card.figures[0]
    if card.helps:
        return "It helps beyond what chance would do. Keep it."
    if order.high < 0:
        return "It makes the order of the findings worse. Drop it."
    return "Whether it helps cannot be told from chance. Drop it, and learn again when there are more labels."
