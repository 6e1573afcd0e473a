"""The English word lists by which an answer's sentence is read. Data only; the rules are in `judges.statement`."""

from __future__ import annotations


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


ARTICLES = frozenset(("the", "a", "an"))

FUNCTION_WORDS = ARTICLES | _listed(
    """this that these those it its it's i we he she they you i'd i'm we're they're he's she's that's there there's here
    in on at by to for from with via into onto upon under over after before until till since during within through
    as per about around because so if when where while which who whom whose what why how than then now currently
    today still already also only just again instead rather not no never longer yet both all any each every some
    my our their his her your between against without up down out off too later earlier again namely however
    therefore hence thus finally originally previously formerly initially according effective starting meaning
    and or but nor"""
)
"""Words that end a name: beside one of these, an accepted text stands alone. `of` is left out on purpose: it joins."""

VERBS = _listed(
    """it's that's there's he's she's who's i'm we're they're you're
    is are was were be been being am isn't aren't wasn't weren't has have had hasn't haven't will won't would
    should shall can can't could must may might do does did don't doesn't didn't
    own owns use uses using chose chosen choose chooses pick picks said says say told tells made make makes
    took take takes taken got gets became become becomes went goes gave given gives set sets put puts
    lead leads led run runs ran held holds keep keeps kept show shows shown see saw found find finds
    mean means call calls say states read reads write wrote written shipped ships fixes fix reports
    remain remains stands stay stays belongs refers works approves applies comes came"""
)
"""Words that make a sentence of a line; besides them, lower-case words in -ed count."""

PREPOSITIONS = frozenset(("by", "on", "at", "to", "via", "with", "from", "for"))
"""One of these may open an answer that is no sentence ("On Wednesday"). `in` also, before a text in lower case."""

CONTINUATIONS = frozenset(
    ("instead", "rather", "not", "since", "because", "as", "until", "effective", "starting", "now")
)
"""What may follow the accepted text in an answer that is no sentence ("Redis, instead of Valkey")."""

NEGATIONS = _listed(
    """not never no neither nor without longer than isn't aren't wasn't weren't don't doesn't didn't won't can't cannot
    hasn't haven't instead unlike"""
)
"""Within three words before a value and in its clause, one of these denies the value."""

REFUTATIONS = _listed("wrong incorrect superseded outdated stale obsolete rejected dropped cancelled canceled")
"""Within three words after a value and in its clause, one of these denies the value."""

PAST = _listed(
    """from was were previously formerly originally initially earlier before old former first replaces replacing
    replaced overrides superseded superseding over until despite had past prior"""
)
"""Within four words before a value and in its clause, one of these makes it the older one beside a newer."""

PAST_AFTER = _listed("before earlier originally previously initially first formerly until")
"""The same, within two words after."""

CITATIONS = _listed(
    """confirmed announced decided posted agreed updated mentioned message thread comment commit said reported written
    edited noted stated asked merged created meeting as"""
)
"""`on` (or `of`, `since`) with one of these before it says when something was said, not what was asked."""

SEQUENCERS = _listed("first second third fourth fifth next last lastly afterwards followed")
"""Words that say which item of a list comes, and are none of it."""

TURNS = frozenset(("to", "but", "and", "or", "now", "so", "then", "into", "by"))
"""Looking back for a cue stops here: in "moved from A to B" the `from` is not about B."""

HEDGES = _listed(
    """either maybe perhaps possibly probably alternatively option options candidate candidates alternative
    alternatives guess unsure unclear unknown unlikely might could"""
)
"""A sentence with one of these states nothing."""

GUESSES = _listed(
    """guess guessing probably presumably likely perhaps maybe assume assuming estimate suspect suspecting believe think
    bet reckon"""
)
"""A clause with one of these, and no denial, commits to what it supposes."""

OPPOSITIONS = _listed("but however though although still nevertheless yet")
"""What follows one of these speaks against what came before."""

NOBODY = _listed("nobody nothing none nowhere")
"""Besides NEGATIONS, what makes a clause a denial."""

EXCUSES = _listed("unfortunately sorry sadly regrettably honestly apologies")

FIRST_PERSON = _listed("i i've i'd i'm we we've")

OPENINGS = PREPOSITIONS | _listed(
    "based according having after looking searching while since because as given despite in across among within of"
)
"""A clause that begins with one of these leads in."""

NARRATIONS = _listed(
    """mention mentions mentioned discuss discusses discussed ask asks asked talk talks talked refer refers referred
    describe describes cover covers contain contains raise raises raised searched checked looked reviewed read list
    lists show shows"""
)
"""Verbs that tell what was read or searched."""

COPULAS = _listed("is was are were will be it's that's")

FILLERS = _listed("about approximately roughly around exactly total in altogether overall circa on at by the a an")
"""Words that add nothing beside a number or a date."""

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
            *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        )
    )
} | {
    word: 10 * number
    for number, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        start=2,
    )
}
DETERMINERS = _listed("the this that which no any each every another latest newer older last first only same other")
"""After one of these, `one` is a pronoun."""

RELATIVES = _listed("that who which is was has says said with from in for")
"""Before one of these too."""

SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}

WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"),
            ("tuesday", "tue", "tues"),
            ("wednesday", "wed"),
            ("thursday", "thu", "thur", "thurs"),
            ("friday", "fri"),
            ("saturday", "sat"),
            ("sunday", "sun"),
        )
    )
    for name in names
}
"""Monday is 0, as in `date.weekday`."""
