"""Findings that rest on words which were recognised in a picture and may be wrong say so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine.document import Document, UncertainWord
from engine.protocol.findings import Finding, Passage, PathStep

#: The step of the path that says it.
STATE = "recognised"
#: So many words are quoted, the others counted.
_MOST_QUOTED = 4


def with_doubts(documents: Sequence[Document], findings: Iterable[Finding]) -> list[Finding]:
    """The findings, those whose passages hold uncertain words with a step more that names them.

    Words in the values that clash are named alone when there are any: a doubt there is a doubt of the finding.
    """
    uncertain = {document.id: document for document in documents if document.uncertain}
    if not uncertain:
        return list(findings)
    return [_with_doubt(uncertain, finding) for finding in findings]


def _with_doubt(documents: dict[str, Document], finding: Finding) -> Finding:
    in_values: list[str] = []
    elsewhere: list[str] = []
    chinese = False
    for passage in finding.passages:
        document = documents.get(passage.document)
        if document is None:
            continue
        for word in _words(document, passage):
            clashes = any(mark.start < word.end and word.start < mark.end for mark in passage.anchors)
            (in_values if clashes else elsewhere).append(document.quote(word.start, word.end))
            chinese = chinese or document.language == "zh"
    quoted = list(dict.fromkeys(in_values or elsewhere))
    if not quoted:
        return finding
    step = PathStep(STATE, _sentence(quoted, bool(in_values), chinese))
    return msgspec.structs.replace(finding, path=(*finding.path, step))


def _words(document: Document, passage: Passage) -> list[UncertainWord]:
    return [word for word in document.uncertain if passage.start < word.end and word.start < passage.end]


def _sentence(quoted: Sequence[str], in_values: bool, chinese: bool) -> str:
    shown, rest = quoted[:_MOST_QUOTED], len(quoted) - _MOST_QUOTED
    if chinese:
        words = "、".join(f"“{word}”" for word in shown) + (f"等{len(quoted)}处" if rest > 0 else "")
        what = "相互冲突的内容" if in_values else "所依据的文字"
        return f"{what}由图片识别，{words}可能有误，请与页面核对。"
    words = ", ".join(f"“{word}”" for word in shown) + (f" and {rest} more" if rest > 0 else "")
    verb = "was" if len(quoted) == 1 else "were"
    what = "in what clashes, " if in_values else ""
    return f"Read from a picture: {what}{words} {verb} recognised with low confidence; compare with the page."
