"""A process that labels is killed at random moments: whatever it called saved is there."""

from __future__ import annotations

import random
import select
import subprocess
import sys
from pathlib import Path

from engine.matter import Annotator, Matter
from engine.matter.check import check

CHILD = Path(__file__).with_name("labelling_child.py")
KILLS = 40


def kill_once(path: Path, document: str, lines_before: int, wait_s: float) -> list[str]:
    """Start the child, let it say some lines, wait a moment more, kill -9; every whole line it said."""
    child = subprocess.Popen([sys.executable, str(CHILD), str(path), document], stdout=subprocess.PIPE)
    assert child.stdout is not None
    said = b""
    while said.count(b"\n") < lines_before:
        piece = child.stdout.read1(65536)
        assert piece, f"the child ended by itself after {said!r}"
        said += piece
    # Not a sleep: readable output is drained as it comes, until a moment passes without any.
    if select.select([child.stdout], [], [], wait_s)[0]:
        said += child.stdout.read1(65536)
    child.kill()
    said += child.stdout.read()
    child.stdout.close()
    child.wait()
    return said.decode().split("\n")[:-1]


def check_promises(path: Path, said: list[tuple[str, str]]) -> None:
    """Everything that was said to be saved is in the matter, and the file holds together."""
    last = {link: what for what, link in said}
    edited = {link for what, link in said if what == "edited"}
    with Matter.open(path) as matter:
        assert not matter.read_only
        links = {link.id: link for link in matter.links()}
        # What was said last before a kill may have been followed by one more step, unsaid.
        for link, what in last.items():
            assert link in links or what in ("deleting", "deleted")
            assert what != "deleted" or link not in links or matter.events(link=link)[-1].step.value == "undo"
        assert all(links[link].note == "edited" for link in edited & links.keys())
        # The child's made-up offsets are no part of what is checked here.
        assert [p for p in check(matter) if "does not stand where" not in p] == []


def test_what_was_called_saved_survives_kill_9(matter, english):
    matter.use_annotator(Annotator("a-one", "Ada"))
    matter.close()
    dice = random.Random(20)
    said: list[tuple[str, str]] = []
    for _ in range(KILLS):
        for line in kill_once(matter.path, english.id, dice.randint(1, 12), dice.random() * 0.002):
            what, link = line.split()
            said.append((what, link))
        check_promises(matter.path, said)
    assert len({link for _, link in said}) > KILLS
