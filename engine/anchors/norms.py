"""What a sentence does: must, may, must not, need not; under which condition; and which rule goes first."""

from __future__ import annotations

import re

from engine.anchors.model import AnchorKind
from engine.anchors.scan import Scan

_SP = r"[ \n]{1,3}"
_ADV = (
    r"(?:(?:also|at all times|hereby|further|likewise|thereupon|then|only|promptly|immediately|in any event|each"
    rf"|both|either|jointly){_SP}){{0,2}}"
)
_NO = rf"(?:{_SP}(?:under any circumstances|in any event|at any time|otherwise))?"
#: Tried in order at each place; the first that matches wins. The longest negated forms come first.
_MODAL_TABLE: tuple[tuple[str, str, float], ...] = (
    ("need not", (rf"(?:shall|will|must|is|are|does|do|was|were){_SP}(?:not|in no (?:event|way)){_SP}(?:be{_SP}"
                 rf"|have to{_SP})?(?:required|obligated|obliged|bound|need|have{_SP}any{_SP}(?:obligation|duty"
                 rf"|liability|responsibility)){_SP}?(?:to)?"), 1.0),
    ("need not", (rf"(?:shall|will|does|do|has|have){_SP}(?:have{_SP})?no{_SP}(?:obligation|duty"
                 rf"|responsibility)(?:{_SP}(?:to|for|with))?"), 1.0),
    ("need not", (rf"(?:need{_SP}not|under{_SP}no{_SP}(?:obligation|duty){_SP}to|not{_SP}(?:required|obligated"
                 rf"|obliged){_SP}to)"), 1.0),
    ("must not", (rf"(?:shall|will|does|do|has|have){_SP}(?:not{_SP}have{_SP}(?:the|any)|have{_SP}no|no){_SP}(?:right"
                 rf"|authority|power){_SP}(?:to|of)"), 1.0),
    ("must not", rf"(?:shall|will|is|are){_SP}not{_SP}be{_SP}(?:entitled|permitted|allowed|authori[sz]ed){_SP}to", 1.0),
    ("must not", rf"(?:is|are){_SP}not{_SP}(?:entitled|permitted|allowed|authori[sz]ed){_SP}to", 1.0),
    ("must not", (rf"(?:is|are|shall{_SP}be){_SP}(?:strictly{_SP})?(?:prohibited|forbidden|barred"
                 rf"|precluded){_SP}from"), 1.0),
    ("must not", (rf"(?:shall|will|must|may|should){_SP}{_ADV}(?:not|never|in{_SP}no{_SP}(?:event|case|way"
                 rf"|circumstances?)|under{_SP}no{_SP}circumstances?)(?![A-Za-z]){_NO}"), 1.0),
    ("must not", rf"(?:in{_SP}no{_SP}(?:event|case)|under{_SP}no{_SP}circumstances?){_SP}(?:shall|will|may)", 1.0),
    ("must not", r"cannot|can not|can't|won't|shan't|mustn't", 0.8),
    ("may", (rf"(?:shall|will|is|are|be){_SP}{_ADV}(?:be{_SP})?(?:entitled|permitted|allowed|authori[sz]ed"
            rf"|free){_SP}to"), 1.0),
    ("may", (rf"(?:shall|will|has|have){_SP}{_ADV}(?:have{_SP})?(?:the|a|full|sole|exclusive){_SP}(?:(?:sole"
            rf"|exclusive|full){_SP})?(?:right|option|authority|discretion|power){_SP}(?:to|of)"), 1.0),
    ("may", rf"reserves?{_SP}the{_SP}right{_SP}to", 1.0),
    ("must", rf"(?:is|are|shall{_SP}be|will{_SP}be){_SP}(?:required|obligated|obliged|bound){_SP}to", 1.0),
    ("must", (rf"(?:agrees?|undertakes?|covenants?|promises?){_SP}(?:and{_SP}(?:agrees?|undertakes?"
             rf"|covenants?){_SP})?to(?![A-Za-z])"), 0.8),
    ("must", r"shall|must", 1.0),
    ("must", r"will(?=[ \n]+[a-z])", 0.7),
    ("may", r"may(?=[ \n]+(?!be[ \n]+(?:required|subject|necessary|amended from))[a-z])", 0.9),
    ("may", r"can(?=[ \n]+[a-z])", 0.5),
    ("must", r"should(?=[ \n]+[a-z])", 0.5),
)  # fmt: skip
_MODALS = [
    (value, re.compile(rf"(?:{words})(?![A-Za-z])", re.IGNORECASE), confidence)
    for value, words, confidence in _MODAL_TABLE
]
_MODAL_START = re.compile(
    r"(?<![A-Za-z])(?:shall|will|must|may|should|can|cannot|can't|won't|shan't|mustn't|is|are|was|were|do|does|has"
    r"|have|need|in no|under no|not|agrees?|undertakes?"
    r"|covenants?|promises?|reserves?)(?![A-Za-z])",
    re.IGNORECASE,
)
_NEGATED_SUBJECT = re.compile(
    r"(?:^|[.;:,(]|\b(?:and|or|that|but))[ \n]{0,3}(?:neither|no|none)[ \n](?!later|more|less|longer|event"
    r"|such event)[^.;:()\n]{1,80}$",
    re.IGNORECASE,
)

_ZH_TABLE: tuple[tuple[str, str, float], ...] = (
    ("need not", (r"无[须需]|毋[须需]|不必|不需要?(?!求)|没有义务|无义务|不承担(?=[^，。；]{0,12}义务)"
                 r"|不负有?(?=[^，。；]{0,8}义务)|不再需要"), 1.0),
    ("must not", (r"不得(?!不)|不能(?!按|够?及时)|禁止|严禁|不可(?!抗力|撤[销回]|分割|预见|避免|克服|归责|或缺"
                 r"|转让的?权)|不应当?|不允许|不许|无权|没有权利|均不得|不准"), 1.0),
    ("may", r"有权(?!利|力|属|益|机)|可以|可(?=[自依按根在向选要单随于由将提解终])|享有(?=[^，。；]{0,9}权)|允许", 1),
    ("must", (r"应当|必须|务必|须(?!知)|(?<![相供响反适效理])应(?![收付用对急答变聘邀届得力计税该纳商])|有义务"
              r"|负责(?!人|任)|承诺|保证(?!金"
             r"|人|期|书|责任|合同)|需(?=[在于向按经提支缴交])"), 1.0),
)  # fmt: skip
_ZH_MODALS = re.compile("|".join(f"(?P<k{i}>{words})" for i, (_, words, _) in enumerate(_ZH_TABLE)))

_CONDITIONS = re.compile(
    r"(?<![A-Za-z])(?:(?P<exception>unless|except(?: that| as| to the extent| for| where| if| with)?|other than"
    r"|save (?:for|that|as)|excluding)"
    r"|(?P<proviso>provided,?(?: however,?| further,?)? that|on condition that|so long as|as long as)"
    r"|(?P<condition>if|in the event(?: that| of)?|in case(?: of)?|upon|where(?= )|when(?= )|should(?=[ ](?:the|any"
    r"|either|a|an|such)[ ])))(?![A-Za-z])",
    re.IGNORECASE,
)
_CONDITIONS_ZH = re.compile(
    r"(?P<exception>除非|除[^，。；]{1,24}外|但(?:是)?[^，。；]{0,16}除外|另有约定的?除外)"
    r"|(?P<proviso>但(?:是)?(?![^，。；]{0,16}除外)|前提是|以[^，。；]{1,20}为前提)"
    r"|(?P<condition>如果|如(?!下|上|实|期|何|前|此|约|数|有)|如有|若(?!干)|倘若|一旦|在[^，。；]{1,24}(?:情况下"
    r"|情形下|的情形)|发生[^，。；]{1,20}(?:情形"
    r"|情况)(?:之一)?的)"
)
_PRECEDENCE = re.compile(
    r"(?<![A-Za-z])(?:(?P<notwithstanding>notwithstanding)|(?P<subject_to>subject to)"
    r"|(?P<except>except as (?:otherwise )?(?:expressly )?(?:provided|set forth|stated|specified)"
    r"|unless otherwise (?:expressly )?(?:provided|agreed|specified|stated))"
    r"|(?P<prevails>(?:shall |will )?(?:prevail|take precedence|control|govern and control|supersedes?)(?: over)?)"
    r"|(?P<order>order of (?:precedence|priority))"
    r"|(?P<without>without (?:prejudice to|limiting))|(?P<lieu>in lieu of))(?![A-Za-z])",
    re.IGNORECASE,
)
_PRECEDENCE_ZH = re.compile(
    r"(?P<notwithstanding>尽管(?:有)?|无论)|(?P<subject_to>(?:在)?(?:遵守|符合)[^，。；]{1,20}(?:前提下|的情况下)"
    r"|受限于)"
    r"|(?P<except>除[^，。；]{0,10}另有(?:约定|规定)(?:的)?外?|另有(?:约定|规定)的)"
    r"|(?P<prevails>以[^，。；]{1,30}为准|优先(?:适用|于)|取代)"
)


def _modality(scan: Scan) -> None:
    text = scan.text
    resume = 0
    for match in _MODAL_START.finditer(text):
        if match.start() < resume:
            continue
        for value, pattern, confidence in _MODALS:
            found = pattern.match(text, match.start())
            if not found:
                continue
            meaning = value
            detail = {"verb": " ".join(found.group().lower().split())}
            if value in ("must", "may") and _NEGATED_SUBJECT.search(text, max(0, match.start() - 90), match.start()):
                meaning, detail["negated"] = "must not", "subject"
            if value == "may" and text[found.end() : found.end() + 6].strip().lower().startswith("only"):
                detail["only"] = "yes"
            scan.add(AnchorKind.MODALITY, meaning, match.start(), found.end(), confidence, detail=detail)
            resume = found.end()
            break
    if scan.has_han:
        for match in _ZH_MODALS.finditer(text):
            value, _, confidence = _ZH_TABLE[int((match.lastgroup or "k0")[1:])]
            scan.add(AnchorKind.MODALITY, value, *match.span(), confidence, detail={"verb": match.group()})


def _markers(scan: Scan, kind: AnchorKind, pattern: re.Pattern[str]) -> None:
    for match in pattern.finditer(scan.text):
        value = (match.lastgroup or "").replace("_", " ")
        scan.add(kind, value, *match.span(), 0.9, detail={"words": " ".join(match.group().split())})


def find_norms(scan: Scan) -> None:
    """Note modal verbs, conditions and exceptions, and precedence phrases."""
    _modality(scan)
    _markers(scan, AnchorKind.CONDITION, _CONDITIONS)
    _markers(scan, AnchorKind.PRECEDENCE, _PRECEDENCE)
    if scan.has_han:
        _markers(scan, AnchorKind.CONDITION, _CONDITIONS_ZH)
        _markers(scan, AnchorKind.PRECEDENCE, _PRECEDENCE_ZH)
