"""Cuts a long question into smaller ones: sentences, numbered items, clauses joined by `and`."""

import re
from collections.abc import Sequence
from itertools import pairwise

from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.aspects import listed_aspects
from deepresearch_mcp.thinkers.extractive.completing import completed
from deepresearch_mcp.thinkers.extractive.enumerations import enumeration
from deepresearch_mcp.thinkers.extractive.forms import things_in
from deepresearch_mcp.thinkers.extractive.parts import listed as in_a_row
from deepresearch_mcp.thinkers.extractive.patterns import ADVISE, ASKS, AUX, WH, any_of
from deepresearch_mcp.thinkers.extractive.terms import asked, names

_ME = r"(?:i|we)"
_POLITE = re.compile(
    "^"
    + any_of(
        r"(?:hi|hello|hey|please|kindly|ok(?:ay)?|so|also|and|then|now|additionally|finally|furthermore)\b[,!.]?\s+",
        r"(?:can|could|would|will) you (?:please |kindly )?(?=[a-z])",
        rf"{_ME}(?:['’]d| would)? (?:want|need|like|love|wish|am trying|are trying)(?: you)? to "
        r"(?:know|understand|learn|find out|see|hear)(?: about)?\s+",
        rf"{_ME} (?:am|are|['’]m|['’]re) (?:interested in|curious about|wondering)\s+|do you know\s+|i wonder\s+",
        r"help me (?:to )?(?:understand|find out|find)\s+",
        rf"{_ME}(?:['’]d like| would like| want| need)(?: you to)?\s+",
    ),
    re.IGNORECASE,
)
_WORK = any_of(
    "report|essay|paper|article|analysis|summary|overview|review|survey|description|explanation|account|research|study",
    "comparison",
)
_COMMAND = re.compile(
    "^(?:to )?"
    + any_of(
        r"(?:tell|show|give) me(?: about| an overview of| a summary of)?|explain(?: to me)?|describe|discuss|outline",
        r"summari[sz]e|investigate|research(?: for me)?|researching|exploring|investigating",
        r"find out|find|look (?:in)?to",
        r"analy[sz]e|examine|explore|study|review|assess|evaluate|identify|determine|list",
        rf"write (?:(?:a|an|the) )?(?:[\w-]+ ){{0,6}}?{_WORK}(?: on| about| of)?",
        r"(?:provide|give|prepare|produce|create|conduct|do|perform) (?:(?:a|an|the) )?(?:[\w-]+ ){0,6}?"
        rf"{_WORK}(?: on| about| of| into)?",
        rf"(?:an? )?(?:[\w-]+ ){{0,3}}?{_WORK}(?: on| about| of)",
        r"(?:cover|include|address|consider|focus on|the report should (?:cover|include))(?: the following)?:?",
    )
    + r"\s+(?=\S)",
    re.IGNORECASE,
)
_ARRANGE = re.compile(
    r"^(?:list|show|present|give|break|lay|set|state|report|tell|split)\s+(?:it|this|that|these|those|them|each)\b"
    r"(?:\s+(?:out|down|up))?\s+(?:separately|individually|one by one|by|for each|per|in)\b",
    re.IGNORECASE,
)
"""How the answer is to be set out: `List this out separately for each year.`"""
_COMPARE_THEM = re.compile(
    r"^(?:compare|contrast)(?: and contrast)?\s+(?:them|these|those|both|each|the two)(?: (?:two|all))?\W*$",
    re.IGNORECASE,
)
"""It asks nothing else of the things that were asked about before it: they are set side by side all the same."""
_ITEM = re.compile(r"(?:(?<=\s)|^)(?:\(\w{1,3}\)|\d{1,2}[.)])\s+(?=\S)")
_LONGEST_CLAUSE = 300


_ENGLISH = re.compile(r"^(?:what|how|why|when|where|who|whom|whose|which)\b", re.IGNORECASE)


def is_english(question: str) -> bool:
    """Tell whether a question begins as only English ones do; this works on very short questions too."""
    text = question.strip()
    return bool(_ENGLISH.match(text) or _COMMAND.match(text) or _POLITE.match(text))


def clauses(question: str) -> list[str]:
    """Return the questions and tasks of a question in order, each in its own words without polite ones.

    Sentences that ask nothing are background and are left out. If none asks, the whole question is returned.
    """
    found: list[str] = []
    listed = False
    topic = context = ""
    for sentence in _sentences(question):
        bare, commanded = _bare(sentence)
        topic = topic or _topic_of(sentence)
        context = context or _need(bare)
        # The items after `Cover: (1) …` are questions too.
        commanded = commanded or (listed and not sentence.endswith("."))
        listed = sentence.endswith(":") or (listed and commanded)
        listing, _, wanted = _ENDS_WITH.sub(_END, sentence).partition(_END)
        said = _POLITE.sub("", sentence.strip())
        if found and (_ARRANGE.match(said) or _COMPARE_THEM.match(said)):
            continue
        things = _things_before(found)
        if things and (about := listed_aspects(_unasked(listing) if _COVER.match(listing) else listing)):
            found.extend(f"{in_a_row(things)}: {one}" for one in about)
            found.extend(f"recommend {wanted.rstrip('.')}" for _ in [wanted] if wanted)
            continue
        if not bare or not (commanded or ASKS.match(bare) or sentence.rstrip().endswith("?")):
            continue
        found.extend(_joined(bare))
    kept = [clause for clause in found if asked(clause)]
    if context and len(kept) > 1:
        # What is only told is no question: it says what the questions are about.
        kept = [clause for clause in kept if not _need(clause)]
    return completed(list(dict.fromkeys(kept)), topic or context) or [_bare(question)[0] or " ".join(question.split())]


def _things_before(found: Sequence[str]) -> list[str]:
    """Return the things that the clauses so far set side by side."""
    for clause in found:
        if named := things_in(clause):
            return named
    return []


_END = "\0"
_ENDS_WITH = re.compile(
    r"[,;.]?\s+(?:and\s+|then\s+)*(?:end|finish|close|conclude)\s+with\s+(?:an?\s+|your\s+)?recommendations?\b\s*",
    re.IGNORECASE,
)
_COVER = re.compile(r"^(?:please|also|then|now)\b", re.IGNORECASE)
_TOPIC = re.compile(rf"^(?P<topic>[^?:]{{3,80}}):\s+(?:{WH})\s", re.IGNORECASE)
_SET_SIDE_BY_SIDE = re.compile(r"\s(?:vs\.?|versus|or|and)\s", re.IGNORECASE)
_NEED = re.compile(
    r"^(?:i|we)\b.*?\b(?:how to|where to|whether to)\s+(?P<do>[a-z]+(?:\s+[\w’'-]+){0,5}?)(?=[?.,;]|$)", re.IGNORECASE
)


def _topic_of(sentence: str) -> str:
    """Return what stands before a colon, where it sets things side by side: `Rebase versus merge: when …`."""
    match = _TOPIC.match(_unasked(sentence))
    topic = match["topic"].strip() if match else ""
    return topic if _SET_SIDE_BY_SIDE.search(topic) and len(topic.split()) <= _TOPIC_WORDS else ""


_TOPIC_WORDS = 8


def _need(sentence: str) -> str:
    """Return what someone who tells of a need has to decide, with the thing it is for: `store sessions, Django 3.2`."""
    match = _NEED.match(sentence)
    if match is None:
        return ""
    named = next((name for name in names(sentence) if name not in match["do"]), "")
    return f"how to {match['do']}{f' with {named}' if named else ''}"


def _sentences(question: str) -> list[str]:
    found: list[str] = []
    for span in sentences(question):
        text = " ".join(question[span.start : span.end].split())
        if listed := enumeration(text):
            found.extend(listed.clauses)
            continue
        cuts = [match.start() for match in _ITEM.finditer(text)]
        edges = [0, *cuts, len(text)] if len(cuts) > 1 else [0, len(text)]
        pieces = (text[low:high] for low, high in pairwise(edges))
        items = (_ITEM.sub("", part).strip() for part in pieces)
        # The full stop behind the last item ends the list.
        found.extend(piece for item in items if (piece := item.rstrip(".;") if len(cuts) > 1 else item))
    return found


_INTRODUCED = re.compile(rf"^[^?:]{{0,160}}:\s+(?={WH}\s)", re.IGNORECASE)


def _unasked(sentence: str) -> str:
    """Remove polite words and the command from a sentence."""
    text, before = sentence.strip(), ""
    while text != before:
        before = text
        text = _COMMAND.sub("", _POLITE.sub("", text))
    return text


_SCENE = re.compile(
    r"^(?:for|in|with|using|on|regarding|about)\s+(?P<scene>[A-Z][\w.+#-]*(?: [\w.+#-]+){0,3}),\s+(?P<task>.+)$",
    re.IGNORECASE | re.DOTALL,
)


def _scene(sentence: str) -> tuple[str, str]:
    """Return what a task is set in, and the task: `For Django 3.2, explain …`; "" where it is no task or not set."""
    match = _SCENE.match(sentence)
    return (match["scene"], match["task"]) if match and _COMMAND.match(match["task"]) else ("", sentence)


def _bare(sentence: str) -> tuple[str, bool]:
    """Remove polite words and the command from a sentence; say whether there was a command."""
    scene, text = _scene(sentence.strip())
    before, commanded = "", False
    while text != before:
        before = text
        text = _POLITE.sub("", text)
        if match := _COMMAND.match(text):
            commanded = True
            text = text[match.end() :]
    text = _INTRODUCED.sub("", text)
    if text != sentence.strip():
        commanded = commanded or not sentence.rstrip().endswith("?")
    return (f"{scene}: {text.strip()}" if scene else text.strip()), commanded


_SAY = r"(?:say|tell me|tell|state)\s+(?:which|what|who|how|why|when|where|whether)\b"
_AND = re.compile(
    rf",?\s+(?:and|or|but|as well as|and also)\s+(?={ADVISE}\s|{_SAY}|"
    r"(?:what|how|why|when|where|to what extent|in what \w+)\b|"
    rf"(?:who|which|whose)\s+(?:{AUX}|\w+ {AUX})\b|"
    rf"{AUX}\s+(?:it|they|there|he|she|this|that|these|those|its|their|the)\b)|"
    rf";\s+|,\s+(?=(?:what|how|why)\s+(?:{AUX}|\w+ {AUX})\b)|\?\s+(?=\S)",
    re.IGNORECASE,
)
_LINK = re.compile(
    rf"^(?:(?:and|or|but)(?:\s+|$))?(?:(?:say|tell me|tell|state)\s+(?={WH}\b|whether\b))?", re.IGNORECASE
)
_OPEN = re.compile(r"\b(?:how|why|what|when|where|which|who)$", re.IGNORECASE)


def _joined(clause: str) -> list[str]:
    """Cut at `, and what …`; a piece that could not stand alone stays with the one before it."""
    cut = (_LINK.sub("", piece.strip(" ,;")) for piece in _AND.split(clause))
    pieces = [piece for piece in cut if piece]
    found: list[str] = []
    for piece in pieces:
        if found and _OPEN.search(found[-1]):
            found[-1] = f"{found[-1]} and {piece}"
        elif found and not ASKS.match(found[-1]) and len(found[-1].split()) <= 6:
            # An opening such as `In ecology` is not yet a question.
            found[-1] = f"{found[-1]}, {piece}"
        elif found and (len(piece.split()) < 3 or not ASKS.match(piece)):
            found[-1] = f"{found[-1]} and {piece}"
        else:
            found.append(piece)
    ending = "?" if clause.endswith("?") else ""
    return [piece.rstrip("?. ") + ending if len(piece) <= _LONGEST_CLAUSE else piece for piece in found]
