"""Word lists for sentence ends: abbreviations of contracts, in lower case and without the last full stop."""

from __future__ import annotations


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


#: Never the last word of a sentence: something always follows. A name may carry a mark too ("Yahoo! Inc.").
ABBREVIATIONS_INSIDE = _words(
    """
    mr mrs ms messrs dr prof hon rev gen sen rep gov capt lt col sgt st mt ft no nos sec secs § art arts para
    paras par pars cl cls sched schs exh ex annex app fig figs tab vol vols pp pg ch chap pt ref refs vs v cf
    e.g eg i.e ie viz approx est max min avg tel ext attn re cc encl dept div bldg rm ste apt flr fl com
    adm assoc mfg mfr intl natl univ hwy rte twp jan feb mar apr jun jul aug sept oct nov dec mon tue tues wed
    thu thurs fri u.s.c c.f.r s.ct f.2d f.3d f.supp cir stat
    civ crim bus evid proc treas reg regs ann tit pub rul admin cert rptr ass'n nat'l int'l dep't gov't
    subd subds rs dkt fed cong wm pob assy yahoo
    """
)

#: Stand inside as often as at the end: what follows decides.
ABBREVIATIONS_MAYBE_END = _words(
    """
    inc corp ltd co llc llp lp plc l.l.c l.p l.l.p n.a n.v b.v s.a s.p.a s.r.l gmbh ag pty pte bhd sdn bros jr
    sr esq ph.d m.d j.d etc al ibid id supra seq op cit u.s u.s.a u.k e.u u.n d.c n.y p.r.c h.k a.m p.m a.d b.c
    p.a p.c cal calif del fla ill mass mich minn pa tex va wash ariz ark colo conn ga ind kan ky la md mo neb
    nev okla ore tenn ave blvd rd sq yr yrs mos hr hrs lb lbs oz km cm mm kg gal cu approx dist ct fax wis ca
    """
)

#: Words that open sentences of contracts; after an abbreviation they show that a new one begins.
SENTENCE_OPENERS = _words(
    """
    the a an this that these those if in it its they each all any no every such upon unless until where when
    whenever while after before except for notwithstanding subject as at by on to with without within during
    pursuant neither either both there we you he she his her our your their nothing should however provided
    further furthermore moreover additionally also accordingly therefore thus otherwise following failure
    failing whether from under between but and or nor so because since although though other another some many
    most payment payments time title
    """
)

#: Reporters' names in citations (F. Supp. 2d): a full stop behind them does not end.
CITATION_WORDS = _words(
    """
    supp rev
    """
)
