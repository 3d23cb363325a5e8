"""What the specifications of engines, providers, formats and evaluations are made of.

The module imports nothing else of this package: settings, and a server's first answers, read it at every start.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Filter = Literal["domains", "dates", "language", "region", "safe_search", "pages"]
"""`pages`: it can be asked for the hits after the first ones."""

Subject = Literal[
    "doi", "arxiv", "pubmed", "package", "repository", "code", "ticker", "filing", "series", "case", "bill", "event",
]  # fmt: skip
"""What a query can name that some data source knows best; `text/subjects.py` finds it in the words of a query."""

Basis = Literal["vendor", "reported", "assumed"]
"""Who states a figure: the vendor's own page; another's, where the vendor's could not be read; or no page that could
be read states all of it, so that a part is our assumption."""

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


class EngineIdSpec(NamedTuple):
    """The id of the user's own engine at a service that has one for each; its setting is NAME_engine_id."""

    about: str
    """Describes the setting."""
    title: str
    """Shown by `config init` and in installers' forms."""
    variables: tuple[str, ...]
    """As in `KeySpec`."""


class WiresSpec(NamedTuple):
    """Wire formats of a provider. The setting NAME_api selects one; `auto` leaves the choice to the adapter."""

    names: tuple[str, ...]
    about: str
    """Describes the setting."""


class PriceSpec(NamedTuple):
    """The price of one query as we send it; monthly free quotas are ignored. `search.prices` replaces it."""

    usd: float
    seen: str
    """The date on which a copy of the page was read, as YYYY-MM-DD."""
    source: str
    """The page that states it, or, of one that is assumed, the part that is known."""
    basis: Basis = "vendor"


class RateSpec(NamedTuple):
    """What a service allows one client, or what we hold ourselves to; 0: no limit.

    `search.rates` replaces it, and `search.day_rates` what is allowed in a day.
    """

    per_second: float = 0.0
    per_minute: int = 0
    per_day: int = 0
    seen: str = ""
    """The date on which a copy of the page was read, as YYYY-MM-DD; empty: there is no page."""
    source: str = ""
    """The page that states the limits, or, of ones that are assumed, what is known; empty: none was found."""
    basis: Basis = "vendor"


class EngineSpec(NamedTuple):
    """A search engine or a data source."""

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
    rate: RateSpec | None = None
    """With a key, where there are keys."""
    keyless_rate: RateSpec | None = None
    """Without the optional key, if that differs."""
    data: bool = False
    """A data source: it knows one field well, and is asked when a query or a profile calls for it."""
    subjects: tuple[Subject, ...] = ()
    """Subjects that it is asked about whatever the profile."""
    engine_id: EngineIdSpec | None = None
    """What it needs beside its key, if the key does not tell which engine is meant."""
    contact: bool = False
    """It refuses programs whose `User-Agent` names no contact, so it is asked only if the settings give one."""

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
    """File name suffixes that select this format; the first is the usual one. The longest that fits decides."""
    writer: str
    """`viewer.MODULE:FUNCTION`: an async function that takes the run and the stored documents and returns the file."""
    media: str
    """Its media type over HTTP."""
    page: bool = False
    """A browser can show it, so `report --open` uses it."""
    binary: bool = False
    """No text: a terminal cannot show it."""
    extra: str = ""
    """The extra that it needs; empty: none."""


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
