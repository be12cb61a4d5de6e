"""The ZIP package of a Word file, opened as what it is: untrusted.

Nothing outside the bytes is ever opened: external relationships are only noted. Entities and document
types are refused, sizes are limited before and while unpacking.
Source: ECMA-376 part 2 (packages), part 1 section 11.
"""

from __future__ import annotations

import dataclasses
import io
import posixpath
import re
import zipfile
import zlib
from typing import Any

from lxml import etree

from engine.protocol.messages import FaultCode
from engine.reading.docx.names import RELATIONSHIP_TYPES, STRICT_NAMESPACES
from engine.reading.errors import ReadingError

MAX_MEMBERS = 20_000
#: One XML part, and all parts that are read, unpacked.
MAX_PART_BYTES = 64 << 20
MAX_TOTAL_BYTES = 160 << 20
#: A part that unpacks to more than this many times its packed size, and to more than ``RATIO_FREE_BYTES``.
MAX_RATIO = 200
RATIO_FREE_BYTES = 8 << 20
#: Elements of one part; each costs some hundred bytes of memory.
MAX_ELEMENTS = 4_000_000
#: XML nested deeper than this is refused by the parser itself (libxml2 without ``huge_tree``).
OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_DOCTYPE = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)


class UnreadablePart(Exception):
    """A part of the package is missing, damaged or not allowed; the message says which and why."""


@dataclasses.dataclass(frozen=True, slots=True)
class Relationship:
    """A link from one part to another; ``target`` is a part's name, or an address when ``external``."""

    id: str
    type: str
    target: str
    external: bool


class Package:
    """An opened Word package.

    Raises:
        ReadingError: the bytes are not a Word file, are cut off, encrypted, or unpack to too much.
    """

    def __init__(self, data: bytes) -> None:
        _refuse_foreign(data)
        self._left = MAX_TOTAL_BYTES
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
            raise ReadingError(
                FaultCode.UNREADABLE_FILE,
                "This Word file is cut off or damaged: its archive cannot be opened. Ask for it again, or open"
                " and save it in Word.",
            ) from error
        members = self._zip.infolist()
        if len(members) > MAX_MEMBERS:
            words = "This file has {parts} parts inside, far more than a contract."
            raise ReadingError(FaultCode.TOO_LARGE, words, parts=f"{len(members):,}")
        self._members = {m.filename.replace("\\", "/").lstrip("/").lower(): m for m in members}
        self.external: list[str] = []
        self.document_name = self._find_document()

    def has(self, name: str) -> bool:
        """Whether the package has a part of that name."""
        return name.lower() in self._members

    def read(self, name: str, most: int | None = None) -> bytes:
        """The bytes of a part; ``most`` is a limit of its own, past which it counts as unreadable.

        Raises:
            UnreadablePart: it is missing or damaged, or larger than ``most``.
            ReadingError: it unpacks to too much.
        """
        member = self._members.get(name.lower())
        if member is None:
            raise UnreadablePart(f"{name} is missing")
        if member.flag_bits & 1:
            raise UnreadablePart(f"{name} is encrypted")
        if most is not None and member.file_size > most:
            raise UnreadablePart(f"{name} is too large")
        limit = min(MAX_PART_BYTES, self._left, max(RATIO_FREE_BYTES, MAX_RATIO * member.compress_size))
        try:
            with self._zip.open(member) as stream:
                data = stream.read(limit + 1)
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            ValueError,
            OSError,
            EOFError,
            RuntimeError,
            zlib.error,
        ) as error:
            raise UnreadablePart(f"{name} is damaged") from error
        if len(data) > limit:
            raise ReadingError(
                FaultCode.TOO_LARGE,
                "This file unpacks to far more than a contract has; it may be made to overload programs and was not"
                " opened.",
            )
        self._left -= len(data)
        return data

    def xml(self, name: str) -> Any:
        """The root element of an XML part (transitional namespaces).

        Raises:
            UnreadablePart: it is missing, damaged, or carries a document type.
            ReadingError: it unpacks to too much.
        """
        return parse(self.read(name), name)

    def relationships(self, name: str) -> dict[str, Relationship]:
        """The relationships of a part, by id; empty when it has none or they are damaged."""
        folder, base = posixpath.split(name)
        part = posixpath.join(folder, "_rels", base + ".rels")
        if not self.has(part):
            return {}
        try:
            root = self.xml(part)
        except UnreadablePart:
            return {}
        found = {}
        for item in root.iterchildren("{*}Relationship"):
            target = item.get("Target", "")
            external = item.get("TargetMode") == "External"
            kind = item.get("Type", "").rsplit("/", 1)[-1]
            if external:
                # An ordinary link in the text is no surprise; content that lies elsewhere is.
                if kind != "hyperlink":
                    self.external.append(target)
            elif target.startswith("/"):
                target = target.lstrip("/")
            else:
                target = posixpath.normpath(posixpath.join(folder, target))
            found[item.get("Id", "")] = Relationship(item.get("Id", ""), kind, target, external)
        return found

    def close(self) -> None:
        """Free the archive."""
        self._zip.close()

    def _find_document(self) -> str:
        for relation in self.relationships("").values():
            if relation.type == RELATIONSHIP_TYPES["document"] and not relation.external and self.has(relation.target):
                if not relation.target.lower().startswith(("xl/", "ppt/")):
                    return relation.target
                break
        if self.has("word/document.xml"):
            return "word/document.xml"
        raise ReadingError(FaultCode.WRONG_FORMAT, _what_else(self))


def parse(data: bytes, name: str) -> Any:
    """XML bytes to an element; no entities, no document types, no network, bounded depth and size.

    Raises:
        UnreadablePart: not well-formed, too deep, or with a document type.
        ReadingError: it has too many elements.
    """
    if data.count(b"<") > 2 * MAX_ELEMENTS:
        raise ReadingError(FaultCode.TOO_LARGE, "This file has far more parts than a contract. Split it.")
    if _has_doctype(data):
        raise UnreadablePart(f"{name} declares a document type, which Word files never do")
    for strict, transitional in STRICT_NAMESPACES:
        if strict in data:
            data = data.replace(strict, transitional)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise UnreadablePart(f"{name} is not well-formed XML") from error
    if root is None or root.getroottree().docinfo.doctype:
        raise UnreadablePart(f"{name} declares a document type, which Word files never do")
    return root


def _has_doctype(data: bytes) -> bool:
    head = data[:65536]
    if b"\0" in head[:4] or head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.replace(b"\0", b"")
    return _DOCTYPE.search(head) is not None


def _refuse_foreign(data: bytes) -> None:
    """Say what a file is that is no ZIP at all."""
    if not data:
        raise ReadingError(FaultCode.EMPTY_FILE, "This file is empty.")
    if data[:8] == OLE_MAGIC:
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise ReadingError(
                FaultCode.UNSUPPORTED_FORMAT,
                "This Word file is protected by a password. Open it in Word, remove the password, and save it again.",
            )
        raise ReadingError(
            FaultCode.UNSUPPORTED_FORMAT,
            "This is a Word file of the old format (.doc). Open it in Word or LibreOffice and save it as .docx.",
        )
    if data[:4] not in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"):
        raise ReadingError(FaultCode.WRONG_FORMAT, "This is not a Word file, whatever its name says.")


def _what_else(package: Package) -> str:
    if package.has("xl/workbook.xml"):
        return "This is an Excel workbook, not a Word file."
    if package.has("ppt/presentation.xml"):
        return "This is a PowerPoint presentation, not a Word file."
    if package.has("content.xml"):
        return "This is an OpenDocument file. Open it in LibreOffice or Word and save it as .docx."
    return "This is an archive (ZIP), not a Word file."
