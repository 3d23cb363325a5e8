"""Everything this package raises on purpose.

DeepResearchError            .code .name .action
├── InvalidRequest           an argument is wrong; nothing was started
├── SettingsError            configuration is wrong; nothing was spent
├── UnknownRun               no run has this id                   .run_id
├── UnknownCollection        no local collection has this name
├── ProviderError            a service outside said no            .provider .retryable .retry_after
│   ├── KeyRefused           its key is missing, wrong or spent
│   ├── RateLimited          it asks us to wait
│   ├── UnreadableAnswer     it replied, in no agreed shape
│   ├── AnswerCut            the reply stopped at its length limit
│   ├── AnswerRefused        the model declined
│   └── ContextOverflow      the prompt is longer than the model takes
├── EnginesDead              every search engine failed: none could be asked
├── ModelUnusable            the model asked for cannot run: it never answered in this run
├── FetchFailed              a page could not be read             .url .reason
│   └── FetchRefused         we chose not to fetch it
├── BudgetExceeded           a ceiling was met                    .kind .spent .ceiling
│   └── DayCeilingMet        all runs of a day together met it    .free_again
├── StoreError               the data directory cannot be used
├── ServersDied              a run ended its server too often
└── JournalError             the record of a run does not allow this step
    ├── DuplicateStep        one key, asked for twice
    └── OwnershipLost        another process runs this run now
"""

import datetime
from typing import ClassVar, Literal

UnreadReason = Literal[
    "address_refused",
    "robots",
    "not_found",
    "paywalled",
    "blocked",
    "rate_limited",
    "timed_out",
    "unreachable",
    "server_error",
    "too_large",
    "unsupported_type",
    "unparsable",
    "empty",
    "encrypted",
    "off_limits",
    "domain_cap",
    "circuit_open",
    "ceiling",
    "slow",
    "low_quality",
    "not_peer_reviewed",
]
"""Why a page was not read.

`off_limits`: outside the domains or dates asked for; `domain_cap`: enough of its site is read; `slow`: still loading
when the round ended; the last two: fetched, and not read for claims, as the settings ask for better sources.
"""


class DeepResearchError(Exception):
    """The root: one sentence for the reader, and what they can do.

    `str(error)` is the message and the action together: it may be shown to a model and to its user, so it never holds a
    secret or a private address.
    """

    code: ClassVar[str] = "E1000"
    name: ClassVar[str] = "DEEP_RESEARCH_ERROR"

    def __init__(self, message: str, action: str = "") -> None:
        super().__init__(f"{message} {action}".strip())
        self.message = message
        self.action = action


class InvalidRequest(DeepResearchError):
    """An argument is empty, out of range, unknown or contradicts another."""

    code = "E1101"
    name = "INVALID_REQUEST"


class SettingsError(DeepResearchError):
    """A setting is wrong, or a file that holds settings may not be used."""

    code = "E1102"
    name = "INVALID_SETTINGS"


class UnknownRun(DeepResearchError):
    """There is no such run for this caller."""

    code = "E1103"
    name = "UNKNOWN_RUN"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"There is no run {run_id[:60]!r}.", "List the runs there are with list_runs.")
        self.run_id = run_id


class UnknownCollection(DeepResearchError):
    """A named set of local documents does not exist."""

    code = "E1104"
    name = "UNKNOWN_COLLECTION"


class ProviderError(DeepResearchError):
    """A search or language-model service failed us."""

    code = "E1200"
    name = "PROVIDER_ERROR"

    def __init__(
        self,
        provider: str,
        reason: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
        action: str = "",
    ) -> None:
        super().__init__(f"{provider}: {reason}", action)
        self.provider = provider
        self.reason = reason
        self.retryable = retryable
        self.retry_after = retry_after
        """Seconds the provider asked us to wait, where it said so."""
        self.tried: tuple[str, ...] = ()
        """Models that were asked before this one and failed, each with its reason."""


UNREACHABLE = "it cannot be reached"
"""The reason of a `ProviderError` where no connection came about: of all services at once, we are offline."""


class KeyRefused(ProviderError):
    """The service does not accept the key, or there is none."""

    code = "E1201"
    name = "KEY_REFUSED"


class RateLimited(ProviderError):
    """The service is busy or our share is used up for now; always retryable."""

    code = "E1202"
    name = "RATE_LIMITED"

    def __init__(self, provider: str, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(provider, reason, retryable=True, retry_after=retry_after)


class UnreadableAnswer(ProviderError):
    """The service answered in no shape that was agreed."""

    code = "E1203"
    name = "UNREADABLE_ANSWER"


class AnswerCut(ProviderError):
    """The model stopped at `max_tokens`."""

    code = "E1204"
    name = "ANSWER_CUT"


class AnswerRefused(ProviderError):
    """The model declined to answer."""

    code = "E1205"
    name = "ANSWER_REFUSED"


class ContextOverflow(ProviderError):
    """The prompt does not fit the model's context."""

    code = "E1206"
    name = "CONTEXT_OVERFLOW"


class EnginesDead(DeepResearchError):
    """No engine could be asked: not the same as nothing found."""

    code = "E1207"
    name = "ENGINES_DEAD"


class ModelUnusable(DeepResearchError):
    """The first call to the model that was asked for failed, and no other configured model answered.

    The run ends here, before anything else is paid for: no engine of rules takes the model's place.
    """

    code = "E1208"
    name = "MODEL_UNUSABLE"


class FetchFailed(DeepResearchError):
    """A page could not be read; `reason` is a word of `UnreadReason`."""

    code = "E1300"
    name = "FETCH_FAILED"

    def __init__(self, url: str, reason: UnreadReason, detail: str, action: str = "") -> None:
        super().__init__(detail, action)
        self.url = url
        self.reason: UnreadReason = reason


class FetchRefused(FetchFailed):
    """We chose not to fetch: the address, robots.txt, a limit."""

    code = "E1301"
    name = "FETCH_REFUSED"


class BudgetExceeded(DeepResearchError):
    """The next call could have crossed a ceiling, so it was not made."""

    code = "E1001"
    name = "BUDGET_EXCEEDED"

    def __init__(self, kind: str, spent: float, ceiling: float, whole: float | None = None) -> None:
        met = f"The ceiling {kind} = {ceiling:g} is met"
        if whole is not None and whole > ceiling:
            met = f"What research may use of {kind} = {whole:g} is used up, the rest being for verifying and writing"
        super().__init__(f"{met} (spent or reserved: {spent:g}).", f"Raise {kind}, or narrow the question.")
        self.kind = kind
        self.spent = spent
        self.ceiling = ceiling


class DayCeilingMet(BudgetExceeded):
    """What all runs, or those of one caller, may use within 24 hours is used up."""

    code = "E1011"  # E1002 means MAX_ITERATIONS in the engine design: docs/error-codes.md
    name = "DAY_CEILING_MET"

    def __init__(self, kind: str, whose: str, spent: float, ceiling: float, free_again: datetime.datetime) -> None:
        super().__init__(kind, spent, ceiling)
        usd = "usd" in kind
        shown = [f"${value:.4g}" if usd else f"{value:,.0f} tokens" for value in (spent, ceiling)]
        self.message = (
            f"{whose} have used {shown[0]} within the last 24 hours, and the ceiling {kind} is {shown[1]}; "
            f"it is free again at {free_again:%Y-%m-%d %H:%M} UTC."
        )
        self.action = f"Wait until then, or raise {kind} in the settings."
        self.args = (f"{self.message} {self.action}",)
        self.free_again = free_again


class StoreError(DeepResearchError):
    """The data directory cannot be read or written."""

    code = "E1401"
    name = "STORE_ERROR"


class ServersDied(DeepResearchError):
    """Several servers in a row died, or hung, while they worked on a run."""

    code = "E1405"
    name = "SERVERS_DIED"


class JournalError(DeepResearchError):
    """The record of a run does not allow this step."""

    code = "E1402"
    name = "JOURNAL_ERROR"


class DuplicateStep(JournalError):
    """Two steps of one run asked for the same key: a fault of ours."""

    code = "E1403"
    name = "DUPLICATE_STEP"


class OwnershipLost(JournalError):
    """Another process has taken this run over; this one must stop writing."""

    code = "E1404"
    name = "OWNERSHIP_LOST"
