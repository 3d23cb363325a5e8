"""Write what documents say about engines, providers, formats and evaluations: `make prepared`.

The tables of README.md stand between markers; `docs/reference.md` is written whole. Both follow from
`records/specs.py`. `docs/run-object.md` follows from the classes of `records/`. `tests/test_texts.py` tells when they
are stale.
"""

import sys
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from deepresearch_mcp.pipeline.steps import KINDS
from deepresearch_mcp.records.eval_specs import EVALS
from deepresearch_mcp.records.spec_types import AddressSpec, EngineIdSpec, EngineSpec, EvalSpec, KeySpec, ProviderSpec
from deepresearch_mcp.records.specs import ENGINE_NAMES, ENGINES, FORMATS, PROVIDERS
from deepresearch_mcp.settings.reading import variable
from deepresearch_mcp.settings.services import address_name
from run_object import run_object

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
REFERENCE = ROOT / "docs" / "reference.md"
RUN_OBJECT = ROOT / "docs" / "run-object.md"

_OPEN = "<!-- {name}: `make prepared` writes this table from records/specs.py -->"
_CLOSE = "<!-- end of {name} -->"


def renewed() -> dict[Path, str]:
    """Each document, and what it should hold."""
    readme = README.read_text(encoding="utf-8")
    for name, table in (("engines", engines_table()), ("models", models_table())):
        readme = between_markers(readme, name, table)
    return {README: readme, REFERENCE: reference(), RUN_OBJECT: run_object()}


def between_markers(text: str, name: str, table: str) -> str:
    """Return the text with the table in the place of what stands between the markers of this name.

    Raises:
        ValueError: The text does not hold both markers, once and in order.
    """
    opening, closing = _OPEN.format(name=name), _CLOSE.format(name=name)
    if text.count(opening) != 1 or text.count(closing) != 1 or text.index(opening) > text.index(closing):
        raise ValueError(f"Put these two lines where the table of {name} belongs:\n{opening}\n{closing}")
    before, _, rest = text.partition(opening)
    return f"{before}{opening}\n{table}\n{closing}{rest.partition(closing)[2]}"


def engines_table() -> str:
    """The search engines of the web, those that ask least of a user first."""
    by_name = {spec.name: spec for spec in ENGINES if spec.web}
    return _table(
        ("Engine", "Needs", "A query costs", "Limits by"),
        (
            (f"{_code(name)} ({spec.title})", _needs(spec), _cost(spec), ", ".join(spec.filters) or "nothing")
            for name, spec in ((name, by_name[name]) for name in ENGINE_NAMES if name in by_name)
        ),
    )


def models_table() -> str:
    """Who thinks, with what."""
    local = [f"{spec.name}:NAME" for spec in PROVIDERS if not spec.key]
    return _table(
        ("With", "Thinks"),
        (
            (
                "nothing",
                "`extractive`: an engine on this machine that plans, chooses and quotes by rules alone: it makes up no"
                " word and costs nothing",
            ),
            *(
                (_code(spec.key.variables[0]), f"{spec.models}: fast {_code(spec.fast)}, smart {_code(spec.smart)}")
                for spec in PROVIDERS
                if spec.key
            ),
            (_codes([f"--model {local[0]}", *local[1:]]), "a model on this machine"),
            *(
                (f"{_code(spec.address.variables[0])} and `--model {spec.name}:NAME`", "any OpenAI-compatible endpoint")
                for spec in PROVIDERS
                if spec.address and spec.address.title
            ),
            ('`model: "client"` in a tool call', "the model you are talking to, in any MCP client: no key is needed"),
        ),
    )


def reference() -> str:
    """Everything that the specs list, with the settings and variables that belong to it."""
    engines = _table(
        ("Engine", "Settings", "Variables", "A query costs", "Limits by"),
        (
            (
                f"{_code(spec.name)}<br>{spec.title}",
                _codes(_settings("search", spec)) or "none",
                _codes([*_variables(spec.key, spec.address), *(spec.engine_id.variables if spec.engine_id else ())])
                or "none",
                _cost(spec),
                ", ".join(spec.filters) or "nothing",
            )
            for spec in ENGINES
        ),
    )
    providers = _table(
        ("Provider", "Settings", "Variables", "Fast model", "Smart model"),
        (
            (
                f"{_code(spec.name)}<br>{spec.title}",
                _codes(_settings("model", spec)),
                _codes(_variables(spec.key, spec.address)) or "none",
                _code(spec.fast) if spec.fast else "to be named",
                _code(spec.smart) if spec.smart else "to be named",
            )
            for spec in PROVIDERS
        ),
    )
    formats = _table(
        ("Format", "Files", "Holds"), ((_code(spec.name), _codes(spec.suffixes), spec.title) for spec in FORMATS)
    )
    evals = _table(
        ("Evaluation", "Asks", "Set", "Held to"),
        ((_code(spec.name), spec.about, _code(spec.folder), _floors(spec)) for spec in EVALS),
    )
    steps = _table(
        ("Key", "Stage", "What is done"),
        (
            (_code(f"{kind.name}…"), kind.stage or "every life of every fork shares it", kind.words)
            for kind in KINDS.values()
        ),
    )
    return f"""# Reference

`make prepared` writes this page from `src/deepresearch_mcp/records/specs.py` and `pipeline/steps.py`.

## Search engines

In the order in which `auto` asks those that are set up. Prices come from copies of the vendors' price lists; those
of which no list could be read are marked. `search.prices = {{brave = 0.003}}` replaces a price, and
`search.rates = {{brave = 60}}`, queries a minute, the limits that an engine is held to; `search.day_rates` is what one
process may ask it in 24 hours.

Every setting also has a variable of our own: `search.brave_key` is `{variable("search.brave_key")}`.

{engines}

## Model providers

In the order in which `auto` looks for a key. A model is named `PROVIDER:NAME`.

{providers}

## Formats of reports

`report RUN --format FORMAT`, or `--output FILE` with the suffix.

{formats}

## Steps of a run

What the first part of a step's key says. `runs fork RUN --from STAGE` makes anew the steps of that stage and of those
behind it.

{steps}

## Evaluations

`eval NAME --data DIR`. The bounds hold for the engine without a model on the open half of each set.

{evals}
"""


def _needs(spec: EngineSpec) -> str:
    if spec.key:
        needed = [*spec.key.variables[:1], *(spec.engine_id.variables[:1] if spec.engine_id else ())]
        return f"{_codes(needed)}{', or nothing' if spec.key.optional else ''}"
    if spec.address and spec.address.own:
        return f"{_codes(spec.address.variables)}: an instance of your own"
    return "nothing"


def _cost(spec: EngineSpec) -> str:
    if not spec.price:
        return "nothing"
    seen = date.fromisoformat(spec.price.seen)
    with_key = " with a key" if spec.key and spec.key.optional else ""
    doubt = {"vendor": "", "reported": ", as others report", "assumed": ", in part assumed"}[spec.price.basis]
    return f"${spec.price.usd:g}{with_key} ({seen:%B %Y}{doubt})"


def _settings(group: str, spec: EngineSpec | ProviderSpec) -> list[str]:
    found = [f"{group}.{spec.name}_key"] if spec.key else []
    if isinstance(spec, EngineSpec) and spec.engine_id:
        found.append(f"{group}.{spec.name}_engine_id")
    if spec.address:
        found.append(f"{group}.{address_name(spec)}")
    if isinstance(spec, ProviderSpec) and spec.wires:
        found.append(f"{group}.{spec.name}_api")
    return found


def _variables(*given: KeySpec | AddressSpec | EngineIdSpec | None) -> list[str]:
    return [name for one in given if one for name in one.variables]


def _floors(spec: EvalSpec) -> str:
    least = [f"{figure} ≥ {floor:g}" for figure, floor in spec.at_least.items()]
    return ", ".join([*least, *(f"{figure} ≤ {most:g}" for figure, most in spec.at_most.items())])


def _code(text: str) -> str:
    return f"`{text}`"


def _codes(texts: Iterable[str]) -> str:
    return ", ".join(_code(text) for text in texts)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:]])


def main() -> int:
    """Write the documents that are stale."""
    for file, text in renewed().items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"{file.relative_to(ROOT)}: renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
