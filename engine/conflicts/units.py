"""What is compared: the sentences and items of the documents, equal ones merged, each taken apart once."""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

from engine.anchors.model import Anchor, AnchorKind
from engine.anchors.options import options
from engine.conflicts.norms import Modality, Norm, is_chinese, parse_norm
from engine.conflicts.notes import is_note, silent_spans
from engine.conflicts.precedence import is_superseded, superseded_spans
from engine.conflicts.scope import INTRODUCES, is_case
from engine.conflicts.words import Token, features, tokenize
from engine.document import Clause, ClauseKind, Document, Sentence
from engine.states.encoder import never

#: Kinds of clauses whose sentences bind nobody.
SILENT = frozenset((ClauseKind.CONTENTS, ClauseKind.TITLE))

#: A sentence with fewer content words than this ("Quality.") says nothing that could be contradicted.
FEWEST_CONTENT_WORDS = 3

#: Sentences taken apart between two questions whether to stop.
CHUNK = 128

#: The values that are compared as values.
VALUE_KINDS = frozenset(
    (AnchorKind.AMOUNT, AnchorKind.PERCENT, AnchorKind.QUANTITY, AnchorKind.PERIOD, AnchorKind.DATE, AnchorKind.RATE)
)

#: A line of terms: "Deposit: USD 22,900." says enough in two words.
STATED = re.compile(r"\W*(?:[^\W\d][^:：.。]{1,40})[:：]\s*\S")

#: A clause number or list mark at a sentence's beginning.
LABEL = re.compile(
    r"^\s*(?:(?:[#*•\-–]{1,6}\s+)|(?:\(?[a-zA-Z0-9]{1,4}[.)]\s*)|(?:\d+(?:\.\d+)+\.?\s+)|(?:(?:Section|Article|Clause)\s+[\dIVX.]+[.:]?\s+)|"
    r"第[一二三四五六七八九十百零\d]+[条款章节][、：:\s]*|[（(][一二三四五六七八九十\d]+[)）][、\s]*|[一二三四五六七八九十]+、)+"
)


#: What shows that a sentence has a signature block, a form's lines or a page's foot before its own words.
GLUED = re.compile(
    r"/s/|\b(?:By|Its|Name|Title|Date|Attest|Witness|Phone|Fax|Tel)\s?:|_{3,}|\*{3,}|\bPage \d+|"
    r"\b(?:Attachment|Exhibit|Contract|Amendment|Order|Bulletin) No[.:]|\[SIGNATURE|\(Title\)|\b\d+ of \d+ Pages\b",
    re.IGNORECASE,
)

#: A heading in capitals, or a page's number, that runs on into a sentence.
RUN_ON = re.compile(r"(?:(?:[A-Z][A-Z'’&/,\-]+\s+){2,12}|\d{1,3}\s+)(?=(?:[A-Z][a-z]|[A-Z]\s+[a-z]))")

#: "X" means …; “X”是指…
DEFINITION = re.compile(
    r"\W*(?:the term )?[\"“]([^\"”]{2,60})[\"”]\s*(?:\([^)]*\)\s*)?(?:shall\s+|will\s+)?"
    r"(?:mean|has|have|refer|include|is defined|are defined|是指|指|系指|即)",
    re.IGNORECASE,
)

#: A definition that only says where the definition stands.
POINTER = re.compile(
    r"(?:has|have) the (?:respective )?meanings? (?:set forth|given|ascribed|assigned|specified|provided|as)|"
    r"定义见|含义见"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands: which document, its span there, its clause (None between clauses)."""

    document: int
    start: int
    end: int
    clause: Clause | None


@dataclasses.dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, or several equal ones, taken apart.

    ``anchors`` have spans relative to ``text``; ``order`` is the place in reading order over all documents.
    A list item without a modal of its own takes that of the sentence that introduces it ("The Seller shall:"), which
    ``lead`` and ``lead_tokens`` then hold. ``defines`` is the term that a definition defines, else empty.
    ``unchosen``: it is an alternative of a form that nobody has ticked, at each of its places. ``introduces``: it only
    introduces a list. ``lead_at``: where the sentence that introduces it stands (document, sentence), else -1, -1;
    ``case``: it is a case in a list of cases and no rule of its own. ``note``: it speaks to the drafter or is
    quoted as taken out, at each place.
    """

    order: int
    text: str
    places: tuple[Place, ...]
    tokens: tuple[Token, ...]
    features: tuple[str, ...]
    norm: Norm
    anchors: tuple[Anchor, ...]
    chinese: bool
    recital: bool
    lead: Norm | None = None
    lead_tokens: tuple[Token, ...] = ()
    defines: str = ""
    unchosen: bool = False
    introduces: bool = False
    lead_at: tuple[int, int] = (-1, -1)
    case: bool = False
    note: bool = False

    @property
    def first(self) -> Place:
        """The first place where it stands."""
        return self.places[0]

    def values(self, kind: AnchorKind) -> tuple[Anchor, ...]:
        """Its anchors of one kind."""
        return tuple(anchor for anchor in self.anchors if anchor.kind is kind)

    def masked(self) -> str:
        """The text with each value replaced by its kind: what it speaks of, without how much."""
        parts: list[str] = []
        last = 0
        for anchor in sorted(self.anchors, key=lambda a: (a.start, -a.end)):
            if anchor.kind in VALUE_KINDS and anchor.start >= last:
                parts += [self.text[last : anchor.start], f"({anchor.kind.value})"]
                last = anchor.end
        return "".join(parts) + self.text[last:]


def _relative(anchors: Sequence[Anchor], start: int, end: int) -> tuple[Anchor, ...]:
    return tuple(
        Anchor(a.kind, a.value, a.start - start, a.end - start, a.confidence, a.role, a.bound, a.detail)
        for a in anchors
        if start <= a.start and a.end <= end
    )


def _subject_start(text: str, cue: int) -> int:
    """Where the subject before a modal begins: backwards over words until a capital stands after no small word."""
    words = list(re.finditer(r"\S+", text[:cue]))
    for i in range(len(words) - 1, -1, -1):
        word = words[i].group()
        before = words[i - 1].group() if i else ""
        small = bool(before) and before[0].islower() and before[-1] not in ".:;"
        if word[0].isupper() and not small and not before.endswith(","):
            # "Apple Computer shall": capitals side by side are one name, unless a number or mark stands between.
            return words[i].start()
    return 0


def own_words(text: str) -> int:
    """Where a sentence's own words begin, in code points: after a signature block, a heading or a page's foot.

    A contract's last lines and headings often have no full stop, and the next sentence runs on from them.
    """
    run_on = RUN_ON.match(text)
    start = run_on.end() if run_on else 0
    marks = list(GLUED.finditer(text, start))
    if not marks or is_chinese(text):
        return start
    norm = parse_norm(text[marks[-1].end() :])
    if norm.cue == (0, 0):
        return start
    cue = marks[-1].end() + norm.cue[0]
    begin = _subject_start(text, cue)
    before = re.findall(r"[^\W\d_]{2,}", text[:begin])
    prose = sum(word.islower() for word in before) > 0.35 * len(before)
    return begin if begin >= marks[-1].end() and not prose else start


def _in_recital(document: Document, clause: Clause | None) -> bool:
    if clause is None:
        return False
    return clause.kind is ClauseKind.RECITAL or any(
        parent.kind is ClauseKind.RECITAL for parent in document.ancestors(clause)
    )


def _lead_in(document: Document, sentence: Sentence) -> str:
    """The sentence that introduces an item, else empty."""
    if sentence.lead_in < 0:
        return ""
    opening = document.sentences[sentence.lead_in]
    return document.text[opening.start : opening.end]


def _unit(order: int, document: Document, sentence: Sentence, places: list[Place], anchors: Sequence[Anchor]) -> Unit:
    own_start = places[0].start
    text = document.text[own_start : sentence.end]
    label = LABEL.match(text)
    shift = label.end() if label else 0
    tokens = tuple(t._replace(start=t.start + shift, end=t.end + shift) for t in tokenize(text[shift:]))
    norm = parse_norm(text, shift)
    definition = DEFINITION.match(text, shift)
    if definition:
        # "X" shall mean … binds nobody, and its "shall" is no duty.
        norm = norm._replace(modality=Modality.STATEMENT, cue=(0, 0), bearer=(shift, shift), act=(shift, len(text)))
    lead: Norm | None = None
    lead_tokens: tuple[Token, ...] = ()
    introduced_by = _lead_in(document, sentence)
    states = norm.modality in (Modality.STATEMENT, Modality.NOT)
    if sentence.lead_in >= 0 and norm.modality is Modality.STATEMENT and not definition:
        introduced = parse_norm(introduced_by)
        if introduced.modality is not Modality.STATEMENT:
            lead, lead_tokens = introduced, tokenize(introduced_by)
            norm = norm._replace(modality=introduced.modality)
    return Unit(
        order=order,
        text=text,
        places=tuple(places),
        tokens=tokens,
        features=features(tokens),
        norm=norm,
        anchors=_relative(anchors, own_start, sentence.end),
        chinese=is_chinese(text),
        recital=_in_recital(document, places[0].clause),
        lead=lead,
        lead_tokens=lead_tokens,
        defines=definition.group(1) if definition else "",
        introduces=INTRODUCES.search(text) is not None,
        lead_at=(places[0].document, sentence.lead_in) if sentence.lead_in >= 0 else (-1, -1),
        case=sentence.lead_in >= 0 and is_case(text, introduced_by, states=states),
    )


def _unchosen_spans(document: Document) -> list[tuple[int, int]]:
    """Where a form's alternatives stand that nobody has ticked; a sentence that holds a ticked one holds by that."""
    found = options(document)
    ticked = [option.start for option in found if option.ticked]
    spans = []
    for option in found:
        sentence = document.sentence_at(option.start)
        low, high = (sentence.start, sentence.end) if sentence else (option.start, option.end)
        if not option.ticked and bisect_left(ticked, low) == bisect_left(ticked, high):
            spans.append((option.start, option.end))
    return spans


def _unchosen(places: Sequence[Place], spans: Sequence[Sequence[tuple[int, int]]]) -> bool:
    """Whether each place touches one of its document's ``spans``, which are sorted and do not overlap."""
    for place in places:
        own = spans[place.document]
        at = bisect_left(own, (place.end, 0)) - 1
        if at < 0 or own[at][1] <= place.start:
            return False
    return True


def _binds(unit: Unit) -> bool:
    """Whether a unit says enough to be contradicted; under the signatures only what binds somebody does."""
    fewest = 2 * FEWEST_CONTENT_WORDS if unit.chinese else FEWEST_CONTENT_WORDS
    said = len(set(unit.features)) >= fewest and len(unit.tokens) >= 4
    if not said and not (STATED.match(unit.text) and any(a.kind in VALUE_KINDS for a in unit.anchors)):
        return False
    if unit.defines and POINTER.search(unit.text):
        return False
    clause = unit.first.clause
    signature = clause is not None and clause.kind is ClauseKind.SIGNATURE
    return not signature or unit.norm.modality is not Modality.STATEMENT


def build_units(
    documents: Sequence[Document], anchors: Mapping[str, Sequence[Anchor]], cancelled: Callable[[], bool] = never
) -> list[Unit]:
    """The units of the documents, in reading order; equal sentences (words, not spacing) are one unit.

    Args:
        anchors: by document id, in reading order.
        cancelled: asked now and then; when it answers True there are no units.
    """
    places: dict[str, list[Place]] = {}
    first: dict[str, tuple[Document, Sentence, list[Anchor]]] = {}
    alternatives = [_unchosen_spans(document) for document in documents]
    notes = [silent_spans(document) for document in documents]
    superseded = superseded_spans(documents) if len(documents) > 1 else [[] for _ in documents]
    for d, document in enumerate(documents):
        own = sorted(anchors.get(document.id, ()), key=lambda a: a.start)
        cursor = 0
        for i, sentence in enumerate(document.sentences):
            if i % CHUNK == 0 and cancelled():
                return []
            clause = document.clause_by_id.get(sentence.clause)
            if (clause is not None and clause.kind in SILENT) or is_superseded(superseded[d], sentence.start):
                continue
            own_start = sentence.start + own_words(document.text[sentence.start : sentence.end])
            text = document.text[own_start : sentence.end]
            label = LABEL.match(text)
            key = " ".join(token.lower for token in tokenize(text[label.end() :] if label else text))
            while cursor < len(own) and own[cursor].start < sentence.start:
                cursor += 1
            stop = cursor
            while stop < len(own) and own[stop].start < sentence.end:
                stop += 1
            places.setdefault(key, []).append(Place(d, own_start, sentence.end, clause))
            first.setdefault(key, (document, sentence, own[cursor:stop]))
    units: list[Unit] = []
    for i, (key, (document, sentence, mine)) in enumerate(first.items()):
        if i % CHUNK == 0 and cancelled():
            return []
        unit = _unit(len(units), document, sentence, places[key], mine)
        if _binds(unit):
            unchosen = _unchosen(places[key], alternatives)
            note = all(is_note(notes[p.document], p.start, p.end, unit.norm.cue) for p in places[key])
            marked = unchosen or note
            units.append(dataclasses.replace(unit, unchosen=unchosen, note=note) if marked else unit)
    return units
