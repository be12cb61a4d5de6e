"""Make resources/learning/replay.msgpack: the two sample contracts with their known conflicts and look-alikes.

    python tests/accuracy/make_replay.py

Run it again when a sample or its list of known conflicts changes (tests/learning says when it must).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure_conflicts import read_document, say

from engine.document import pack
from engine.learning.replay import FILE, ReplayContract
from engine.protocol.learning import PairLabel, Place
from resources import resource_path


def main() -> int:
    """Write the file."""
    folder = resource_path("samples")
    made, sources = [], set()
    for entry in map(json.loads, (folder / "known.jsonl").read_text("utf-8").splitlines()):
        if entry["source"] in sources:
            continue
        sources.add(entry["source"])
        document = read_document(folder / entry["source"])
        labels = []
        for item in (*entry["conflicts"], *entry["traps"]):
            starts = [document.text.find(passage) for passage in item["passages"]]
            if len(starts) < 2 or min(starts) < 0:
                continue
            ends = tuple(
                Place(document.id, at, at + len(words)) for at, words in zip(starts, item["passages"], strict=True)
            )
            labels.append(PairLabel(ends, "kind" in item, item.get("kind") or item["why"]))
        made.append(ReplayContract(pack(document.without_boxes()), tuple(labels)))
        say(entry["source"], len(labels), "labels")
    target = resource_path("learning") / FILE
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(msgspec.msgpack.encode(made))
    say(target.name, target.stat().st_size, "bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
