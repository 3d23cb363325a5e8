"""Specifications of search engines, model providers, report formats and evaluations: names, needs and costs.

This is data. Settings, registries, `config init`, `doctor`, the tools' texts, server.json, the bundle and the documents
are made from it. To add an entry, write the adapter, its test and the entry here; then run `make prepared`.

The module imports nothing else of this package: settings, and a server's first answers, read it at every start.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

Filter = Literal["domains", "dates", "language", "region"]

# Named tuples take half the time of dataclasses to define, and every start of a server waits for this module.


class KeySpec(NamedTuple):
    """A secret that opens a service; its setting is NAME_key."""

    title: str
    """Shown by `config init` and in installers' forms."""
    variables: tuple[str, ...]
    """The vendor's own environment variables. Ours takes precedence; messages name the first of these."""
    optional: bool = False
    """The service also answers without a key."""


class AddressSpec(NamedTuple):
    """The address of a service, if users may set it: NAME_base_url, or NAME_url for an instance of their own."""

    about: str
    """Describes the setting."""
    default: str = ""
    title: str = ""
    """Shown in installers' forms; empty: they do not ask for it."""
    purpose: str = ""
    """What the service does, as installers' forms say it."""
    variables: tuple[str, ...] = ()
    """The vendor's own environment variables, as in `KeySpec`."""
    own: bool = False
    """The service is an instance that the user runs or may use; without an address it is not available."""


class WiresSpec(NamedTuple):
    """Wire formats of a provider. The setting NAME_api selects one; `auto` leaves the choice to the adapter."""

    names: tuple[str, ...]
    about: str
    """Describes the setting."""


class PriceSpec(NamedTuple):
    """A vendor's price for one query as we send it; monthly free quotas are ignored."""

    usd: float
    seen: str
    """The date on which the price was read, as YYYY-MM-DD."""
    source: str
    """The page that states it."""


class EngineSpec(NamedTuple):
    """A search engine."""

    name: str
    title: str
    adapter: str
    """`search.MODULE:CLASS`, loaded when the engine is first opened; `CLASS.from_parts` creates the engine."""
    key: KeySpec | None = None
    address: AddressSpec | None = None
    price: PriceSpec | None = None
    """Price of a query with a key; None: the engine is free."""
    filters: tuple[Filter, ...] = ()
    """Filters that the engine applies itself, at least roughly; the searcher applies all filters again."""
    at_once: int = 0
    """Most queries at once, if that is less than the setting; 0: as the setting says."""
    web: bool = True
    """False: it searches collections on this machine, which the query names."""

    @property
    def demands(self) -> int:
        """What a user needs: 0 nothing, 1 an instance, 2 optionally a key, 3 a key."""
        if self.key:
            return 2 if self.key.optional else 3
        return 1 if self.address and self.address.own else 0


class ProviderSpec(NamedTuple):
    """A service that offers language models."""

    name: str
    title: str
    models: str
    """What does the thinking, as forms and documents word it."""
    adapter: str
    """`llm.MODULE:CLASS`, loaded when a model is first opened; `CLASS.from_parts` creates the model."""
    package: str
    """The vendor's Python package that the adapter needs."""
    key: KeySpec | None = None
    """None: the provider runs on the user's own machines, needs no key and costs nothing."""
    address: AddressSpec | None = None
    base_url: str = ""
    """The address if no setting gives one; empty: the adapter's default."""
    fast: str = ""
    smart: str = ""
    """With `fast`: the default models of the two tiers; empty: users must name a model."""
    listed_as: str = ""
    """Its name in the price list, if that differs from `name`."""
    wires: WiresSpec | None = None


class FormatSpec(NamedTuple):
    """A file format for reports."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    """File name suffixes that select this format; the first is the usual one."""
    writer: str
    """`viewer.MODULE:FUNCTION`: an async function that takes the run and the stored documents and returns the text."""
    page: bool = False
    """A browser can show it, so `report --open` uses it."""


class EvalSpec(NamedTuple):
    """An evaluation on a public data set."""

    name: str
    about: str
    folder: str
    """Folder of its data set, below the folder of all sets."""
    measure: str
    """`evals.MODULE:FUNCTION`, loaded when the evaluation runs."""
    at_least: Mapping[str, float] = MappingProxyType({})
    """Figure → its floor, for the extractive engine on the open half of the set. Lower a floor only on purpose, and say
    why in a comment."""
    at_most: Mapping[str, float] = MappingProxyType({})
    """Figure → its upper bound, under the same rules."""


ENGINES: Final = (
    EngineSpec(
        name="brave",
        title="Brave",
        adapter="search.brave:Brave",
        key=KeySpec(title="Brave Search key", variables=("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY")),
        address=AddressSpec(default="https://api.search.brave.com", about="Another address for Brave's API."),
        price=PriceSpec(usd=0.005, seen="2026-11-22", source="https://api-dashboard.search.brave.com/app/plans"),
        filters=("domains", "dates", "language", "region"),
    ),
    EngineSpec(
        name="tavily",
        title="Tavily",
        adapter="search.tavily:Tavily",
        key=KeySpec(title="Tavily key", variables=("TAVILY_API_KEY",), optional=True),
        address=AddressSpec(default="https://api.tavily.com", about="Another address for Tavily's API."),
        # A basic search costs one credit. This is the highest price of a credit, which also applies beyond any plan.
        price=PriceSpec(usd=0.008, seen="2026-11-22", source="https://docs.tavily.com/documentation/api-credits"),
        filters=("domains", "dates", "region"),
    ),
    EngineSpec(
        name="searxng",
        title="SearXNG",
        adapter="search.searxng:SearXNG",
        address=AddressSpec(
            about="Base address of a SearXNG instance.",
            title="Address of a SearXNG instance",
            purpose="Searches with this SearXNG instance as well.",
            variables=("SEARXNG_URL",),
            own=True,
        ),
        filters=("domains", "dates", "language", "region"),
    ),
    EngineSpec(
        name="duckduckgo",
        title="DuckDuckGo",
        adapter="search.duckduckgo:DuckDuckGo",
        filters=("domains", "dates", "language", "region"),
        # We have no contract with DuckDuckGo, and it stops answering if it gets more at once.
        at_once=3,
    ),
    EngineSpec(
        name="wikipedia", title="Wikipedia", adapter="search.wikipedia:Wikipedia", filters=("domains", "language")
    ),
    EngineSpec(name="local", title="Local collections", adapter="search.local:Local", web=False),
)
"""In the order in which `auto` asks the engines that are set up."""

PROVIDERS: Final = (
    ProviderSpec(
        name="anthropic",
        title="Anthropic",
        models="Claude",
        adapter="llm.anthropic:Anthropic",
        package="anthropic",
        key=KeySpec(title="Anthropic key (Claude thinks)", variables=("ANTHROPIC_API_KEY",)),
        address=AddressSpec(about="", variables=("ANTHROPIC_BASE_URL",)),
        fast="claude-haiku-5-5",
        smart="claude-sonnet-5-5",
    ),
    ProviderSpec(
        name="openai",
        title="OpenAI",
        models="a model of OpenAI",
        adapter="llm.openai:OpenAI",
        package="openai",
        key=KeySpec(title="OpenAI key", variables=("OPENAI_API_KEY",)),
        address=AddressSpec(
            about="Any OpenAI-compatible endpoint for openai:NAME.",
            title="OpenAI-compatible address",
            purpose="Any OpenAI-compatible endpoint, as that of Ollama, vLLM or LM Studio.",
            variables=("OPENAI_BASE_URL",),
        ),
        fast="gpt-6-luna",
        smart="gpt-6.1-terra",
        wires=WiresSpec(
            names=("responses", "chat"),
            about="Wire of openai:NAME; auto: responses at OpenAI itself, chat completions elsewhere.",
        ),
    ),
    ProviderSpec(
        name="gemini",
        title="Gemini",
        models="Gemini",
        adapter="llm.openai:OpenAI",
        package="openai",
        key=KeySpec(title="Gemini key", variables=("GEMINI_API_KEY", "GOOGLE_API_KEY")),
        base_url="https://generativelanguage.googleapis.com/v1beta/openai/",
        fast="gemini-3.5-flash-lite",
        smart="gemini-3.8-flash",
        listed_as="google",
    ),
    ProviderSpec(
        name="openrouter",
        title="OpenRouter",
        models="a model of OpenRouter",
        adapter="llm.openai:OpenAI",
        package="openai",
        key=KeySpec(title="OpenRouter key", variables=("OPENROUTER_API_KEY",)),
        base_url="https://openrouter.ai/api/v1",
        fast="anthropic/claude-haiku-5.5",
        smart="anthropic/claude-sonnet-5.5",
    ),
    ProviderSpec(
        name="ollama",
        title="Ollama",
        models="a model on this machine",
        adapter="llm.openai:OpenAI",
        package="openai",
        address=AddressSpec(default="http://127.0.0.1:11434/v1", about="For ollama:NAME."),
    ),
    ProviderSpec(
        name="vllm",
        title="vLLM",
        models="a model on this machine",
        adapter="llm.openai:OpenAI",
        package="openai",
        address=AddressSpec(default="http://127.0.0.1:8000/v1", about="For vllm:NAME."),
    ),
    ProviderSpec(
        name="lmstudio",
        title="LM Studio",
        models="a model on this machine",
        adapter="llm.openai:OpenAI",
        package="openai",
        address=AddressSpec(default="http://127.0.0.1:1234/v1", about="For lmstudio:NAME."),
    ),
)
"""In the order in which `auto` looks for a key."""

FORMATS: Final = (
    FormatSpec(
        name="md", title="Markdown", suffixes=(".md", ".markdown", ".txt"), writer="viewer.text_files:as_markdown"
    ),
    FormatSpec(
        name="html",
        title="one page that loads nothing, each citation opening its quote",
        suffixes=(".html", ".htm"),
        writer="viewer.html_report:as_page",
        page=True,
    ),
    FormatSpec(
        name="json",
        title="the run object: report, claims, citations, sources, costs",
        suffixes=(".json",),
        writer="viewer.text_files:as_json",
    ),
)
"""The first is the default for a file name without a suffix."""

EVALS: Final = (
    EvalSpec(
        name="quotes",
        about="Are quotes found where they stand, and is no falsified copy found anywhere?",
        folder="quotes_quotesum",
        measure="evals.quotes:measure",
        at_least={"located": 0.955, "restyled": 0.99},
        at_most={"false_accepts": 0},
    ),
    EvalSpec(
        name="wice",
        about="Are claims of Wikipedia held against the articles they cite as people hold them?",
        folder="verify_wice",
        measure="evals.wice:measure",
        at_least={"auroc": 0.80, "recall_at_5": 0.86, "token_f1": 0.52},
    ),
    EvalSpec(
        name="factcheck",
        about="Are those claims of a chat model told apart that a passage of the web supports?",
        folder="verify_factcheckgpt",
        measure="evals.factcheck:measure",
        at_least={"auroc": 0.74},
    ),
    EvalSpec(
        name="clapnq",
        about="Which sentences of a passage answer the question, and does any?",
        folder="extract_clapnq",
        measure="evals.clapnq:measure",
        at_least={"f1": 0.64, "auroc": 0.84, "withheld": 0.60},
        at_most={"lost": 0.15},
    ),
    EvalSpec(
        name="neardup",
        about="Are copies of one text told from pages that only share a site?",
        folder="neardup",
        measure="evals.neardup:measure",
        at_least={"recall": 0.99},
        at_most={"false_merges": 0},
    ),
    EvalSpec(
        name="injection",
        about="What of instructions planted in pages reaches a plan, a query, an address or a report?",
        folder="injection",
        measure="evals.injection:measure",
        at_most={"leaks": 0, "false_flags": 0.02},
    ),
    EvalSpec(
        name="json",
        about="Is JSON that models damaged read as the people who collected it read it?",
        folder="json_repair",
        measure="evals.json_cases:measure",
        at_least={"accuracy": 1.0},
    ),
    EvalSpec(
        name="citations",
        about="Do the marks of real reports lead to the addresses that their writers meant?",
        folder="reports_drb",
        measure="evals.citations:measure",
        at_least={"resolved": 0.96, "built": 1.0},
        at_most={"missed": 0.001},
    ),
    EvalSpec(
        name="hotpot",
        about="Is every page of a chain of two cited, and the answer told?",
        folder="ir_hotpot500",
        measure="evals.multihop:hotpot",
        at_least={"all_gold": 0.90},
    ),
    EvalSpec(
        name="musique",
        about="Is every page of a chain of two to four cited, and the answer told?",
        folder="ir_musique100",
        measure="evals.multihop:musique",
        at_least={"all_gold": 0.35},
    ),
)

_EASIEST_FIRST = sorted(ENGINES, key=lambda spec: (not spec.web, spec.demands))

ENGINE_NAMES: Final = tuple(spec.name for spec in _EASIEST_FIRST)
"""In the order of texts: engines that demand least of a user come first."""
WEB_ENGINE_NAMES: Final = tuple(spec.name for spec in _EASIEST_FIRST if spec.web)

FORMAT_NAMES: Final = tuple(spec.name for spec in FORMATS)
PAGE: Final = next(spec for spec in FORMATS if spec.page)
"""The format that `report --open` shows."""
USUAL_SUFFIXES: Final = tuple(spec.suffixes[0] for spec in FORMATS)


def joined_with_or(names: Sequence[str]) -> str:
    """Join names for a sentence: `md, html or json`."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
