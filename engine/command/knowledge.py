"""``antinomy knowledge build|check|drift``: knowledge packs from a terminal.

Exit status: 0 done, 1 a pack was refused or a figure is bad, 2 unusable input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.states.encoder import BertEncoder, Encoder, EncoderError, load_encoder
from engine.states.knowledge import Knowledge, shipped_packs
from engine.states.knowledge_pack import Concept, Entry, Pack, PackError, check_entries, pack_lines, read_pack
from engine.states.knowledge_rules import Preview, RuleError, build_entries
from engine.states.knowledge_shelf import KnowledgeShelf
from engine.states.knowledge_trial import Figures, PackRefused, development_set, try_pack

Write = Callable[[str], object]
DONE, REFUSED, UNUSABLE = 0, 1, 2


def run_knowledge_command(arguments: Sequence[str], write: Write | None = None) -> int:
    """Run ``antinomy knowledge ARGUMENTS``; lines go to ``write`` (standard output by default)."""
    out = write or sys.stdout.write
    try:
        options = _parser().parse_args(list(arguments))
    except SystemExit as stop:
        # argparse has printed its message; the caller decides about the process.
        return stop.code if isinstance(stop.code, int) else UNUSABLE
    try:
        run: Callable[[argparse.Namespace, Write], int] = options.run
        return run(options, out)
    except PackRefused as refusal:
        out(f"antinomy knowledge: {refusal}.\n")
        return REFUSED
    except (PackError, RuleError, EncoderError) as error:
        out(f"antinomy knowledge: {error}.\n")
        return UNUSABLE
    except OSError as error:
        out(f"antinomy knowledge: {error.filename or ''} cannot be written: {error.strerror}.\n")
        return UNUSABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="antinomy knowledge",
        description="Make, check and measure knowledge packs: names of one thing, words that exclude each other, "
        "limits of the law. Packs in Antinomy's own folder are used at the next review, without a restart.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("build", help="turn a rule in plain words into entries of a pack")
    command.add_argument("rule", nargs="+", help='for example: \'"Vendor" means the same as "Merchant"\'')
    command.add_argument("--pack", type=Path, metavar="FILE", help="the pack to add to (else own-en or own-zh)")
    command.add_argument("--preview", action="store_true", help="show the entries, keep nothing")
    command.set_defaults(run=_build)

    command = commands.add_parser("check", help="say whether a pack is sound and what it does to the figures")
    command.add_argument("packs", nargs="*", type=Path, metavar="PACK", help="files; without any, the packs in use")
    command.add_argument("--states", action="store_true", help="measure the encoder's states too (takes some seconds)")
    command.add_argument("--off", action="append", default=[], metavar="ID", help="switch a pack off from now on")
    command.add_argument("--on", action="append", default=[], metavar="ID", help="switch a pack on again")
    command.set_defaults(run=_check)

    command = commands.add_parser("drift", help="fit layer-norm deltas to a pack and say how far they move the encoder")
    command.add_argument("pack", type=Path, nargs="?", metavar="PACK", help="a file; without one the shipped packs")
    command.add_argument("--language", choices=("en", "zh"), help="of the shipped pack")
    command.add_argument("--save", type=Path, metavar="FILE", help="keep the deltas, if no figure gets worse")
    command.set_defaults(run=_drift)
    return parser


def _build(options: argparse.Namespace, out: Write) -> int:
    shelf = KnowledgeShelf()
    knowledge = shelf.current()
    preview = Preview((), ())
    for rule in options.rule:
        found = build_entries(rule, knowledge)
        preview = Preview((*preview.entries, *found.entries), (*preview.meaning, *found.meaning))
    languages = {"zh" if any("\u3400" <= c <= "\u9fff" for c in rule) else "en" for rule in options.rule}
    if len(languages) > 1:
        raise RuleError("a pack has one language; give the English and the Chinese rules one after the other")
    (language,) = languages
    path = options.pack or shelf.folder / f"own-{language}.jsonl"
    old = read_pack(path) if path.exists() else Pack(path.stem, language, path.stem, ())
    pack = Pack(old.id, old.language, old.title, merged(old.entries, preview.entries))
    problems = check_entries(pack)
    if problems:
        raise PackError(problems[0])
    for meaning, entry in zip(preview.meaning, preview.entries, strict=True):
        line = pack_lines(Pack(pack.id, pack.language, pack.title, (entry,)))[1]
        out(f"{meaning}\n  {line}\n")
    old_figures, new_figures = try_pack(pack, knowledge)
    _say_figures(out, pack, old_figures, new_figures)
    if options.preview:
        out("Nothing was kept (--preview).\n")
        return DONE
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".part")
    fresh.write_text("\n".join(pack_lines(pack)) + "\n", encoding="utf-8")
    fresh.replace(path)
    out(f"Kept in {path}; a running Antinomy uses it at the next review.\n")
    return DONE


def merged(old: Sequence[Entry], new: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries of a pack with new ones: names are added to a concept that is there, any other replaces its like."""
    found = {(type(entry), entry.id): entry for entry in old}
    for entry in new:
        before = found.get((type(entry), entry.id))
        if isinstance(entry, Concept) and isinstance(before, Concept):
            labels = tuple(dict.fromkeys((*before.labels, *entry.labels)))
            found[type(entry), entry.id] = Concept(entry.id, before.field, labels)
        else:
            found[type(entry), entry.id] = entry
    return tuple(found.values())


def _check(options: argparse.Namespace, out: Write) -> int:
    shelf = KnowledgeShelf()
    for pack_id in options.off:
        shelf.switch(pack_id, on=False)
    for pack_id in options.on:
        shelf.switch(pack_id, on=True)
    knowledge = shelf.current()
    for problem in shelf.problems:
        out(problem + "\n")
    packs = [read_pack(path) for path in options.packs] or list(knowledge.packs)
    for pack in packs:
        out(
            f"{pack.id} ({pack.language}): {len(pack.concepts)} concepts, {len(pack.exclusives)} exclusive, "
            f"{len(pack.precedence)} precedence, {len(pack.limits) + len(pack.voids)} of the law\n"
        )
        encoder = load_encoder(pack.language) if options.states else None
        _say_figures(out, pack, *try_pack(pack, knowledge, encoder))
    off = shelf.switched_off()
    if off:
        out(f"Switched off: {', '.join(sorted(off))}\n")
    return REFUSED if shelf.problems else DONE


def _say_figures(out: Write, pack: Pack, old: Figures, new: Figures) -> None:
    for name, meaning in (
        ("exclusions", "pairs that cannot both hold (F1)"),
        ("law", "within or beyond the law"),
        ("names", "other names told from other parties"),
        ("names_by_states", "the same by the encoder's states"),
    ):
        before, after = getattr(old, name), getattr(new, name)
        if after is not None:
            out(f"  {meaning}: {before:.2f} without {pack.id}, {after:.2f} with it\n")


def _drift(options: argparse.Namespace, out: Write) -> int:
    from engine.states.adaptation import anchor_drift_score, fit_deltas, save_deltas
    from engine.states.knowledge_trial import figures

    shipped = [pack for pack in shipped_packs() if options.language in (None, pack.language)]
    for pack in [read_pack(options.pack)] if options.pack else shipped:
        encoder = _exact(pack.language)
        fitted = fit_deltas(encoder, pack)
        adapted = encoder.with_deltas(fitted.deltas, pack.id)
        texts = [case["first"] for case in development_set(pack.language) if case["kind"] == "pair"]
        drift = anchor_drift_score(encoder, adapted, texts)
        knowledge = Knowledge([pack])
        old, new = figures(knowledge, pack.language, encoder), figures(knowledge, pack.language, adapted)
        losses = f"{fitted.loss_before:.3f} → {fitted.loss_after:.3f}"
        out(f"{pack.id}: contrast loss {losses}, anchor_drift_score {drift:.4f}\n")
        out(f"  names told apart by the states: {old.names_by_states:.3f} → {new.names_by_states:.3f}\n")
        fell = new.worse_than(old)
        if fell:
            raise PackRefused(f"the deltas of {pack.id} make the development figures worse: {'; '.join(fell)}")
        if options.save:
            save_deltas(options.save, fitted.deltas, encoder.name)
            out(f"  kept in {options.save}\n")
    return DONE


def _exact(language: str) -> BertEncoder:
    """The encoder in float32: gradients need its precision.

    Raises:
        EncoderError: the language's weights are not installed.
    """
    from engine.states.e5 import load_e5
    from engine.states.encoder import english_folder, load_folder

    encoder: Encoder | None
    if language == "zh":
        encoder = load_e5(precision="float32", device="cpu")
    else:
        encoder = load_folder(english_folder(), precision="float32", device="cpu")
    if not isinstance(encoder, BertEncoder):
        raise EncoderError("the multilingual encoder's weights are not installed, so nothing can be fitted to it")
    return encoder

