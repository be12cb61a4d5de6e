"""The words that planting.py works with, written by us."""

from __future__ import annotations

import re

from engine.conflicts.norms import Modality

MUST = (
    "shall",
    "will",
    "must",
    "is required to",
    "is obliged to",
    "agrees to",
    "has to",
    "has the obligation to",
    "should",
)
MAY = ("may", "can", "is entitled to", "has the right to", "is permitted to", "may, at its option,", "is free to")
MUST_NOT = (
    "shall not",
    "will not",
    "must not",
    "may not",
    "cannot",
    "shall never",
    "is not permitted to",
    "shall in no event",
    "is prohibited from",
    "has no right to",
    "should not",
    "agrees not to",
    "is not allowed to",
)
NEED_NOT = (
    "is not required to",
    "is not obliged to",
    "need not",
    "shall have no obligation to",
    "is not responsible to",
    "may refuse to",
    "may decline to",
    "is under no obligation to",
    "will not be required to",
    "does not have to",
)

#: For each modality, the ones that cannot hold beside it, with how often each is chosen.
AGAINST: dict[Modality, tuple[tuple[str, ...], ...]] = {
    Modality.MUST: (MUST_NOT, MUST_NOT, MUST_NOT, NEED_NOT, NEED_NOT, MAY, MAY, MAY),
    Modality.MAY: (MUST_NOT, MUST_NOT, MUST_NOT, MUST),
    Modality.MUST_NOT: (MAY, MAY, MUST),
    Modality.NEED_NOT: (MUST,),
}
SAME: dict[Modality, tuple[str, ...]] = {
    Modality.MUST: MUST[:6],
    Modality.MAY: MAY[:5],
    Modality.MUST_NOT: MUST_NOT[:5],
    Modality.NEED_NOT: NEED_NOT[:4],
}

SYNONYMS = """purchase buy;provide supply;provide give;furnish provide;deliver ship;notify inform;immediately promptly;
prior to before;commence begin;terminate end;pursuant to under;in accordance with according to;
in accordance with following;obtain get;utilize use;assist help;require need;facility plant;equipment machinery;
employees staff;Agreement contract;hereunder under this document;herein in this document;purchase price cost;
amount sum;subsequent later;additional further;in the event that if;in the event if;upon after;such the;
such these;all every;each every;any the;Products goods;information data;third party other person;
third parties others;written in writing;remain stay;maintain keep;promptly as soon as possible;
reasonable adequate;responsible accountable;expenses costs;modify change;performance execution;
obligations duties;consent permission;consent authorization;approval permission;ensure guarantee;
comply with follow;submit present;submit send;return give back;retain keep;prepare make;receive get;
determine define;request ask for;respond reply;execute sign;transfer convey;concerning about;regarding about;
sufficient enough;entire whole;annual yearly;during throughout;within in;attached hereto attached;thereof of it;
therein in it;sole only;solely only;invoice bill;payment payment of money;products items"""

OPPOSITES = """all no;all some;each no;both neither;any no;before after;
prior to after;include exclude;including excluding;
weekly monthly;monthly quarterly;monthly annually;quarterly annually;annually monthly;exclusive non-exclusive;
exclusively jointly;solely jointly;only also;increase decrease;own lease;accept reject;approve reject;
written oral;in writing orally;at least at most;not less than not more than;not exceed exceed;maximum minimum;
remain cease;always never;directly indirectly;with without;first last;gross net;confidential public;
irrevocable revocable;refundable non-refundable;advance arrears;actual estimated;new used;
commercially reasonable best;without charge for a fee;at its own expense at the other party's expense;
at no cost at full cost"""

CONDITIONS = (
    "previously agreed",
    "the other party asks for it",
    "it wishes",
    "needed",
    "the quantity is less than three units",
    "the delivery takes more than two days",
    "it is in its interest",
    "the market price has changed",
    "there is a special situation",
    "it has been paid in full",
    "the parties agree in writing",
    "the costs are higher than expected",
    "no other supplier is found",
    "the other party does not comply",
    "the contract has been in force for more than a year",
    "requested by a third party",
    "there is enough stock",
    "it is shipped abroad",
    "a holiday falls in that week",
    "the board so decides",
    "required by law",
)

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_COUNTING = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
WORD_NUMBER = {word: value for value, word in enumerate(_COUNTING, 1)}
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

#: Ways that narrow a duty to what the original excludes.
NARROWED = (
    "through a bank account",
    "by registered mail",
    "once a year",
    "as it prefers",
    "according to its own terms",
    "with its own employees",
    "in its own facilities",
    "to one person",
    "in part",
    "twice a month",
)
#: Words that say that a sentence is an exception or yields.
EXCEPTIONS = (
    "Notwithstanding the foregoing,",
    "Except as provided in Section 4.2,",
    "Notwithstanding Section 3,",
    "Unless otherwise agreed in writing,",
    "As an exception to Section 5.1,",
    "Subject to Section 7,",
)
#: Left sides of the tables' entries that are more than one word.
PHRASES = (
    "prior to",
    "pursuant to",
    "in accordance with",
    "in the event that",
    "in the event",
    "purchase price",
    "third party",
    "third parties",
    "comply with",
    "attached hereto",
    "in writing",
    "at least",
    "not less than",
    "not exceed",
    "without charge",
    "at its own expense",
    "at no cost",
    "commercially reasonable",
)

#: How a flat contradiction ends.
FLATLY = ("", "", "", "", "in any case", "at any time", "under any circumstances", "at all", "whatever the reason")

#: Ways of doing a duty that most originals exclude.
OWN_WAYS = (
    "as it sees fit",
    "in its own way",
    "following its own rules",
    "free of charge",
    "at the other party's cost",
    "together with a third party",
    "by cash only",
    "orally",
    "once in five years",
    "at a place of its choice",
    "without telling the other party",
    "only with the other party's prior approval",
    "using its own means",
)

#: What makes another defined term of one.
TERM_PREFIXES = ("Additional", "Future", "Initial", "Replacement", "Special", "Second", "Foreign", "Optional")
