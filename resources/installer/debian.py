"""Make a Debian package (Debian 12, Ubuntu 22.04 and their kin) of the frozen program.

    python -m resources.installer.debian dist/antinomy OUT_FOLDER

All lies in ``/opt/antinomy``; ``/usr/bin/antinomy`` starts it. Menu entry, icon and the type of matter files are
registered by the system's own triggers, so the package runs no script of its own. Removing it leaves a person's matters
alone: they are in her home. ``dpkg-deb`` writes the archive.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import engine
from resources import resource_path
from resources.installer.third_party import third_party_text

#: What Qt and the engine take from the system; as in tests/system_packages.sh, and what its xcb plugin opens.
DEPENDS = (
    "libc6", "libegl1", "libgl1", "libxkbcommon0", "libxkbcommon-x11-0", "libdbus-1-3", "libfontconfig1",
    "libglib2.0-0 | libglib2.0-0t64", "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1",
    "libxcb-randr0", "libxcb-render-util0", "libxcb-shape0", "libxcb-xkb1",
)  # fmt: skip
SUGGESTS = ("libreoffice-writer", "tesseract-ocr", "tesseract-ocr-chi-sim")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CONTROL = """\
Package: antinomy
Version: {version}
Architecture: {architecture}
Maintainer: The Antinomy authors <antinomy@localhost>
Installed-Size: {size_kib}
Depends: {depends}
Suggests: {suggests}
Section: text
Priority: optional
Description: finds where contracts contradict themselves
 Antinomy reads contracts (PDF, DOCX, text; English and Chinese), shows the passages
 that cannot both hold side by side with the reason, and keeps what you decide.
 It works offline: a contract never leaves the machine.
"""


def stage(program: Path, root: Path, third_party: str) -> None:
    """Lay the package's files out below ``root``, which must not be there yet.

    Files of the program are linked, not copied, where the file system allows it.
    """
    places = {
        "antinomy.desktop": "usr/share/applications/antinomy.desktop",
        "antinomy-matter.xml": "usr/share/mime/packages/antinomy.xml",
    }
    for name, place in places.items():
        _put(resource_path("installer", name), root / place)
    _put(resource_path("icons", "antinomy.svg"), root / "usr/share/icons/hicolor/scalable/apps/antinomy.svg")
    licence = Path(__file__).resolve().parents[2] / "LICENSE"
    _put(licence, root / "usr/share/doc/antinomy/copyright")
    (root / "usr/share/doc/antinomy/third-party.txt").write_text(third_party, encoding="utf-8")
    shutil.copytree(program, root / "opt/antinomy", symlinks=True, copy_function=_link_or_copy)
    start = root / "usr/bin/antinomy"
    start.parent.mkdir(parents=True)
    start.symlink_to("/opt/antinomy/antinomy")
    for folder in (root, *(each for each in root.rglob("*") if each.is_dir() and not each.is_symlink())):
        folder.chmod(0o755)
    control = root / "DEBIAN/control"
    control.parent.mkdir()
    control.write_text(control_text(_size_kib(root)), encoding="utf-8")


def control_text(size_kib: int) -> str:
    """The package's control file."""
    return CONTROL.format(
        version=engine.APP_VERSION, architecture=architecture(), size_kib=size_kib,
        depends=", ".join(DEPENDS), suggests=", ".join(SUGGESTS),
    )  # fmt: skip


def architecture() -> str:
    """Debian's name of this machine's architecture."""
    return ARCHITECTURES.get(platform.machine(), platform.machine())


def build(program: Path, out: Path) -> Path:
    """Make the package in ``out``; its path. Raises CalledProcessError when dpkg-deb refuses."""
    root = out / "antinomy-package"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    try:
        stage(program, root, third_party_text())
        package = out / f"antinomy_{engine.APP_VERSION}_{architecture()}.deb"
        # xz at its quickest: the best setting takes twenty minutes and wins a tenth.
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", str(root), str(package)]
        subprocess.run(command, check=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return package


def _put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o644)


def _link_or_copy(source: str, target: str) -> None:
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def _size_kib(root: Path) -> int:
    return sum(each.lstat().st_size for each in root.rglob("*") if not each.is_dir()) // 1024


def main() -> int:
    """Make the package of the folder that the first argument names, in the folder that the second names."""
    if len(sys.argv) != 3 or not Path(sys.argv[1]).is_dir():
        sys.stderr.write("Say where the frozen program is and where the package goes; `make bundle` makes the first.\n")
        return 2
    if shutil.which("dpkg-deb") is None:
        sys.stderr.write("dpkg-deb is not here: make this package on Debian, Ubuntu or one of their kin.\n")
        return 2
    package = build(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.stdout.write(f"{package} ({package.stat().st_size / 1e6:.0f} MB)\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
