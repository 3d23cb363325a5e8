"""Reading room: how many tokens of passages readers are shown, so that no round uses up what later work needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from deepresearch_mcp.budget import Ledger, Stage
from deepresearch_mcp.budget_shares import GAPS_OF_WRITING, PLANNED, SET_ASIDE
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.naming import names_half, said_in
from deepresearch_mcp.records.evidence import FollowUp
from deepresearch_mcp.records.plan import Scope, SubQuestion
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.settings.schema import ResearchSettings

FIRST_ROUND = 0.5
"""Share of what research may use, in tokens and in time, that the first of several rounds takes."""
ALL_ROUNDS = PLANNED["rounds"] / (1 - SET_ASIDE)
"""The same for all rounds together, with what is assessed between them."""
_ONLY_ROUND = 0.52
"""The same where there is only one: a small report costs more beside its research than a large one."""
LATER_ROUND = 0.65
"""Share of what is left that a later round takes when another may follow."""
_BESIDE_WRITING: Mapping[Stage, float] = MappingProxyType(
    {"writing": PLANNED["gaps"] * GAPS_OF_WRITING, "review": PLANNED["gaps"] * (1 - GAPS_OF_WRITING)}
)
"""Share of all tokens that is read with beside a stage of writing: for thin spots, and for what is searched again."""
_BEYOND = 1.6
"""How much more than its share the review may read with. With all that was left, audits of standard runs came short;
with 1.25, three of three ended with gaps that no token was left for, and with 18,000 to 67,000 tokens unused."""
_REVIEWED = 0.02
"""Share of all tokens that the reviewer has used by then."""
_NEEDED: Mapping[Stage, float] = MappingProxyType(
    {
        "writing": PLANNED["writing"] + _BESIDE_WRITING["review"] + PLANNED["review"] + PLANNED["audit"],
        "review": PLANNED["review"] - _REVIEWED + PLANNED["audit"],
    }
)
"""Share of all tokens that writing, review and audit need from the beginning of a stage on: it is not read away."""

_COST = 3.5
"""What a token of passages costs, with its prompt, the claims, and their judgement."""
_COSTS = (2.0, 4.5)
"""The same as a run has measured it, at least and at most."""
_COST_BY_RULE = 1.9
"""Where rules read, nothing is paid: the room is then a bound on how much a digest looks at."""
_MEASURED = 5_000
"""Tokens of passages from which the run's own use says what one costs."""

_USUAL_ASKS = 7.5
"""Queries, and hypotheses with theirs, of one sub-question of a usual plan."""
_NARROW = 1.5
"""How much more an ask may have than in a usual plan, where the plan is narrower."""
_WHOLE_QUESTION = 0.05
"""Share of the first round that is read for the question as a whole."""
_FEWEST = 150
"""Tokens under the smallest ceiling: a passage, which rules read if a model cannot be paid for it."""
_LEAST = 400
"""Tokens of passages for a query of a later round, if there is any room."""
_MOST = 2.0
"""The most tokens for an ask, as a multiple of what the settings say."""
_EQUALLY = 0.3
"""Share of a round that sub-questions have whatever they are about."""
_BESIDE = 0.5
"""Weight of a query that serves no open point, beside one that does."""
_A_SPOT = 3_000
"""Tokens of passages that are read for one thin spot, at most."""
_A_USEFUL_SPOT = 600
"""Tokens below which a thin spot is not read for."""


@dataclass(slots=True)
class ReadingRoom:
    """Tokens of passages for each reading of a run. What was shown counts at once, whatever it will cost."""

    shape: Shape
    settings: ResearchSettings
    ledger: Ledger
    by_rule: bool = False
    usd_a_token: float = 0.0
    """What a token is expected to cost; 0: unknown, or nothing."""
    _round: int = 1
    _pool: float = 0.0
    """Tokens of passages of this round."""
    _left: float = 0.0
    _shares: Mapping[str, float] = field(default_factory=dict[str, float])
    """The share of each sub-question, or of each query of a later round; they add up to 1."""
    _taken: dict[tuple[int, str], float] = field(default_factory=dict[tuple[int, str], float])
    _shown: float = 0.0
    """Tokens of passages that readers were shown so far."""
    _beside: dict[Stage, float] = field(default_factory=dict[Stage, float])
    """Tokens of passages that were shown beside the writing of the report, by its stage."""
    _ends: float = 0.0
    """Seconds of the run at which no more is read in this round; 0: when research ends."""

    def __post_init__(self) -> None:
        self._pool = self._left = self._first / self._cost

    def begin(self, parts: Sequence[SubQuestion], scope: Scope) -> None:
        """The first round begins: its room is shared by topics, so that none of them takes most of it."""
        self._pool = self._first / self._cost
        self._left = self._pool - self._shown
        self._shares = by_topic(parts, scope)
        self._ends = self._research_seconds * FIRST_ROUND if self.shape.depth > 1 else 0.0

    def begin_later(self, number: int, queries: Sequence[FollowUp], *, writing: bool = False) -> None:
        """Another round begins: what is left is shared by the points that its queries serve."""
        self._round = number
        again = 1.0 if number >= self.shape.depth else LATER_ROUND
        left = ALL_ROUNDS * self._research - self._used
        room = self._spare if writing else max(0.0, left) * again
        self._pool = self._left = room / self._cost
        self._shares = by_point(queries)
        seconds = self._research_seconds - self.ledger.seconds
        self._ends = 0.0 if writing or again == 1.0 else self.ledger.seconds + seconds * LATER_ROUND

    @property
    def is_over(self) -> bool:
        """Whether the time of the round is over: what has been read stands, and the next round begins."""
        return bool(self._ends) and self.ledger.seconds >= self._ends

    @property
    def least_later(self) -> float:
        """Tokens below which another round is not worth its assessment."""
        return _LEAST * self._cost

    def tokens(self, name: str, asks: int, share: float = 1.0, query: str = "") -> int:
        """Tokens of passages for one reading: of a sub-question, or of a `query` of a later round or a lead.

        `asks`: queries and hypotheses it is for; `share`: the part of the pages that is new, also of those to come.
        """
        if self.is_over:
            return 0
        key = self._key(name, query)
        whole = self._whole(name, query)
        if self._round == 1:
            whole = min(whole, self._an_ask * max(1, asks))
        taken = self._taken.get(key, 0.0)
        wanted = whole * share
        left = min(whole - taken, self._left, self._unspent)
        if not taken:
            # Every sub-question and query reads something, if it comes late too, and no less than a passage.
            left = max(left, min(_FEWEST if self._round == 1 else _LEAST, whole))
            wanted = max(wanted, min(_FEWEST, left))
        return max(0, round(min(wanted, left)))

    def take(self, name: str, tokens: int, query: str = "") -> None:
        """These tokens of passages are shown."""
        key = self._key(name, query)
        self._taken[key] = self._taken.get(key, 0.0) + tokens
        self._left -= tokens
        self._shown += tokens
        self._beside[self.ledger.stage] = self._beside.get(self.ledger.stage, 0.0) + tokens

    def of_spots(self, number: int) -> list[int]:
        """Tokens for so many thin spots, one after the other; 0 for those that are not read for.

        As much is left for searching for what the stored pages do not say.
        """
        left = self._spare / 2 / self._cost
        each = min(_A_SPOT, max(_A_USEFUL_SPOT, left / max(1, number)))
        return [round(each) if self.by_rule or (at + 1) * each <= left else 0 for at in range(number)]

    @property
    def searches_while_writing(self) -> bool:
        """Whether there is room to read what one more round of searching finds."""
        return self.by_rule or self._spare >= _LEAST * self._cost

    def _key(self, name: str, query: str) -> tuple[int, str]:
        return self._round, query_key(query) if query else name

    def _whole(self, name: str, query: str) -> float:
        """What is there for it in the whole round."""
        if share := self._shares.get(query_key(query) if query else name, 0.0):
            return min(self._pool * share, self._most_of_ask * (_USUAL_ASKS if not query else 1.0))
        return self._an_ask if query else max(_FEWEST, _WHOLE_QUESTION * self._pool)

    @property
    def _an_ask(self) -> float:
        """The most for one query or hypothesis in the first round; more where the plan is narrow."""
        usual = self._first / self._cost / (_USUAL_ASKS * self.shape.breadth)
        return min(self._most_of_ask, max(_FEWEST, _NARROW * usual))

    @property
    def _most_of_ask(self) -> float:
        return _MOST * self.settings.passage_tokens

    @property
    def _all(self) -> float:
        """The tokens of the run, or those that its money pays for."""
        paid = self.shape.max_usd / self.usd_a_token if self.usd_a_token else float(self.shape.max_tokens)
        return min(float(self.shape.max_tokens), paid)

    @property
    def _research(self) -> float:
        return self._all * (1 - SET_ASIDE)

    @property
    def _research_seconds(self) -> float:
        return self.shape.max_minutes * 60 * (1 - SET_ASIDE)

    @property
    def _first(self) -> float:
        """Tokens that the first round may use, with its prompts, claims and judgements."""
        return self._research * (FIRST_ROUND if self.shape.depth > 1 else _ONLY_ROUND)

    @property
    def _spare(self) -> float:
        """Tokens that may be read with while the report is written, so that the rest of the work can still be paid.

        The review may go beyond its share by what earlier stages left over: nothing is read after it, and open gaps
        beside unused tokens would be a poor end.
        """
        stage = self.ledger.stage
        left = (1 - _NEEDED.get(stage, 0.0)) * self._all - self._used
        share = _BESIDE_WRITING.get(stage, 0.0) * (_BEYOND if stage == "review" else 1.0)
        return max(0.0, min(share * self._all - self._beside.get(stage, 0.0) * self._cost, left))

    @property
    def _used(self) -> float:
        return float(self.ledger.used.tokens)

    @property
    def _unspent(self) -> float:
        """Tokens of passages that the round can still pay for, by what was used so far."""
        if self.by_rule or self._round > 1:
            return self._left
        return max(0.0, self._first - self._used) / self._cost

    @property
    def _cost(self) -> float:
        """What a token of passages costs: as this run has measured it, once it has read enough."""
        if self.by_rule:
            return _COST_BY_RULE
        if self._round == 1 or self._shown < _MEASURED or not self._used:
            return _COST
        return min(_COSTS[1], max(_COSTS[0], self._used / self._shown))


def by_topic(parts: Sequence[SubQuestion], scope: Scope) -> dict[str, float]:
    """The share of each sub-question: some for each, and most by the topics that it is about.

    Topics are the aspects of the grid, or without one the deliverables; sub-questions on one topic share what it has.
    """
    if not parts:
        return {}
    topics = (scope.aspects if scope.cells else ()) or tuple(one.text for one in scope.deliverables)
    shares = dict.fromkeys((part.id for part in parts), _EQUALLY / len(parts))
    for topic in topics:
        about = [part.id for part in parts if names_half(said_in(part.text), topic)]
        about = about if 0 < len(about) < len(parts) else [nearest_sub_question(topic, parts)]
        for name in about:
            shares[name] += (1 - _EQUALLY) / len(topics) / len(about)
    whole = sum(shares.values())
    return {name: share / whole for name, share in shares.items()}


def by_point(queries: Sequence[FollowUp]) -> dict[str, float]:
    """The share of each query: points share equally, queries of one point share what it has; others get half of it."""
    of_point: dict[str, int] = {}
    for one in queries:
        if one.point:
            of_point[one.point] = of_point.get(one.point, 0) + 1
    weights = {query_key(one.query): 1 / of_point[one.point] if one.point else _BESIDE for one in queries}
    whole = sum(weights.values())
    return {key: weight / whole for key, weight in weights.items()}
