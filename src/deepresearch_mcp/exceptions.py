"""Everything this package raises on purpose.

DeepResearchError            .code .name .action
├── InvalidRequest           an argument is wrong; nothing was started
├── SettingsError            configuration is wrong; nothing was spent
├── UnknownRun               no run has this id                   .run_id
├── UnknownCollection        no local collection has this name
├── NotAuthenticated         a request over HTTP shows no valid token
├── NotAuthorized            its token does not allow this       .scope
├── ProviderError            a service outside failed             .provider .retryable .retry_after
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
├── TooManyWaiting           this caller has too many runs in the queue
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
    "consent_wall",
    "parked",
    "trap",
    "rate_limited",
    "timed_out",
    "unreachable",
    "server_error",
    "too_large",
    "unsupported_type",
    "unparsable",
    "empty",
    "encrypted",
    "scanned",
    "missing_extra",
    "off_limits",
    "domain_cap",
    "circuit_open",
    "ceiling",
    "slow",
    "low_quality",
    "not_peer_reviewed",
    "no_ai",
]
"""Why a page was not read.

`consent_wall`: a form that asks for consent stands in its place; `parked`: its domain is for sale; `trap`: nonsense or
endless links made for crawlers; `scanned`: pictures of pages, without text; `missing_extra`: its kind needs an optional
package that is not installed; `off_limits`: outside the domains or dates asked for; `domain_cap`: enough pages of its
site were read; `slow`: still loading when the round ended; `low_quality`, `not_peer_reviewed`: fetched, but not read
for claims, because the settings ask for better sources; `no_ai`: the page asks not to be used by AI, and the settings
respect that.
"""


class DeepResearchError(Exception):
    """The root: what was wrong in one sentence, and what the reader can do.

    `str(error)` is the message followed by the action. A model and its user may see it, so it never holds a secret or a
    private address.
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


_SHOWN_OF_ID = 8
"""Characters of a run's id that texts show."""


class UnknownRun(DeepResearchError):
    """This caller has no run with this id."""

    code = "E1103"
    name = "UNKNOWN_RUN"

    def __init__(self, run_id: str) -> None:
        action = "List the existing runs with list_runs."
        if len(run_id) == _SHOWN_OF_ID:
            action = "Give the whole id, of which texts show the beginning: list_runs has it."
        super().__init__(f"There is no run {run_id[:60]!r}.", action)
        self.run_id = run_id


class UnknownCollection(DeepResearchError):
    """No local collection has this name."""

    code = "E1104"
    name = "UNKNOWN_COLLECTION"


class NotAuthenticated(DeepResearchError):
    """A request over HTTP shows no token, or one that is unknown, expired or revoked. Which it is, is not told."""

    code = "E1105"
    name = "NOT_AUTHENTICATED"

    def __init__(self) -> None:
        super().__init__(
            "A valid token is needed.", "Send the header “Authorization: Bearer TOKEN” with a token of this server."
        )


class NotAuthorized(DeepResearchError):
    """The token is valid, but does not have the scope that this request needs."""

    code = "E1106"
    name = "NOT_AUTHORIZED"

    def __init__(self, scope: str) -> None:
        super().__init__(
            f"This token does not have the scope {scope}.", "Use a token that has it, or ask the operator."
        )
        self.scope = scope


class ProviderError(DeepResearchError):
    """A search engine or language model failed."""

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
        """Seconds to wait, if the provider gave them."""
        self.tried: tuple[str, ...] = ()
        """The models that failed before this one, each with its reason."""


UNREACHABLE = "it cannot be reached"
"""The reason of a `ProviderError` if no connection was made. If every service reports it, this machine is offline."""


class KeyRefused(ProviderError):
    """The service refused the key, or there is none."""

    code = "E1201"
    name = "KEY_REFUSED"


class RateLimited(ProviderError):
    """The service is busy, or our rate is used up for now; always retryable."""

    code = "E1202"
    name = "RATE_LIMITED"

    def __init__(self, provider: str, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(provider, reason, retryable=True, retry_after=retry_after)


class UnreadableAnswer(ProviderError):
    """The service's answer does not have the expected form."""

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
    """No engine could be asked. This is different from finding nothing."""

    code = "E1207"
    name = "ENGINES_DEAD"


class ModelUnusable(DeepResearchError):
    """The first call to the model that was asked for failed, and no other configured model answered.

    The run ends before it pays for anything else: rules do not take the model's place.
    """

    code = "E1208"
    name = "MODEL_UNUSABLE"


class FetchFailed(DeepResearchError):
    """A page could not be read; `reason` is one of `UnreadReason`."""

    code = "E1300"
    name = "FETCH_FAILED"

    def __init__(self, url: str, reason: UnreadReason, detail: str, action: str = "") -> None:
        super().__init__(detail, action)
        self.url = url
        self.reason: UnreadReason = reason


class FetchRefused(FetchFailed):
    """Our own rules forbid the fetch: the address, robots.txt or a limit."""

    code = "E1301"
    name = "FETCH_REFUSED"


class BudgetExceeded(DeepResearchError):
    """A call was not made because it could have crossed a ceiling."""

    code = "E1001"
    name = "BUDGET_EXCEEDED"

    def __init__(
        self, kind: str, spent: float, ceiling: float, whole: float | None = None, *, stage: str = "research"
    ) -> None:
        met = f"The ceiling {kind} = {ceiling:g} is met"
        if whole is not None and whole > ceiling:
            rest = "verifying and writing" if stage == "research" else "what follows"
            met = f"{stage.capitalize()} has used its share of {kind} = {whole:g}; the rest is kept for {rest}"
        super().__init__(f"{met} (spent or reserved: {spent:g}).", f"Raise {kind}, or narrow the question.")
        self.kind = kind
        self.spent = spent
        self.ceiling = ceiling


class DayCeilingMet(BudgetExceeded):
    """All runs together, or those of one caller, have used up what they may use within 24 hours."""

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


class TooManyWaiting(DeepResearchError):
    """So many runs of this caller wait for their turn that no further one is taken in."""

    code = "E1012"
    name = "TOO_MANY_WAITING"

    def __init__(self, waiting: int) -> None:
        super().__init__(
            f"{waiting} of your runs wait for their turn, and no more are taken in (limits.waiting_per_caller).",
            "Try again when some have ended, cancel some, or ask the operator to raise it.",
        )


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
    """Two steps of one run used the same key: a bug in this package."""

    code = "E1403"
    name = "DUPLICATE_STEP"


class OwnershipLost(JournalError):
    """Another process took this run over; this one must stop writing to it."""

    code = "E1404"
    name = "OWNERSHIP_LOST"
