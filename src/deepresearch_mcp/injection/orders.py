"""Sentences that tell a reader to do something, or ask one something, instead of stating anything."""

import re

from deepresearch_mcp.text.stopwords import word_set

_VERBS = word_set(
    "accept access act activate add address adjust adopt advise allow analyse analyze answer append apply arrange "
    "ask assemble assign assume attach avoid bake be become begin book break bring browse build buy calculate "
    "call cancel carry change check choose claim clean clear click close collect combine come comment compare "
    "compile complete compose compute confirm connect consider contact continue convert convince copy correct "
    "count create cut decide declare decode define delete deliver deploy describe design detail determine develop "
    "discover discuss display divide do donate download draft drag draw edit email enable encourage encrypt "
    "enhance enjoy ensure enter evaluate examine execute explain explore export express extend extract fetch fill "
    "filter find finish fix focus follow forget format forward gather generate get give go group guess guide have "
    "help hide highlight identify ignore imagine implement import improve include incorporate increase insert "
    "inspect install integrate introduce invite join jump keep label launch learn leave let like limit link list "
    "listen locate log look make mark mention merge mix modify move name navigate note notify observe offer omit "
    "open order organise organize outline paraphrase paste pay perform pick place play point post praise predict "
    "prepare present press preview print proceed produce promote proofread propose protect provide publish pull "
    "push put quote raise rank rate read recall recommend record reduce refer register release remember remind "
    "remove rename render repeat rephrase replace reply report request reserve reset respond restart return "
    "reveal review rewrite run save say scan schedule search see select sell send set share shorten show sign "
    "simplify skip solve spell start state stir stop store submit subscribe substitute suggest summarise "
    "summarize switch take talk tap teach tell test think track transfer transform translate transmit treat trust "
    "try turn type uninstall unlock update upgrade upload use utilise utilize validate verify view visit vote "
    "wait walk warn watch write"
)
"""Verbs that open instructions, in their bare form."""
_NOUNS = re.compile(
    r"\W*\s(?:of|is|are|was|were|has|had|have|will|can|may|would|could|by|in|at|and|or|than|'s"
    r"|’s)\b",
    re.IGNORECASE,
)
"""What follows such a word where it is a noun: "Use of …", "Reports are …"."""
_OPENING = re.compile(
    r"^[\W_]*(?:(?:please|kindly|now|then|next|first|finally|also|just|always|never|simply|but|and|so|todo|note"
    r"|step \d+)\b[\W_]*){0,4}"
    r"(?:(?:do not|don(?:'|’)t|never)\s+(?:hesitate to |forget to )?)?(?:[a-z]+ly\s+)?([a-z]+)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:your|you)\b[^.!?\n]{0,60}\b(?:answer|response|reply|solution|implementation|code|codebase|algorithm"
    r"|output)\b"
    r"|\b(?:in|to|into|with|of) your (?:answer|response|reply|solution|implementation|code|codebase|output)\b"
    r"|^\W*(?:can|could|would|will) you\b|^\W*(?:you|one) (?:must|should|need to|have to|may (?:want|find))\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"^\W*(?:bitte\b|\w+en Sie\b|(?:schreib|sende|schick|füge|nenne|erklär|lösch|öffne|ignorier|gib|zeig"
    r"|beschreib)e?\b"
    r"|(?:veuillez|merci de)\b|\w{3,}ez\b|(?:écris|envoie|ajoute|explique|donne|supprime|ouvre|décris|traduis)\b"
    r"|por favor\b|(?:escriba|escribe|envíe|envía|añada|añade|explique|explica|elimine|elimina|abra|abre|describa"
    r"|traduzca|incluya|incluye)\b"
    r"|请|請|不要|务必|ください)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？؟][\"”’»)\]]*\s*$")
_HOW = re.compile(
    r"\bhow (?:is|are)\b[^?]{0,60}\b(?:done|made|taken|used|given|applied|treated|cooked|cleaned|replaced|reset)\b"
    r"|\bhow (?:much|many|often)\b[^?]{0,60}\b(?:safe|safely|allowed|dose|doses|should|take)\b|\b(?:dose|dosage)\b|"
    r"\bhow (?:do|does|can|could|should|would|to|must|might)\b|\b(?:steps?|instructions?|guide|tutorial|recipe"
    r"|checklist|tips|advice|best practices?)\b"
    r"|\b(?:install|set ?up|configure|troubleshoot|recommended|should I|must I|what to do|ways to)\b"
    r"|\bwie (?:kann|soll|muss|geht|macht|lässt|man|ich)\b|\banleitung\b|\bcomment (?:faire|puis|peut|dois"
    r"|\w+er)\b|\b(?:mode d['’]emploi|recette)\b"
    r"|\bcómo (?:puedo|se|hacer|\w+r)\b|\b(?:instrucciones|receta)\b|如何|怎么|怎样|步骤|方法",
    re.IGNORECASE,
)


def is_order(sentence: str) -> bool:
    """Whether a sentence is an instruction or a question to its reader, as far as its words tell.

    Made for a use in which a mistake costs little: only sentences that have nothing to do with what was asked are
    dropped for it.
    """
    if _ASKS.search(sentence) or _OTHERS.match(sentence) or _ELSEWHERE.search(sentence):
        return True
    found = _OPENING.match(sentence)
    return bool(found and found[1].lower() in _VERBS and not _NOUNS.match(sentence, found.end()))


def is_code(line: str) -> bool:
    """Whether a line is a piece of a program and no sentence."""
    return (
        bool(_CODE.search(line)) or _is_statement(line) or sum(map(line.count, "{}[]()=;_\"'/<>")) > _SIGNS * len(line)
    )


_SIGNS = 0.1
"""Share of a program's signs among the characters of a line; prose has less than half of it."""
_CODE = re.compile(
    r"\w\((?:[^()\n\"'=_.,]*+[\"'=_.,][^()\n]*+|)\)"
    r"|^\s*(?:import \w|from [\w.]+ import )|[\w\])] ?(?:==|!=|:=|\+=|=>|->|&&|\|\|) ?[\w\"'(\[]"
    r"|^\s*[\w.\[\]\"', ]{1,60} = \S|[{};]\s*$|^```"
)


def _is_statement(line: str) -> bool:
    """Whether a line opens with a keyword and ends with a sign, or with one and a last word: "for x in y:"."""
    line = line.removesuffix("\n")
    opened = _KEYWORD.match(line)
    if opened is None:
        return False
    prose = _PROSE.search(line, opened.end())
    head = prose.start() if prose else len(line)
    words = [line.rstrip(), ""] if line[-1:].isspace() else line.rsplit(None, 1)
    last = len(words[0]) - 1 if len(words) > 1 else 0
    sign = _SIGN.search(line, max(opened.end(), last))
    return sign is not None and sign.start() < head


_KEYWORD = re.compile(r"\s*(?:import|from|def|class|return|const|let|var|with|for|if)\b")
_PROSE = re.compile(r"[.?!]")
_SIGN = re.compile(r"[:;(=]")


def asks_how(question: str) -> bool:
    """Whether instructions would answer a question."""
    return bool(_HOW.search(question))
