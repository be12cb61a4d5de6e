"""English number words: finding them in a text and reading their value.

A run of number words is cut where it stops being one number: ``thirty and six`` is 30 and 6, ``one twelve`` is 1 and
12, ``one hundred, two hundred`` is 100 and 200, while ``two hundred, twenty-five thousand`` is 225,000.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

_ORDINAL_ONES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_ORDINAL_TEENS = [
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth",
]  # fmt: skip
_ORDINAL_TENS = [w[:-1] + "ieth" for w in TENS]

_WORDS: dict[str, tuple[str, Decimal]] = {}
for _i, _w in enumerate(ONES):
    _WORDS[_w] = ("one", Decimal(_i))
for _i, _w in enumerate(TEENS):
    _WORDS[_w] = ("teen", Decimal(10 + _i))
for _i, _w in enumerate(TENS):
    _WORDS[_w] = ("ten", Decimal(20 + 10 * _i))
_WORDS |= {"fourty": ("ten", Decimal(40)), "ninty": ("ten", Decimal(90)), "nought": ("one", Decimal(0))}
_WORDS["hundred"] = ("hundred", Decimal(100))
for _w, _size in SCALES.items():
    _WORDS[_w] = ("scale", Decimal(_size))
for _i, _w in enumerate(_ORDINAL_ONES):
    _WORDS[_w] = ("ordinal one", Decimal(1 + _i))
for _i, _w in enumerate(_ORDINAL_TEENS):
    _WORDS[_w] = ("ordinal teen", Decimal(10 + _i))
for _i, _w in enumerate(_ORDINAL_TENS):
    _WORDS[_w] = ("ordinal ten", Decimal(20 + 10 * _i))
_WORDS |= {
    "hundredth": ("ordinal hundred", Decimal(100)),
    "half": ("part", Decimal(2)),
    "halves": ("part", Decimal(2)),
    "quarter": ("part", Decimal(4)),
    "quarters": ("part", Decimal(4)),
    "hundredths": ("part", Decimal(100)),
    "thousandths": ("part", Decimal(1000)),
    "point": ("point", Decimal(0)),
    "a": ("article", Decimal(1)),
}
for _w, (_kind, _number_of) in list(_WORDS.items()):
    if _kind.startswith("ordinal") and _w not in ("first", "second", "hundredth"):
        _WORDS[_w + "s"] = ("part", _number_of)

_TOKEN = re.compile(
    r"(?<![A-Za-z])(?:"
    + "|".join(sorted((w for w in _WORDS if w != "a"), key=len, reverse=True))
    + r"|a(?= (?:hundred|thousand|million|billion|half|quarter)))(?![A-Za-z])",
    re.IGNORECASE,
)
#: White space inside a number: a line break or a page mark may fall there.
SPACE = r"(?:[ \t]{0,40}(?:\n[ \t]{0,40}){0,2}(?:<PAGE>(?:[ \t]{0,40}\n){0,3}[ \t]{0,40})?)"
_GAP = re.compile(
    rf"(?:(?P<hyphen>{SPACE}-{SPACE})|(?P<and>{SPACE}[,]?{SPACE}(?:and|&){SPACE})|(?P<comma>{SPACE},{SPACE})"
    rf"|(?P<space>{SPACE}))\Z",
    re.IGNORECASE,
)
_LONGEST_GAP = 400
_HUNDREDTHS = re.compile(
    rf"{SPACE}(?:and|&){SPACE}(?P<cents>no|xx|zero|\d{{1,2}}){SPACE}/{SPACE}100(?:ths?)?(?!\d)", re.IGNORECASE
)


class WordNumber(NamedTuple):
    """A number in words: its value and span; ``ordinal`` for ``third``, ``odd`` when the words break the grammar."""

    value: Decimal
    start: int
    end: int
    ordinal: bool = False
    odd: bool = False
    part: bool = False


class _Token(NamedTuple):
    kind: str
    value: Decimal
    start: int
    end: int
    gap: str


def _runs(text: str) -> list[list[_Token]]:
    """Number words, in runs whose gaps may stand inside one number."""
    runs: list[list[_Token]] = []
    last_end = -_LONGEST_GAP
    for match in _TOKEN.finditer(text):
        kind, value = _WORDS[match.group().lower()]
        gap = ""
        if 0 < match.start() - last_end < _LONGEST_GAP:
            found = _GAP.match(text, last_end, match.start())
            gap = (found.lastgroup or "") if found else ""
        token = _Token(kind, value, match.start(), match.end(), gap)
        if gap:
            runs[-1].append(token)
        else:
            runs.append([token])
        last_end = match.end()
    return runs


class _State:
    """The number read so far: ``total`` of the closed scales, ``group`` below the next, what may follow (``slot``)."""

    def __init__(self) -> None:
        self.total = Decimal(0)
        self.group = Decimal(0)
        self.slot = "start"
        self.scale = Decimal(10) ** 18
        self.odd = False

    def value(self) -> Decimal:
        return self.total + self.group

    def take(self, kind: str, value: Decimal) -> bool:
        """Add a word; False when it cannot belong to the same number."""
        if kind == "one" and self.slot in ("start", "tens", "hundred", "scale"):
            if self.slot == "tens" and value == 0:
                return False
            self.group, self.slot = self.group + value, "ones"
        elif kind in ("teen", "ten") and self.slot in ("start", "hundred", "scale"):
            self.group, self.slot = self.group + value, "tens" if kind == "ten" else "ones"
        elif kind == "hundred" and self.slot in ("ones", "tens") and 0 < self.group < 100:
            self.group, self.slot = self.group * 100, "hundred"
        elif kind == "scale" and self.slot != "start":
            if self.slot == "scale":
                self.total *= value
            else:
                # "…Sixty-Six Thousand … Eighty-Four Thousand": not a number that anyone means; add, and say so.
                self.odd |= value >= self.scale
                self.total, self.group = self.total + self.group * value, Decimal(0)
            self.scale, self.slot = value, "scale"
        else:
            return False
        return True


def _ordinal(state: _State, token: _Token) -> bool:
    base = token.kind.removeprefix("ordinal ")
    return state.take(base, token.value)


def _read(tokens: list[_Token], first: int) -> tuple[WordNumber | None, int]:
    """The number that starts at token ``first``, and the index of the token after it."""
    state = _State()
    i = first
    comma: tuple[int, Decimal] | None = None
    ordinal = False
    while i < len(tokens):
        token = tokens[i]
        inside = i > first
        if inside and token.gap in ("and", "comma") and state.slot not in ("hundred", "scale"):
            break
        if token.kind.startswith("ordinal"):
            if inside and state.slot == "ones":
                break
            if not _ordinal(state, token):
                break
            ordinal = True
            i += 1
            break
        if token.kind == "article":
            if inside or i + 1 >= len(tokens) or tokens[i + 1].kind not in ("hundred", "scale"):
                break
            state.take("one", Decimal(1))
            i += 1
            continue
        before = state.value()
        if not state.take(token.kind, token.value):
            # "one hundred, two hundred": the comma was no part of the number after all.
            if comma and token.kind in ("hundred", "scale"):
                return _number(tokens, first, comma[0], comma[1], False, state.odd), comma[0]
            break
        if inside and token.gap == "comma":
            comma = (i, before)
        i += 1
    if i == first:
        return None, first
    return _number(tokens, first, i, state.value(), ordinal, state.odd), i


def _number(tokens: list[_Token], first: int, stop: int, value: Decimal, ordinal: bool, odd: bool) -> WordNumber:
    return WordNumber(value, tokens[first].start, tokens[stop - 1].end, ordinal, odd)


def _fraction(text: str, tokens: list[_Token], i: int) -> tuple[Decimal, int] | None:
    """``one-half``, ``a quarter``, ``two-thirds``, ``fifteen one-hundredths`` at token ``i``: value and next index."""
    if tokens[i].kind == "part" and text[tokens[i].start : tokens[i].end].lower() == "half":
        return Decimal("0.5"), i + 1
    if i + 1 >= len(tokens) or tokens[i].kind not in ("one", "teen", "ten", "article"):
        return None
    numerator = tokens[i].value
    joined = tokens[i + 1].kind == "one" and tokens[i + 1].gap == "hyphen"
    if tokens[i].kind == "ten" and joined and i + 2 < len(tokens):
        # "forty-four hundredths"; in "forty one-hundredths" the hyphen stands elsewhere.
        numerator, i = numerator + tokens[i + 1].value, i + 1
    part = tokens[i + 1]
    if part.gap not in ("hyphen", "space"):
        return None
    # "one third party" is no third of anything.
    follows_party = text[part.end : part.end + 5].lower().startswith((" part", "-part"))
    singular = part.kind.startswith("ordinal") and part.value > 2 and numerator == 1 and not follows_party
    if (part.kind == "part" and numerator > 0) or singular:
        return numerator / part.value, i + 2
    if i + 2 < len(tokens) and part.kind == "one" and part.value == 1 and tokens[i + 2].gap in ("hyphen", "space"):
        hundredth = tokens[i + 2]
        if hundredth.kind in ("part", "ordinal hundred") and hundredth.value >= 10:
            return numerator / hundredth.value, i + 3
    return None


def _decimals(tokens: list[_Token], i: int) -> tuple[Decimal, int] | None:
    """``point two five`` at token ``i``."""
    if i >= len(tokens) or tokens[i].kind != "point":
        return None
    digits = ""
    j = i + 1
    while j < len(tokens) and tokens[j].kind == "one" and tokens[j].gap in ("space", "hyphen") and len(digits) < 12:
        digits += str(tokens[j].value)
        j += 1
    if not digits:
        # "point twenty-five" is said for .25.
        number, after = _read(tokens, j) if j < len(tokens) else (None, j)
        if number is None or number.ordinal or number.value != int(number.value):
            return None
        return Decimal(f"0.{int(number.value)}"), after
    return Decimal(f"0.{digits}"), j


def _next_number(text: str, tokens: list[_Token], i: int) -> tuple[WordNumber | None, int]:
    """The number at token ``i``, if one begins there, and the index to go on at."""
    start = tokens[i].start
    if part := _fraction(text, tokens, i):
        return WordNumber(part[0], start, tokens[part[1] - 1].end, part=True), part[1]
    if decimals := _decimals(tokens, i):
        return WordNumber(decimals[0], start, tokens[decimals[1] - 1].end), decimals[1]
    number, after = _read(tokens, i)
    if number is None or number.ordinal:
        return number, max(after, i + 1)
    return _with_rest(text, tokens, number, after)


def _with_rest(text: str, tokens: list[_Token], number: WordNumber, after: int) -> tuple[WordNumber, int]:
    """The number with what may follow it: ``point five``, ``and one-half``, ``and no/100``."""
    if decimals := _decimals(tokens, after):
        return number._replace(value=number.value + decimals[0], end=tokens[decimals[1] - 1].end), decimals[1]
    if after < len(tokens) and tokens[after].gap in ("and", "space") and number.value < 10**6:
        part = _fraction(text, tokens, after)
        if part and (tokens[after].gap == "and" or tokens[after].kind != "part"):
            return number._replace(value=number.value + part[0], end=tokens[part[1] - 1].end), part[1]
    cents = _HUNDREDTHS.match(text, number.end)
    if cents:
        said = cents["cents"].lower()
        hundredths = Decimal(said) / 100 if said.isdigit() else Decimal(0)
        return number._replace(value=number.value + hundredths, end=cents.end()), after
    return number, after


def number_words(text: str) -> list[WordNumber]:
    """Every number in words, in order, not overlapping."""
    found: list[WordNumber] = []
    for tokens in _runs(text):
        i = 0
        while i < len(tokens):
            number, after = _next_number(text, tokens, i)
            if number is not None:
                found.append(number)
            i = max(after, i + 1)
    return found


def write_number(number: int) -> str:
    """``number`` (0 to 10**15 - 1) in English words, ``one hundred and sixty-four`` style without ``and``."""
    if not 0 <= number < 10**15:
        raise ValueError(f"{number} is outside 0 .. 10**15 - 1")
    if number < 10:
        return ONES[number]
    if number < 20:
        return TEENS[number - 10]
    if number < 100:
        ten, one = divmod(number, 10)
        return TENS[ten - 2] + (f"-{ONES[one]}" if one else "")
    if number < 1000:
        hundred, rest = divmod(number, 100)
        return f"{ONES[hundred]} hundred" + (f" {write_number(rest)}" if rest else "")
    for name, scale in reversed(SCALES.items()):
        if number >= scale:
            high, rest = divmod(number, scale)
            return f"{write_number(high)} {name}" + (f" {write_number(rest)}" if rest else "")
    raise AssertionError("unreachable: every number of four digits or more has a scale")
