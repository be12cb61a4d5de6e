"""Labels in a loop and says each id that is saved; run as a program by the kill test and its script.

python labelling_child.py MATTER DOCUMENT_ID
"""

from __future__ import annotations

import os
import sys

import msgspec

from engine.matter import LinkEnd, Matter


def main() -> None:
    """Add, edit, delete, undo, decide, for ever; one line of output per thing saved."""
    matter = Matter.open(sys.argv[1])
    if matter.read_only:
        raise SystemExit(matter.notice)
    document = sys.argv[2]
    ends = (LinkEnd(document, "c0", "1", "30 days", 0, 7), LinkEnd(document, "c1", "2", "45 days", 8, 15))
    number = 0
    while True:
        link = matter.add_link(ends, "value.period", note=f"note {number} " * 20)
        say(f"link {link}")
        if number % 3 == 1:
            matter.edit_link(msgspec.structs.replace(matter.link(link), note="edited"))
            say(f"edited {link}")
        if number % 5 == 4:
            say(f"deleting {link}")
            matter.delete_link(link)
            say(f"deleted {link}")
            matter.undo()
            say(f"restored {link}")
        number += 1


def say(line: str) -> None:
    """One line, at once and in one piece."""
    os.write(1, (line + "\n").encode())


if __name__ == "__main__":
    main()
