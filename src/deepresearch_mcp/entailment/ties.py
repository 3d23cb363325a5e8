"""What ties or stretches what a text says: causes, comparisons, extremes, certainty and its limits; and whose it is."""

import re
from collections.abc import Sequence

_NO_EXTREME = (
    "forest|rainforest|interest|request|protest|suggest|harvest|invest|contest|honest|modest|digest|arrest|manifest|"
    "west|midwest|northwest|southwest|rest|test|retest|pretest|guest|nest|quest|chest|priest|vest|crest|pest|attest|"
    "detest|conquest|bequest|unrest|budapest|everest|latest|pytest|doctest"
)
_EXTREME = (
    rf"\b(?:the (?:most|least)|(?:most|least) \w+ly|best|worst|(?!(?:{_NO_EXTREME})\b)\w{{3,}}est|than (?:any|"
    rf"all) other|"
    r"unmatched|unrivalled|unparalleled)\b"
)

_SAID: dict[str, str] = {
    "cause": (
        r"\b(?:because|due to|owing to|thanks to|therefore|thus|hence|thereby|consequently|as a (?:result|consequence)|"
        r"so that|lead(?:s|ing)? to|led to|caus(?:es|ed|ing)|result(?:s|ed|ing)? in|result(?:s|ed|ing)? from|"
        r"stem(?:s|med|ming)? from|which (?:is why|means)|that is why|explains? why|driven by|in order to|"
        r"weil|deshalb|daher|dadurch|somit|infolge|parce qu\w+|grâce à|à cause|por eso|porque|debido a|por lo tanto)\b"
    ),
    "comparison": (
        r"(?<!rather )(?<!other )\bthan\b|\b(?:outperform|surpass|outweigh|outnumber|exceed)(?:s|ed|ing)?\b|"
        r"\b(?:superior|inferior|twice|unlike|compared (?:to|with)|als (?:der|die|das)|plus \w+ que)\b"
    ),
    "extreme": _EXTREME,
    "most": r"(?<!the )(?<!at )\bmost(?! \w+ly)\b|\b(?:majority|mostly|mainly)\b",
    "only": r"\b(?:only|sole|solely|exclusively|uniquely|nothing but|no other|ausschließlich|nur|seul|únic[oa]s?)\b",
    "all": (
        r"\b(?:always|never|(?<!after )(?<!at )all|every|everyone|everywhere|entirely|completely|wholly|totally|"
        r"invariably|without exception|no one|nobody|none|immer|alle|toujours|siempre)\b"
    ),
    "certainty": (
        r"\b(?:prove[sdn]?|proven|certain(?:ly)?|definite(?:ly)?|undoubtedly|undeniabl[ey]|guarantee(?:s|d|ing)?|"
        r"unquestionabl[ey]|conclusive(?:ly)?|inevitabl[ey])\b"
    ),
}
_HELD: dict[str, str] = {
    "cause": (
        r"\b(?:since|so|reasons?|why|due|results?|effects?|mean(?:s|ing|t)|mak(?:e|es|ing)|made|allow\w*|enabl\w*|"
        r"caus\w*|lead\w*|led|for this|whereby|explain\w*|contribut\w*|driv\w*|drove|trigger\w*|thanks|"
        r"responsible|attribut\w*|blam\w*|owing)\b"
    ),
    "comparison": (
        r"\b(?:more|less|fewer|over|above|below|under|at (?:least|most)|up to|half|double|tripl\w+|times|"
        r"beat\w*|as \w+ as|whereas|versus|vs|contrast|compar\w*|prefer\w*|higher|lower|greater|larger|smaller|"
        r"bigger|faster|slower|better|"
        r"worse|longer|shorter|stronger|weaker|older|younger|earlier|later|cheaper|heavier|lighter|wider|denser)\b"
    ),
    "extreme": r"\b(?:top|chief|record|leading|foremost|peak|maximum|minimum|highly|extremely|favou?rite|no other)\b",
    "most": r"\b(?:largely|chiefly|main|primar\w+|usual\w*|typical\w*|predominant\w*|general\w*|half|per ?cent)\b|%",
    "only": r"\b(?:just|merely|single|exclusive|unique|alone|no more than|nothing else|except|one)\b",
    "all": r"\b(?:both|whole|total|full|fully|throughout|each|any|no|not|entire|complete|universal\w*|constantly)\b",
    "certainty": r"\b(?:will|must|ensure\w*|confirm\w*|show\w*|demonstrat\w*|sure)\b",
}
_TIES = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _SAID.items()}
_CARRY = {kind: re.compile(f"{_SAID[kind]}|{pattern}", re.IGNORECASE) for kind, pattern in _HELD.items()}
_LIMITS = {
    "certainty": re.compile(
        r"\b(?:may|might|could|can|likely|probabl[ey]|possibl[ey]|perhaps|suggest\w*|appear\w*|seem\w*|estimat\w*|"
        r"expect\w*|project(?:s|ed)|predict\w*|believed?|thought|reported(?:ly)?|alleged(?:ly)?|"
        r"potential(?:ly)?|tends?|should|"
        r"would|claims?|claimed|argue[sd]?|according to|kann|können|könnte|soll|vermutlich|peut|pourrait|"
        r"puede|podría)\b",
        re.IGNORECASE,
    ),
    "extent": re.compile(
        r"\b(?:some|several|many|few|often|usually|typically|sometimes|generally|mostly|mainly|partly|partially|"
        r"up to|at (?:least|most)|only|nearly|almost|rarely|occasionally|in part|half|einige|manche|oft|parfois|"
        r"algunos)\b",
        re.IGNORECASE,
    ),
    "condition": re.compile(
        r"\b(?:if|unless|except|excluding|provided|when|whenever|until|as long as|depend\w*|subject to|in case|"
        r"wenn|falls|außer|sofern|si|sauf|salvo)\b",
        re.IGNORECASE,
    ),
}


def ties(text: str) -> dict[str, str]:
    """Return what a text ties together or stretches, each kind with the word that does it.

    Kinds: `cause`, `comparison`, `extreme` (superlatives), `most`, `only`, `all` (without exception), `certainty`.
    English; of German, French and Spanish the commonest words.
    """
    return {kind: found.group() for kind, pattern in _TIES.items() if (found := pattern.search(text))}


def untold_ties(text: str, evidence: str) -> tuple[str, ...]:
    """Return the words by which a text ties or stretches what nothing in the evidence does, in any words of that kind.

    The evidence is read generously: "since" carries a cause, "over" a comparison.
    """
    return tuple(word for kind, word in ties(text).items() if not _CARRY[kind].search(evidence))


def lost_limits(text: str, said: str) -> tuple[str, ...]:
    """Return what limits the words that were said (`certainty`, `extent`, `condition`) and no longer the text."""
    return tuple(kind for kind, limit in _LIMITS.items() if limit.search(said) and not limit.search(text))


_OWNED = re.compile(
    r"\b(?:according to|say(?:s|ing)?|said|tell(?:s|ing)?|told|argu\w+|believ\w+|think\w*|thought|claim\w*|estimat\w*|"
    r"forecast\w*|predict\w*|project(?:s|ed|ions?)|expect\w*|anticipat\w*|views?|consider\w*|regard\w*|"
    r"recommend\w*|suggest\w*|prefer\w*|opini\w+|prognos\w+|meinung|previsi\w+|advis\w+|call(?:s|ed)|describ\w+|"
    r"warn\w*|hop(?:e|es|ed|ing)|plan(?:s|ned)?|aims?|"
    r"target\w*|may|might|could|would|should|will|likely|probably|possibly|perhaps|about|around|roughly|approximately|"
    r"nearly|almost|some|between|up to|at least|laut|meint|sagt\w*|schätz\w*|erwart\w*|wird|werden|dürfte\w*|etwa|rund|"
    r"selon|estim\w*|prév\w+|environ|devrait|según|espera\w*|prevé\w*|secondo|previst\w+|segundo|volgens|"
    r"verwacht\w*)\b|[~≈]"
    r"|\b(?:researchers?|scientists?|authors?|experts?|analysts?|economists?|teams?|stud(?:y|ies)|reviews?|trials?|"
    r"meta-analys[ei]s|analys[ei]s|surveys?|polls?|reports?|papers?)\b(?:\s[\w,()-]+){0,8}?\s"
    r"(?:found|finds?|conclude[sd]?|report(?:s|ed)?|show(?:s|ed)?|observe[sd]?|note[sd]?|wr(?:ites?|ote)|measured|"
    r"calculate[sd]?|put|determined|identified)\b",
    re.IGNORECASE,
)


def says_whose(text: str) -> bool:
    """Tell whether a text gives what it says as somebody's, as a guess or as something to come."""
    return bool(_OWNED.search(text))


_COUNT = (
    r"(?:(?:about|around|nearly|almost|some|roughly|approximately|over|up to|at least|circa|"
    r"(?:more|fewer|less) than)\s)?"
    r"(?:\d[\d,.]{0,15}+|(?:a )?(?:hundred|thousand|million)|(?:hundreds|thousands|dozens) of)"
    r"(?:\s(?:thousand|million))?"
)
_SAMPLE = re.compile(
    rf"\b{_COUNT}(?:\s[\w-]+){{0,2}}?\s(?:participants?|respondents|volunteers|interviewees|interviews|questionnaires|"
    r"studies|trials|papers|articles|publications|abstracts)\b"
    r"|\b(?:stud(?:y|ies)|trials?|surveys?|polls?|reviews?|samples?|analys[ei]s|meta-analys[ei]s|cohorts?|data|"
    r"datasets?|experiments?|enroll?ed|recruited|interviewed|polled|surveyed|involv(?:ed|ing)|randomi[sz]ed|examined|"
    r"analy[sz]ed|tracked|followed)\s(?:(?:of|with|from|on|in|among|across|covering|including|involving)\s)?"
    rf"{_COUNT}(?:\s[\w-]+){{0,2}}?\s(?:[a-z]+s|people|men|women|children)\b",
    re.IGNORECASE,
)


def without_samples(text: str) -> str:
    """Return a text without how many were asked or looked at to find something out: "about 12,000 participants"."""
    return _SAMPLE.sub(" ", text)


def untold_kind(text: str, kinds: Sequence[str]) -> str:
    """Return the kind of a claim that a text tells as a fact: `estimate`, `opinion` or `forecast`; empty for none."""
    left = [kind for kind in kinds if kind != "fact"]
    bare = without_samples(text)
    if bare != text and not any(char.isdigit() for char in bare):
        # Whom a study asked is counted, not estimated.
        left = [kind for kind in left if kind != "estimate"]
    return left[0] if left and not says_whose(text) else ""
