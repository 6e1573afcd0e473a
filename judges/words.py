"""The English word lists by which an answer is read. Data only; the rules are where each list is used."""

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
    despite and or but nor"""
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
    remain remains stands stay stays belongs refers works approves applies comes came decide decides handles
    manages maintains rests lies sits falls depends ask contact"""
)
"""Words that make a sentence of a line; besides them, lower-case words in -ed count."""

OPENING_VERBS = _listed(
    """is are was were do does did has have can could should will would ask contact see use pick choose keep it's that's
    there's he's she's who's i'm we're they're you're"""
)
"""With a capital only these are verbs: "Moraine Works" has none."""

PREPOSITIONS = frozenset(("by", "on", "at", "to", "via", "with", "from", "for"))
"""One of these may open an answer that is no sentence ("On Wednesday"). `in` also, before a text in lower case."""

CONTINUATIONS = frozenset(
    ("instead", "rather", "not", "since", "because", "as", "until", "effective", "starting", "now")
)
"""What may follow the accepted text in an answer that is no sentence ("Redis, instead of Valkey")."""

DENIALS = _listed(
    """not never nobody none isn't aren't wasn't weren't don't doesn't didn't won't wouldn't shouldn't can't cannot
    couldn't hasn't haven't hadn't"""
)
"""Within five words before a value and in its clause, one of these denies the value."""

NEGATIONS = DENIALS | _listed(
    """no neither nor without longer than instead unlike except excluding rejected rejects refused avoid avoids stopped
    dropped abandoned declined considered against cancel"""
)
"""Within three words before, one of these does."""

NEGATED = (DENIALS - {"nobody", "none"}) | {"no"}
"""Within three words after a value, before a subordinate clause, one of these does; but "12 not 14" upholds 12."""

REFUTATIONS = _listed(
    """wrong incorrect superseded outdated stale obsolete rejected dropped cancelled canceled failed declined
    abandoned"""
)
"""Within three words after a value and in its clause, one of these does."""

SUBORDINATORS = _listed("because since as so who which that when where if while although")
"""After one of these the value is no longer spoken of."""

OUTDATED = _listed(
    """previously formerly originally initially earlier before old former replaces replacing replaced overrides
    superseded superseding prior"""
)
"""Within four words before a value and in its clause, one of these makes it an older one, which no answer stands by."""

OUTDATED_AFTER = _listed("earlier originally previously initially formerly until old handed")
"""The same, within four words after; `before` does where the clause ends in it."""

MOVES = _listed(
    """moved changed switched migrated shifted slipped postponed delayed pushed corrected raised lowered reduced
    increased handed transferred passed took taken away down up"""
)
"""`from` after one of these is from an older value."""

PAST = _listed("from was were over until despite had past")
"""Within four words before a value, one of these makes it an older one beside a newer; alone it still stands."""

PAST_AFTER = _listed("first was were")
"""The same, in the next word, or for `first` within four words."""

NOW = _listed("now currently current new today")
"""A clause with one of these tells what holds; it overrules superseded values and what was, told in other clauses."""

CONCLUSIONS = _listed("so therefore hence thus")
"""A clause that opens with one of these says what the others were the reasons for."""

DOUBTS = (
    r"tbd|tba|unclear|undecided|unsure|undetermined|unconfirmed|no idea|not (?:clear|sure|known|know|decided|fixed)|"
    r"(?:don't|doesn't|didn't) know|"
    r"(?:cannot|can't|couldn't|could not|can not|unable to) (?:tell|say|determine|confirm)"
)
"""An answer in which one of these stands states nothing."""

MISSES = (
    r"no (?:information|info|data|evidence|record|records|mention|sign|indication|answer|clue|result|results)|"
    r"(?:cannot|can't|couldn't|could not|can not|unable to|didn't|did not) find"
)
"""What comes after one of these isn't stated; what came before it is ("12. I could not find a later change.")."""

CITATIONS = _listed(
    """confirmed announced decided posted agreed updated mentioned message thread comment commit said reported written
    edited noted stated asked merged created meeting as"""
)
"""`on` (or `of`, `since`) with one of these before it says when something was said, not what was asked."""

INTRODUCTIONS = _listed(
    """at as in on by per from after since until during with under based according following given right currently today
    because while although when despite not instead rather unlike yes no ok i i've"""
)
"""A clause that opens with one of these introduces what is said next."""

REPORTS = _listed("said says told announced wrote posted confirmed named handed")
"""Who did one of these is told as a source, not as what was asked."""

POINTERS = _listed("it it's that that's this is was which would be the answer still then therefore person")
"""A clause that has nothing but these before a text says that it is what was asked."""

POSSESSED = _listed("decision call choice job responsibility task turn")
"""`Dana's call` names Dana as `Dana` does; `Dana's manager` does not."""

ROLES = _listed("designer manager engineer developer lead leader director officer owner analyst architect head founder")
"""What ends in one of these and follows a name is that person's role, not somebody else."""

SEQUENCERS = _listed("first second third fourth fifth next last lastly afterwards followed")
"""Words that say which item of a list comes, and are none of it."""

TURNS = frozenset(("to", "but", "and", "or", "now", "so", "then", "into", "by"))
"""Looking back for a cue stops here: in "moved from A to B" the `from` is not about B."""

HEDGES = _listed(
    """either maybe perhaps possibly probably alternatively option options candidate candidates alternative
    alternatives guess unsure unclear unknown unlikely might could"""
)
"""A sentence with one of these states no text or part, a clause with one no number or date."""

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

QUANTIFIERS = _listed("none nobody nothing neither every everything everyone everybody any anything anyone anybody")
"""An answer that opens with one of these lists no part of a set."""

EXEMPTIONS = _listed("fine ok okay unaffected exempt excluded")
"""Within three words after an item, one of these takes it out of the list."""

ADDITIONS = _listed("also too additionally plus likewise well another furthermore")
"""A sentence with one of these adds to the list before it."""

OTHERS = _listed("all the others other rest of them everyone everybody everything else")
"""An item of nothing but these names all others."""
