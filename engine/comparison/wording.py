"""The differences inside a clause, word by word, put so that a person can read them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from engine.comparison.words import Word, is_wordless
from engine.protocol.comparison import WordChange, WordSign

#: A clause of more words is compared sentence by sentence first.
MANY_WORDS = 700
#: More pairs of words than this are not compared one by one: the whole stretch was rewritten.
MOST_PAIRS = 4_000_000
_ENDS = frozenset(".;:。；：！？!?")
#: So few equal words between changed ones are read as part of the change.
_FEW, _FEW_LETTERS = 2, 3

#: [old start, old end, new start, new end) in words.
Block = tuple[int, int, int, int]


def word_changes(
    old: Sequence[Word], new: Sequence[Word], old_span: tuple[int, int], new_span: tuple[int, int]
) -> tuple[WordChange, ...]:
    """Runs of equal, deleted and inserted words that cover both spans, deleted before inserted."""
    changed = _joined(_differing(old, new), old)
    out: list[WordChange] = []
    at_old, at_new = old_span[0], new_span[0]
    for i, i_end, j, j_end in changed:
        (old_start, old_stop), (new_start, new_stop) = _spans(old, new, (i, i_end, j, j_end), old_span, new_span)
        if (old_start, new_start) != (at_old, at_new):
            out.append(WordChange(WordSign.EQUAL, at_old, old_start, at_new, new_start))
        if old_stop > old_start:
            out.append(WordChange(WordSign.DELETED, old_start, old_stop, new_start, new_start))
        if new_stop > new_start:
            out.append(WordChange(WordSign.INSERTED, old_stop, old_stop, new_start, new_stop))
        at_old, at_new = old_stop, new_stop
    if (at_old, at_new) != (old_span[1], new_span[1]):
        out.append(WordChange(WordSign.EQUAL, at_old, old_span[1], at_new, new_span[1]))
    return tuple(out)


def _spans(
    old: Sequence[Word], new: Sequence[Word], block: Block, old_span: tuple[int, int], new_span: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The characters of a block. Words that one side alone has take the space before them along."""
    i, i_end, j, j_end = block
    if i_end > i and j_end > j:
        return (old[i].start, old[i_end - 1].end), (new[j].start, new[j_end - 1].end)
    if i and j:
        old_start, new_start = old[i - 1].end, new[j - 1].end
        return (
            (old_start, old[i_end - 1].end if i_end > i else old_start),
            (new_start, new[j_end - 1].end if j_end > j else new_start),
        )
    # At the very beginning there is none before: the space behind.
    old_stop = old[i_end].start if i_end < len(old) else old_span[1]
    new_stop = new[j_end].start if j_end < len(new) else new_span[1]
    return (old_span[0], old_stop if i_end > i else old_span[0]), (new_span[0], new_stop if j_end > j else new_span[0])


def _differing(old: Sequence[Word], new: Sequence[Word]) -> list[Block]:
    if max(len(old), len(new)) <= MANY_WORDS:
        return _by_words(old, new, (0, len(old), 0, len(new)))
    blocks: list[Block] = []
    old_cuts, new_cuts = _sentences(old), _sentences(new)
    old_keys = [_key(old, *cut) for cut in old_cuts]
    new_keys = [_key(new, *cut) for cut in new_cuts]
    for tag, a, a_end, b, b_end in SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        i, i_end = _span(old_cuts, a, a_end, len(old))
        j, j_end = _span(new_cuts, b, b_end, len(new))
        blocks += _by_words(old, new, (i, i_end, j, j_end))
    return blocks


def _by_words(old: Sequence[Word], new: Sequence[Word], block: Block) -> list[Block]:
    i, i_end, j, j_end = block
    if (i_end - i) * (j_end - j) > MOST_PAIRS:
        return [block]
    old_keys, new_keys = [w.key for w in old[i:i_end]], [w.key for w in new[j:j_end]]
    return [
        (i + a, i + a_end, j + b, j + b_end)
        for tag, a, a_end, b, b_end in SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


def _sentences(words: Sequence[Word]) -> list[tuple[int, int]]:
    cuts, start = [], 0
    for i, word in enumerate(words, 1):
        if word.key in _ENDS or i == len(words):
            cuts.append((start, i))
            start = i
    return cuts


def _key(words: Sequence[Word], start: int, end: int) -> tuple[str, ...]:
    return tuple(word.key for word in words[start:end])


def _span(cuts: Sequence[tuple[int, int]], first: int, last: int, length: int) -> tuple[int, int]:
    """The words of sentences ``[first, last)``; where there are none, the place between."""
    if first < last:
        return cuts[first][0], cuts[last - 1][1]
    at = cuts[first][0] if first < len(cuts) else length
    return at, at


def _joined(blocks: Sequence[Block], old: Sequence[Word]) -> list[Block]:
    """Changes with next to nothing equal between them, as one: a confetti of letters cannot be read."""
    out: list[Block] = []
    for block in blocks:
        if out and _reads_as_one(out[-1], block, old):
            out[-1] = (out[-1][0], block[1], out[-1][2], block[3])
        else:
            out.append(block)
    return out


def _reads_as_one(first: Block, second: Block, old: Sequence[Word]) -> bool:
    between = old[first[1] : second[0]]
    if not between:
        return True
    size = min(_size(first), _size(second))
    if len(between) > _FEW:
        return False
    letters = sum(word.end - word.start for word in between)
    small = is_wordless(between) or letters <= _FEW_LETTERS
    return (small and size > 1) or len(between) * 2 <= size


def _size(block: Block) -> int:
    return max(block[1] - block[0], block[3] - block[2])
