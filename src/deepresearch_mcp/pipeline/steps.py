"""Every kind of recorded step, once: its key, the stage that it belongs to, and what is done in it.

A key names the subject of a step, never a position in time: `read/q1/3f9c0a127e44`. Stored runs hang on these keys, so
a kind is never renamed; a new meaning takes a new kind. No stage writes or takes apart a key by
itself. A wrapper or a thinker adds its own steps below the one that it is given, as `…/again`, by `part_of`, and
`kind_named` tells which kind a key is of (`ports/journal`).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from deepresearch_mcp.ports.journal import FORKED, Step, kind_named
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.sources import Passage, Query
from deepresearch_mcp.text.urls import short_hash

Stage = Literal["planner", "searcher", "reader", "verifier", "analyst", "writer"]
"""In the order in which a run reaches them."""

_DIGITS = 12
"""Hexadecimal digits of a hash in a key: 48 bits, enough for the some thousand steps of a run."""


@dataclass(frozen=True, slots=True)
class RecordedKind:
    """What the first part of a key says of a step."""

    name: str
    """The first part of its key."""
    stage: Stage | None
    """The stage that a fork has to begin with to do it anew; None: every life of every fork shares it."""
    words: str
    """What is done in it; `docs/reference.md` lists them."""


_SHOWN = "shown"
"""The passages of one sub-question's pages; now they are chosen from all pages."""

KINDS: Mapping[str, RecordedKind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            RecordedKind("clock", None, "fix the day of the run"),
            RecordedKind("background", None, "take over the run that it follows"),
            RecordedKind("nonce", None, "draw the word that fences page text"),
            RecordedKind("judges", None, "name the models that judge"),
            RecordedKind(FORKED, None, "name what a fork makes anew"),
            RecordedKind("work", None, "ask the model of the calling client"),
            RecordedKind("estimate", "planner", "estimate what it will use"),
            RecordedKind("plan", "planner", "plan"),
            RecordedKind("private", "searcher", "keep a query with words of collections from the web"),
            RecordedKind("search", "searcher", "ask a search engine"),
            RecordedKind("earlier", "searcher", "use an earlier answer of an engine"),
            RecordedKind("fuse", "searcher", "rank hits of several engines"),
            RecordedKind("admit", "searcher", "admit hits"),
            RecordedKind("batch", "searcher", "choose the pages of a batch"),
            RecordedKind("fetch", "searcher", "fetch a page"),
            RecordedKind("unread", "reader", "choose the pages that are still to be read"),
            RecordedKind(_SHOWN, "reader", "choose passages"),
            RecordedKind("chosen", "reader", "choose passages of all pages"),
            RecordedKind("remnants", "reader", "choose few passages that are read together"),
            RecordedKind("read", "reader", "read passages"),
            RecordedKind("follow", "reader", "follow leads"),
            RecordedKind("together", "verifier", "choose claims that are judged together"),
            RecordedKind("verify", "verifier", "judge claims"),
            RecordedKind("pairs", "verifier", "choose claims to compare"),
            RecordedKind("compare", "verifier", "compare claims"),
            RecordedKind("assess", "analyst", "assess coverage"),
            RecordedKind("reflect", "analyst", "decide on another round"),
            RecordedKind("pace", "analyst", "fit a round to the ceilings"),
            RecordedKind("gaps", "analyst", "name what is missing"),
            RecordedKind("consolidate", "analyst", "join claims that state one fact"),
            RecordedKind("gap_check", "reader", "compare what is told as open with the report"),
            RecordedKind("gather", "reader", "look for what a report lacks"),
            RecordedKind("outline", "writer", "outline"),
            RecordedKind("write", "writer", "write"),
            RecordedKind("critique", "writer", "criticise drafts"),
            RecordedKind("revise", "writer", "revise"),
            RecordedKind("conclude", "writer", "write the opening"),
            RecordedKind("sketch", "writer", "sketch the answer"),
            RecordedKind("section", "writer", "write a section"),
            RecordedKind("edit", "writer", "edit the whole"),
            RecordedKind("review", "writer", "review the whole"),
            RecordedKind("fill", "writer", "look up what the report leaves empty"),
            RecordedKind("opening", "writer", "write the direct answer"),
            RecordedKind("audit", "writer", "audit sentences"),
            RecordedKind("direct", "writer", "answer without research"),
            RecordedKind("check", None, "check a cited text"),
            RecordedKind("judged", None, "judge a report or a run"),
        )
    }
)


PACED = ("batch", "remnants", "together")
"""Kinds that hang on how fast pages come in, not on what they say: a thinker of another pace does them anew."""


def recorded_kind(key: str) -> RecordedKind | None:
    """The kind of a step; None for a key that no version of this program wrote."""
    return KINDS.get(kind_named(key))


def is_of_an_earlier_version(key: str) -> bool:
    """Whether only an earlier version recorded such a step while it read: that run is planned and read anew."""
    return kind_named(key) == _SHOWN


def stage_of(key: str) -> Stage | None:
    """The stage that a step belongs to; None for what no stage does."""
    kind = recorded_kind(key)
    return kind.stage if kind else None


def kinds_from(stage: Stage) -> tuple[str, ...]:
    """The kinds that a fork from this stage does anew: the stage's own and those of the stages behind it."""
    order = get_args(Stage)
    later = order[order.index(stage) :]
    return tuple(kind.name for one in later for kind in KINDS.values() if kind.stage == one)


def subject_of(key: str) -> str:
    """What a step is about, as the sub-question that passages are read for; "" where its kind says it all."""
    return key.partition("/")[2].partition("/")[0]


def admitted_for(key: str) -> str:
    """The sub-question that an `admit` step chose hits for; "" for any other step."""
    kind, _, rest = key.partition("/")
    return rest.rpartition("/")[2] if kind == "admit" else ""


def engine_of(search_key: str) -> str:
    """The engine that a `search` step asked."""
    return search_key.split("/")[2]


# What a run begins with

TODAY = "clock/today"
BACKGROUND = "background"
NONCE = "nonce"
JUDGES = "judges"
ESTIMATE = "estimate"
AFFORD = "plan/afford"
"""The user's answer to what it would cost; also the id of that question."""
PLAN = "plan"
CLARIFY = "plan/clarify"
CLARIFIED = "plan/clarified"


def approval(number: int) -> str:
    """The user's answer to the plan as it is shown for the `number`th time; also the id of that question."""
    return f"plan/approve/{number}"


def revision(number: int) -> Step:
    """The plan made anew after the user's `number`th answer."""
    return Step(f"plan/revised/{number}", (approval(number),))


# Searching and fetching


def search(query: Query, engine: str) -> str:
    """The first attempt to ask an engine; hashed without the number of hits wanted."""
    return f"search/{_digest(json.dumps(query.subject() | {'limit': None}, sort_keys=True))}/{engine}"


def query_id(query: Query, group: Sequence[str]) -> str:
    """What names a query to a group of engines in the keys of the steps that deal with their answers."""
    return f"{_digest(repr(query))}/{group[0]}"


def private(query: str, depends_on: tuple[str, ...]) -> Step:
    """The word of a query that only collections have, if any."""
    return Step(f"private/{_digest(query)}", depends_on)


def earlier(asked: str, depends_on: tuple[str, ...]) -> Step:
    """Answers of an earlier run, in the place of engines that failed."""
    return Step(f"earlier/{asked}", depends_on)


def fuse(asked: str, depends_on: tuple[str, ...]) -> Step:
    """Which engines had answered when the first hits were ranked."""
    return Step(f"fuse/{asked}", depends_on)


FIRST = "first"
"""Answer to `admitted`: hits of the engines that answered in time, ranked together."""


def admitted(asked: str, answer: str = FIRST) -> str:
    """Names hits that are offered to sub-questions; `answer` is a late engine's name."""
    return f"admit/{asked}/{answer}"


def admitted_earlier(earlier_key: str) -> str:
    """The same for the hits of an earlier run."""
    return f"admit/{earlier_key}"


def admit(admitted: str, sub_question: str, depends_on: tuple[str, ...]) -> Step:
    """The hits of one answer that one sub-question wants."""
    return Step(f"{admitted}/{sub_question}", depends_on)


def batch(sub_question: str, round_number: int, number: int) -> Step:
    """The pages that are read together."""
    return Step(f"batch/{sub_question}/{round_number}/{number}")


def fetch(url: str) -> str:
    """The fetch of an address, however it is written."""
    return f"fetch/{short_hash(url)}"


# Reading and verifying


def chosen(sub_question: str, round_number: int, number: int, words: str, depends_on: tuple[str, ...]) -> Step:
    """The passages of all pages that are read once a batch is in; `words`: the query that led there, if not planned."""
    key = f"chosen/{sub_question}/{round_number}/{number}"
    return Step(f"{key}/{_digest(words)}" if words else key, depends_on)


def remnants(round_number: int) -> Step:
    """The passages of a round that are read together, as each choice has few of them."""
    return Step(f"remnants/{round_number}")


def read(sub_question: SubQuestion, passages: Sequence[Passage]) -> str:
    """A reading of these very passages for a sub-question."""
    # With the words: what a lead led to may have been read before, for the sub-question itself.
    places = (f"{one.source_id}:{one.start}:{one.end}" for one in passages)
    return f"read/{sub_question.id}/{_digest(sub_question.text, *places)}"


def follow(read_key: str) -> Step:
    """The leads of a reading that are followed."""
    return _behind(read_key, "read", "follow")


def verify(read_key: str) -> Step:
    """The judgement of a reading's claims."""
    return _behind(read_key, "read", "verify")


def together(verify: Step) -> Step:
    """The claims that a reading's claims are judged together with."""
    return replace(verify, key=_renamed(verify.key, "verify", "together"))


def judged(claims: Iterable[str], depends_on: tuple[str, ...]) -> Step:
    """The judgement of claims of several readings."""
    # With the readings: others may find the same claims later.
    return Step(f"verify/{_digest(*claims, *depends_on)}", depends_on)


# Rounds


def assess(number: int) -> str:
    """How well the question is covered after a round."""
    return f"assess/{number}"


def reflect(number: int, depends_on: tuple[str, ...]) -> Step:
    """Whether another round is made after a round, and what it asks."""
    return Step(f"reflect/{number}", depends_on)


def pace(round_number: int, sub_question: str = "") -> str:
    """What a round, or one sub-question that had to wait in it, may still ask."""
    return f"pace/{round_number}/{sub_question}" if sub_question else f"pace/{round_number}"


def pace_of_writing(wanted: Iterable[str], turn: int) -> str:
    """Whether there is room to read for what a report still needs, which was wanted so often before."""
    return f"pace/writing/{_digest(*wanted)}/{turn}"


GAPS = "gaps"
"""What the last round left open."""


def consolidate(claims: Iterable[str], depends_on: tuple[str, ...]) -> Step:
    """Which of these claims state one fact."""
    return Step(f"consolidate/{_digest(*claims)}", depends_on)


def gap_check(gaps: Iterable[str], depends_on: tuple[str, ...]) -> Step:
    """Comparing gaps with the finished report."""
    return Step(f"gap_check/{_digest(*gaps)}", depends_on)


def gather(missing: str, source_ids: Iterable[str], depends_on: tuple[str, ...] = ()) -> Step:
    """The passages of these pages that are read for something that a report lacks."""
    return Step(f"gather/{_digest(missing, *source_ids)}", depends_on)


# Writing

SKETCH = "sketch"
OPENING = "opening"
AUDIT = "audit"
DIRECT = "direct"
OUTLINE = "outline"
"""The sections of a report written by rule."""
CONCLUDE = "conclude"
"""The opening of a report written by rule."""


def section(draft: int, number: int, heading: str, claims: Iterable[str]) -> str:
    """A section of a draft from these claims."""
    return f"section/{draft}/{_digest(str(number), heading, *claims)}"


def section_again(number: int, heading: str, note: str, claims: Iterable[str]) -> str:
    """A section written again after the review."""
    return f"section/again/{_digest(str(number), heading, note, *claims)}"


def fill(spots: Iterable[str], depends_on: tuple[str, ...]) -> Step:
    """What belongs in the empty cells of a report."""
    return Step(f"fill/{_digest(*spots)}", depends_on)


def edit(draft: int) -> str:
    """The edit of a whole draft."""
    return f"edit/{draft}"


def review(draft: int) -> str:
    """The review of a whole draft."""
    return f"review/{draft}"


def write(number: int, sub_questions: Iterable[str], claims: Iterable[str]) -> str:
    """A paragraph from these claims, written by rule."""
    # With the section: two of them may rest on the very same claims.
    return f"write/{number}/{_digest(*sub_questions, *claims)}"


def hold(audit: Step, sentences: Iterable[str], *, again: bool = False) -> Step:
    """The question to a thinker whether claims carry these sentences; `again` after they were mended."""
    return audit.part("again" if again else "hold").part(_digest(*sentences))


# Checking a text


def check(claims: Iterable[str]) -> str:
    """The judgement of a text's claims."""
    return f"check/{_digest(*claims)}"


def for_judge(what: str, *subject: str) -> Step:
    """A question to a judge about these reports: `keys`, `weigh`, `run`; before it its `lot` and `opening`."""
    return Step(f"judged/{what}/{_digest(*subject)}")


def work(number: int | str) -> str:
    """The round of questions to the calling client's model; also the id under which it is asked."""
    return f"work/{number}"


def round_of(work: str) -> int:
    """The number of such a round."""
    return int(work.rpartition("/")[2])


def _digest(*subject: str) -> str:
    return hashlib.sha256("\0".join(subject).encode()).hexdigest()[:_DIGITS]


def _renamed(key: str, kind: str, other: str) -> str:
    return f"{other}{key.removeprefix(kind)}"


def _behind(key: str, kind: str, other: str) -> Step:
    return Step(_renamed(key, kind, other), (key,))
