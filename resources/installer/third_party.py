"""What the package carries of others: a list with versions and licences, made from the installed metadata.

    python -m resources.installer.third_party OUT.txt

The list follows the requirements of the program itself, not those of its tests or its build. Licence texts that the
distributions ship are copied after the list.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

#: Installed beside the requirements, for the models alone.
ALSO_CARRIED = ("rapidocr",)
#: Required for training and as the reference in tests; the frozen program leaves them out (``pyinstaller.spec``).
LEFT_OUT = frozenset({"sentence-transformers", "transformers", "scikit-learn", "scipy", "triton"})
LICENCE_FILES = ("licen", "copying", "notice")
PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def carried() -> list[metadata.Distribution]:
    """The installed distributions that the program needs, by name."""
    # From the project's own file: an editable installation's metadata may be older than it.
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    found: dict[str, metadata.Distribution] = {}
    waiting = [*_names(project["dependencies"]), *_names(project["optional-dependencies"]["write"]), *ALSO_CARRIED]
    while waiting:
        each = canonicalize_name(waiting.pop())
        if each in found or each in LEFT_OUT:
            continue
        try:
            distribution = metadata.distribution(each)
        except metadata.PackageNotFoundError:
            continue  # for another system, or an option that is not installed
        found[each] = distribution
        # What rapidocr's own code requires is not carried: only its models are.
        if each not in ALSO_CARRIED:
            waiting += _names(distribution.requires or ())
    return [found[each] for each in sorted(found)]


def _names(lines: Iterable[str]) -> list[str]:
    requirements = [Requirement(line) for line in lines]
    return [each.name for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})]


def licence_of(distribution: metadata.Distribution) -> str:
    """The licence that a distribution names: an SPDX expression, its classifiers, or the first line of its text."""
    facts = distribution.metadata
    expression = " ".join(facts.get_all("License-Expression") or ())
    classifiers = facts.get_all("Classifier") or ()
    classes = [line.rsplit(" :: ", 1)[-1] for line in classifiers if line.startswith("License ::")]
    text = "\n".join(facts.get_all("License") or ()).strip()
    first_line = text.splitlines()[0] if text else "see its texts below"
    return expression or ", ".join(classes) or first_line


def licence_texts(distribution: metadata.Distribution) -> list[str]:
    """The texts of the licence files that a distribution ships."""
    texts = []
    for file in distribution.files or ():
        stands_in_metadata = ".dist-info" in file.parts[0]
        if stands_in_metadata and any(word in file.name.lower() for word in LICENCE_FILES):
            path = Path(str(file.locate()))
            if path.is_file():
                texts.append(path.read_text(encoding="utf-8", errors="replace").strip())
    return texts


def third_party_text() -> str:
    """The whole file: the list, then each distribution's licence texts."""
    distributions = carried()
    lines = ["Antinomy is licensed under AGPL-3.0-or-later and carries the following, each under its own licence.", ""]
    lines += [f"{each.name} {each.version}: {licence_of(each)}" for each in distributions]
    parts = ["\n".join(lines)]
    for each in distributions:
        texts = licence_texts(each)
        if texts:
            parts.append("\n\n".join([f"{'=' * 100}\n{each.name} {each.version}\n{'=' * 100}", *texts]))
    return "\n\n\n".join(parts) + "\n"


def main() -> int:
    """Write the list to the file that the first argument names."""
    Path(sys.argv[1]).write_text(third_party_text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
