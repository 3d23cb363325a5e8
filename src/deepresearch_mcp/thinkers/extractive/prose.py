"""Sentences of a page made fit to stand in a report: what is prose, cleaned of marks, shortened, closed."""

import re
from itertools import pairwise

from deepresearch_mcp.thinkers.extractive.patterns import any_of

_CODE_SPAN = re.compile(r"(`{1,2})([^`\n]+?)\1(?!`)_{0,2}")
_ROLE = re.compile(r":[a-z]+(?::[a-z]+)*:`~?!?([^`<>]+?)(?:\s*<[^`<>]*>)?`")
_RST_LINK = re.compile(r"`([^`<>]+?)\s*<[^`<>]+>`_{1,2}")
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_LINK = re.compile(
    r"\[([^\[\]]+)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)|\[(?!\d+\])([^\[\]]+)\]\[[^\[\]]*\]"
)
_NOTE_MARK = re.compile(
    r"\s?\[(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|#\w*|citation needed|note \d+|update)\]_?|(?<=[.,;:)])\[[a-z]\]",
    re.IGNORECASE,
)
_STRONG = re.compile(r"(?<![\w*\\])(\*\*\*|\*\*|\*)(?=[^\s*])((?:(?!\1)[^\n]|\n(?!\n))+?)(?<=[^\s*])\1(?![\w*])")
_UNDER = re.compile(r"(?<![\w\\])(_)(?=[^\s_])([^_\n]+?)(?<=[^\s_])\1(?!\w)")
_UNDER_STRONG = re.compile(r"(?<![\w\\])__(?=[^\s_]*\s)(?=\S)([^_\n]+?)(?<=\S)__(?!\w)")
_TAG = re.compile(r"</?(?:a|b|i|em|strong|code|sup|sub|span|br|p|u|small|kbd)\b[^<>]*>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
_ASIDE = re.compile(
    r"\s?\((?:see|cf\.?|compare|as (?:described|discussed|explained|shown) (?:in|above|below))\b[^()]{0,80}\)",
    re.IGNORECASE,
)
_WRAP_HYPHEN = re.compile(r"(?<=\w)-\n[ \t]*(?=[a-z])")


def clean(text: str) -> str:
    """Return a sentence without the marks of Markdown and reStructuredText, on one line.

    The words stay as they are and in order. What stands between backquotes is left alone inside.
    """
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match.group(2))
        return f"\x00{len(kept) - 1}\x00"

    text = _RST_LINK.sub(r"\1", _ROLE.sub(r"\1", text))
    text = _CODE_SPAN.sub(keep, text)
    text = _LINK.sub(lambda match: match.group(1) or match.group(2), _IMAGE.sub("", text))
    text = _TAG.sub("", _NOTE_MARK.sub("", text))
    text = _STRONG.sub(r"\2", _STRONG.sub(r"\2", text))
    text = _UNDER.sub(r"\2", _UNDER_STRONG.sub(r"\1", text))
    text = _ESCAPED.sub(r"\1", text)
    text = _ASIDE.sub("", text)
    text = re.sub("\x00(\\d+)\x00", lambda match: kept[int(match.group(1))], text)
    return " ".join(_WRAP_HYPHEN.sub("-", text).split())


_LABEL = re.compile(
    r"(?:[*_]{1,2})?(?:Note|Notes|Warning|Tip|Hint|Caution|Important|Attention|Fact|Answer|A|Summary|Abstract|TL;DR)"
    r"(?:[*_]{1,2})?:(?:[*_]{1,2})?\s+(?=\S)"
)


def label(text: str) -> int:
    """Count the characters of a label such as `Note:` that opens the sentence; 0 where none does."""
    match = _LABEL.match(text)
    return match.end() if match else 0


_NAVIGATION = re.compile(
    r"\b"
    + any_of(
        r"click (?:here|on|the)|read more|sign (?:up|in)|log ?in|subscribe|newsletter|follow us|contact us",
        r"cookies?\b.{0,40}\b(?:use|accept|consent|policy)|(?:uses?|accepts?|stores?) cookies|privacy policy",
        r"terms of (?:use|service)|all rights reserved|copyright ©|skip to|table of contents|back to top|advertisement",
        r"leave a comment|share (?:this|on)|enable javascript|your browser|download (?:the|now)|retrieved \d",
        r"see also|see (?:the )?(?:section|chapter|appendix|figure|table|page|documentation)s?",
        r"for (?:more|further|additional) (?:information|details)",
        r"(?:more|further|additional) (?:information|details) (?:on|about|can|is|are)",
        r"(?:is|are) (?:described|discussed|explained|listed|given|documented|shown) (?:in|below|above|here|later)",
        r"(?:is|are) (?:described|discussed|explained|documented|covered) in (?:greater|more) detail",
        r"in (?:this|the (?:next|following|previous)) (?:section|chapter|article|tutorial|post|guide|video)",
        r"(?:this|the following) (?:section|chapter|article|tutorial|post|guide|video|page|table|example|list)",
    )
    + r"\b|©",
    re.IGNORECASE,
)
_NO_OPENING = re.compile(
    any_of(
        r"(?:changed|new|added|deprecated|removed|introduced) in (?:version )?\d",
        r"(?:pep|rfc|iso) [\d-]+ [-–:]",
        r"(?:see|what has happened)\b",
        r"\.\.\.|\(",
    ),
    re.IGNORECASE,
)
_CODE = re.compile(
    r"::=|>>>|\)\s+#\s|\bdef \w+\(|\bprint\(|[;{}]\s*$|\w\(\w*\)\s*[;{=]|=>|==|\|\||&&|^\s*\|.*\||\w+ = \w+|^\s*"
    + any_of(
        r"\$ |# |//|/\*|<[a-z!/]|\{|\}|@\w+|class \w+[:(]|import \w+$|from \w+ import |return\b",
        r"(?:if|for|while|try|else|elif|except|with)\b[^.]*:$",
    )
)
_LEANING_WORDS_SPELT = (
    "it its this these those that they their them he she his her such however but also both therefore thereby "
    "thus hence so then and or yet additionally furthermore moreover further besides similarly likewise "
    "conversely consequently instead otherwise nevertheless nonetheless meanwhile finally afterward afterwards "
    "later soon another other others neither here now again i we our my you your let let's called return returns "
    "raise raises raised used can must should may might will does do has have is are was were automatically "
    "optionally"
)
_LEANING_WORDS = _LEANING_WORDS_SPELT.split()
_DANGLING = re.compile(
    any_of(
        "|".join(_LEANING_WORDS),
        r"as such|as a result|in addition|in contrast|on the (?:one|other) hand|for (?:this|that) reason|that is",
        r"for (?:example|instance)|in (?:this|that|such|these|those|either|both|other|each) \w+|at (?:this|that) \w+",
        r"the (?:former|latter|same|other|second|third|next|following|above|example|result)|some of these",
        r"(?:one|each|all|both|none|neither) of (?:these|them|those)|(?:under|with|by|from) (?:this|that|these|those)",
        r"(?:because of|due to|despite|unlike|after|before|until|since) (?:this|that|these|those|it)",
    )
    + r"\b(?![-’'.]\w)",
    re.IGNORECASE,
)
_IMPERSONAL = re.compile(
    any_of(
        r"it (?:is|was|has been|can be|may be|appears|seems|turns out|follows)\b[^,.]{0,60}?\b(?:that|to|whether)\b",
        r"(?:that|those) (?:who|which)\b|both \S.{0,60}? and\b|neither\b.{0,60}? nor\b|such as\b",
        r"its? (?:is|was) (?:thought|believed|estimated)\b",
    ),
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|cannot|could|will|would|may|might|must|shall|should|do|does|did|"
    r"say|says|show|shows|mean|means|make|makes|made|give|gives|gave|take|takes|took|let|lets|put|puts|set|sets|run|runs|"
    r"hold|holds|held|lie|lies|lay|go|goes|went|come|comes|came|get|gets|got|become|becomes|became|begin|begins|began|"
    r"contains?|consists?|includes?|provides?|allows?|returns?|uses?|needs?|takes?|evaluates?|applies|specif(?:y|ies)|"
    r"defines?|describes?|refers?|follows?|works?|starts?|ends?|leads?|occurs?|exists?|\w{3,}ed)\b|n['’]t\b",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"(?:the|an?)\s(?:[\w\"'’()-]+\s){1,3}?(?:of|for|containing)\s.{0,60}$", re.IGNORECASE)
_FINAL = re.compile(r"[.!…。！।][\"'”’»)\]]*$")
_SHORTEST = 40
_LONGEST = 450
_FEWEST_WORDS = 6
_MANY_WORDS = 20
"""So many without comma and full stop stand in a table."""


def is_prose(text: str) -> bool:
    """Tell whether a cleaned sentence says something by itself: no menu, code, table row, question, title or fragment.

    Between 40 and 400 characters; scripts that need fewer for the same are allowed a third of that.
    """
    wide = sum(char > "\u2e7f" for char in text) > len(text) / 3
    if not (_SHORTEST // (3 if wide else 1) <= len(text) <= _LONGEST):
        return False
    if text[0].islower() and not any(
        char.isupper() or char.isdigit() or char == "_" for char in text.split(maxsplit=1)[0]
    ):
        return False
    if text[-1] in ":?？,;" or text.rstrip("\"”’'")[-1:] in {"?", "？"} or _NO_OPENING.match(text):
        return False
    if _ENTRY.match(text) and not _FINITE.search(text):
        # A glossary's or an index's entry: "The tuple of base classes of a class object."
        return False
    if _CODE.search(text) or _NAVIGATION.search(text):
        return False
    letters = sum(char.isalpha() for char in text)
    if letters < 0.6 * len(text):
        return False
    return wide or not _is_menu(text)


def _is_menu(text: str) -> bool:
    """Tell titles, menus and tables: few words, nearly all with a capital, or many in a row, and no full stop."""
    tokens = text.split()
    if len(tokens) < _FEWEST_WORDS:
        return True
    if is_closed(text):
        return False
    long = [token for token in tokens if len(token) > 3 and token[0].isalpha()]
    titled = sum(token[0].isupper() for token in long) > 0.7 * len(long)
    return titled or (len(tokens) >= _MANY_WORDS and "," not in text)


def is_closed(text: str) -> bool:
    """Tell whether a sentence ends as sentences do; captions and list items often do not."""
    return bool(_FINAL.search(text))


def dangles(text: str) -> bool:
    """Tell whether the opening words lean on a sentence before: `It`, `However`, `In this case`."""
    return bool(_DANGLING.match(text)) and not _IMPERSONAL.match(text)


def finished(text: str) -> str:
    """Give the sentence a capital and a full stop where it has none."""
    text = text.rstrip(" ,;:–—-")
    if not text:
        return ""
    if not is_closed(text) and text[-1] not in "?؟？":
        text += "。" if text[-1] > "\u2e7f" else "."
    return text


_CLAUSE = re.compile(r"[,;:](?=\s)|\s[–—-](?=\s)|(?=\s\()|(?<=\))(?=\s)|(?<=[，；：、])")


def clip(text: str, limit: int) -> str:
    """Shorten to `limit` characters, the `…` included: at a clause, else between words; "" where nothing fits."""
    if len(text) <= limit:
        return text
    room = limit - 1
    ends = [match.start() for match in _CLAUSE.finditer(text) if limit // 2 <= match.start() <= room]
    if ends and text.count("(", 0, ends[-1]) == text.count(")", 0, ends[-1]):
        return text[: ends[-1]].rstrip(" ,;:–—-") + "…"
    at = text.rfind(" ", 0, room + 1)
    if at <= 0:
        at = room if " " not in text and text[:1] > "\u2e7f" else 0
    kept = text[:at].rstrip(" ,;:–—-(")
    return kept + "…" if kept else ""


_LEADING_UP = re.compile(
    r"(?:Although|As|Because|Before|If|Once|Since|Though|Unless|Until|When(?:ever)?|Where(?:as|ver)?|While"
    r"|Bevor|Da|Falls|Nachdem|Obwohl|Sobald|Solange|Weil|Wenn|Während"
    r"|Bien que|Comme|Lorsque|Parce que|Puisque|Quand|Si|Tandis que|Aunque|Como|Cuando|Mientras|Porque)\b"
)
"""Words that begin a clause which says nothing without the one behind it."""


def shortened(text: str, limit: int) -> str:
    """Clip to `limit` characters, or to twice as many where else the clause would go that the beginning leads up to."""
    leads_up = _LEADING_UP.match(text) is not None and len(text) <= 2 * limit
    return text if leads_up else clip(text, limit)


def clauses(text: str) -> list[str]:
    """Cut a sentence at its commas, semicolons, dashes and brackets; joined again they give the sentence."""
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    return [text[low:high] for low, high in pairwise(cuts) if high > low]


_POINTING = re.compile(r"\b(?:this|these|those|such an?)\b", re.IGNORECASE)


def points(text: str) -> bool:
    """Tell whether a sentence points at something said elsewhere, wherever in it: `Few types have this operator`."""
    return bool(_POINTING.search(text))
