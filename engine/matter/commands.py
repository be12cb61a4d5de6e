"""``antinomy matter check|export|import|merge|compact|agreement|dataset|delete``: the matter file without a window.

Exit status: 0 done, 1 done but something is wrong with the content, 2 unusable input.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.matter.agreement import agreement
from engine.matter.check import check
from engine.matter.dataset import SPLITS, write_dataset
from engine.matter.deletion import delete_matter, files_of
from engine.matter.errors import MatterDamaged, MatterError, MatterLocked, UnreadableImport
from engine.matter.exchange import apply_import, export_links
from engine.matter.formats import FORMATS, LINKS, bundle_of, plan_path, write_format
from engine.matter.matter import Matter
from engine.matter.merge import merge

Write = Callable[[str], object]


def run_matter_command(arguments: Sequence[str], write: Write | None = None) -> int:
    """Run ``antinomy matter ARGUMENTS``; lines go to ``write`` (standard output by default)."""
    out = write or sys.stdout.write
    try:
        options = _parser().parse_args(list(arguments))
    except SystemExit as stop:
        # argparse has printed its message; the caller decides about the process.
        return stop.code if isinstance(stop.code, int) else 2
    try:
        run: Callable[[argparse.Namespace, Write], int] = options.run
        return run(options, out)
    except MatterError as error:
        out(f"antinomy matter: {error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="antinomy matter", description="Check, move and combine matter files.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("check", help="say whether a matter file holds together")
    command.add_argument("matter", type=Path)
    command.set_defaults(run=_check)

    command = commands.add_parser("export", help="write links and decisions as antinomy.links/1, or for another tool")
    command.add_argument("matter", type=Path)
    command.add_argument("out", type=Path, help="a file; with --format a new folder")
    command.add_argument("--format", choices=sorted(FORMATS), help="links for another tool")
    command.set_defaults(run=_export)

    command = commands.add_parser("import", help="read antinomy.links/1, or another tool's links, into a matter")
    command.add_argument("matter", type=Path)
    command.add_argument("file", type=Path, help="a file; with --format also a folder")
    command.add_argument("--format", choices=sorted(FORMATS), help="the tool that wrote it")
    command.add_argument("--good-only", action="store_true", help="take the good lines although others are bad")
    command.add_argument("--new-labels", action="store_true", help="add labels that the matter's set lacks to it")
    command.set_defaults(run=_import)

    command = commands.add_parser("merge", help="bring other matter files into the first")
    command.add_argument("matter", type=Path)
    command.add_argument("others", type=Path, nargs="+")
    command.set_defaults(run=_merge)

    command = commands.add_parser("compact", help="give unused space back to the disk")
    command.add_argument("matter", type=Path)
    command.set_defaults(run=_compact)

    command = commands.add_parser("delete", help="delete a matter for good, with all that is kept beside its file")
    command.add_argument("matter", type=Path)
    command.add_argument("--yes", action="store_true", help="do not ask")
    command.set_defaults(run=_delete)

    command = commands.add_parser("agreement", help="how far the annotators agree, beyond chance")
    command.add_argument("matter", type=Path)
    command.set_defaults(run=_agreement)

    command = commands.add_parser("dataset", help="texts, labels in splits by contract, and a card, in a new folder")
    command.add_argument("out", type=Path)
    command.add_argument("matters", type=Path, nargs="+")
    command.add_argument("--licence", required=True, help="the words of the licence for the card")
    command.add_argument("--title", default="Contract conflicts")
    command.add_argument("--guide", type=Path, help="the annotators' guide, a text file")
    command.set_defaults(run=_dataset)
    return parser


def _writable(path: Path) -> Matter:
    matter = Matter.open(path)
    if matter.read_only:
        matter.close()
        raise MatterLocked(matter.notice)
    return matter


def _check(options: argparse.Namespace, write: Write) -> int:
    with Matter.open(options.matter, read_only=True) as matter:
        problems = check(matter)
        for problem in problems:
            write(f"{problem}\n")
        if problems:
            return 1
        write(
            f"{matter.path.name} is sound: {len(matter.documents())} documents, {len(matter.finding_records())} "
            f"findings, {len(matter.all_decisions())} decisions, {len(matter.links())} links.\n"
        )
    return 0


def _export(options: argparse.Namespace, write: Write) -> int:
    with Matter.open(options.matter, read_only=True) as matter:
        if options.format is None:
            write(f"{export_links(matter, options.out)} lines written to {options.out}.\n")
            return 0
        written = write_format(bundle_of(matter), options.format, options.out)
    for loss in written.losses:
        write(f"{loss}\n")
    write(f"{len(written.files)} files written to {options.out}.\n")
    return 0


def _import(options: argparse.Namespace, write: Write) -> int:
    with _writable(options.matter) as matter:
        plan = plan_path(matter, options.file, options.format or LINKS)
        for problem in plan.problems:
            place = problem.place or plan.name
            line = f":{problem.line}" if problem.line else ""
            write(f"{place}{line}: {problem.sentence}\n")
        bad = len(plan.problems) - (len(plan.doubtful) if options.new_labels else 0)
        links = len(plan.links) + (len(plan.doubtful) if options.new_labels else 0)
        good = f"{links} links and {len(plan.decisions)} decisions"
        if bad and not options.good_only:
            write(f"Nothing was imported; {good} are good (--good-only takes them).\n")
            if plan.doubtful and not options.new_labels:
                labels = ", ".join(plan.new_labels)
                write(f"--new-labels adds {labels} to the label set and takes {len(plan.doubtful)} links more.\n")
            return 1
        apply_import(matter, plan, options.new_labels)
        write(f"{good} imported, {plan.already} were there already.\n")
    return 1 if bad else 0


def _merge(options: argparse.Namespace, write: Write) -> int:
    with _writable(options.matter) as matter:
        for other in options.others:
            report = merge(matter, other)
            write(
                f"{other.name}: {len(report.documents)} documents, {len(report.findings)} findings, "
                f"{len(report.added)} judgements added, {len(report.taken)} newer ones taken, "
                f"{len(report.kept)} older ones passed over (kept in the history).\n"
            )
            for remark in report.guide:
                write(f"{other.name}: {remark.sentence}\n")
    return 0


def _compact(options: argparse.Namespace, write: Write) -> int:
    with _writable(options.matter) as matter:
        before, after = matter.compact()
    write(f"{options.matter.name}: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB now.\n")
    return 0


def _delete(options: argparse.Namespace, write: Write) -> int:
    path: Path = options.matter
    # Opened for reading even when nothing is asked: what is no matter of ours is never deleted.
    try:
        with Matter.open(path, read_only=True) as matter:
            counts = (len(matter.documents()), len(matter.all_decisions()), len(matter.links()))
            held = "{} documents, {} decisions, {} links".format(*counts)
    except MatterDamaged:
        held = "damaged"
    beside = [each.name for each in files_of(path)[1:]]
    write(f"{path.name} ({held}){''.join(f', {name}' for name in beside)}\n")
    if not options.yes:
        write("Delete for good? The contracts' own files stay. Type yes: ")
        if sys.stdin.readline().strip().lower() not in ("yes", "是"):
            write("Nothing was deleted.\n")
            return 1
    delete_matter(path)
    write("Deleted.\n")
    return 0


def _agreement(options: argparse.Namespace, write: Write) -> int:
    with Matter.open(options.matter, read_only=True) as matter:
        names = {annotator.id: annotator.name for annotator in matter.annotators()}
        result = agreement(matter)
    write(f"{result.units} pairs of clauses, {len(result.annotators)} annotators\n")
    lines = [
        ("conflict or not (Krippendorff's alpha)", result.conflict),
        ("code (Krippendorff's alpha)", result.code),
        ("code (Fleiss' kappa)", result.fleiss),
        ("aspect (Krippendorff's alpha)", result.aspect),
    ]
    lines += [(f"{names[p.first]} and {names[p.second]} (Cohen's kappa)", p.kappa) for p in result.pairwise]
    lines += [(f"{each.code} against all else, given {each.given} times", each.alpha) for each in result.by_code]
    lines += [(f"the aspect “{each.aspect}”, given {each.given} times", each.alpha) for each in result.by_aspect]
    for name, coefficient in lines:
        value = f"undefined: {coefficient.because}" if coefficient.value is None else f"{coefficient.value:.3f}"
        write(f"{name}: {value} ({coefficient.units} units)\n")
    return 0


def _dataset(options: argparse.Namespace, write: Write) -> int:
    try:
        guide = options.guide.read_text("utf-8") if options.guide else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableImport("{name} cannot be read as text.", name=options.guide.name) from error
    with contextlib.ExitStack() as opened:
        matters = [opened.enter_context(Matter.open(path, read_only=True)) for path in options.matters]
        report = write_dataset(matters, options.out, options.licence, guide, options.title)
    for split in SPLITS:
        write(
            f"{split}: {report.documents[split]} documents, {report.links[split]} links, "
            f"{report.decisions[split]} decisions\n"
        )
    if report.left_out:
        write(f"{report.left_out} labels were left out because their text is not in the matter.\n")
    return 0
