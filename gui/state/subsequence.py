"""Finding a command by some of its letters."""

from __future__ import annotations


def match_score(needle: str, words: str) -> float:
    """How well ``needle`` fits ``words``: 0 not at all, more is better; an empty needle fits all alike.

    The letters must come in order. Whole runs and beginnings of words count more than scattered letters.
    """
    letters = [letter for letter in needle.casefold() if not letter.isspace()]
    if not letters:
        return 1.0
    text = words.casefold()
    if needle.casefold().strip() in text:
        return 100.0 - text.index(needle.casefold().strip())
    score, at, last = 1.0, 0, -2
    for letter in letters:
        at = text.find(letter, at)
        if at < 0:
            return 0.0
        if at == last + 1:
            score += 2.0
        if at == 0 or not text[at - 1].isalnum():
            score += 3.0
        last, at = at, at + 1
    return score
