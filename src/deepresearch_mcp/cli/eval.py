"""`deepresearch-server eval`: measures the engine on public data against floors, or compares whole reports."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import eval_research as r
from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, print_text
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.eval_specs import EVALS
from deepresearch_mcp.records.specs import joined_with_or

if TYPE_CHECKING:
    from deepresearch_mcp.evals.lab import Result

FAILED = 1


def evaluate(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help=f"{r.NAME}, {joined_with_or([spec.name for spec in EVALS])}."),
    ],
    *,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="The folder that holds the sets.", show_default=False)
    ] = None,
    model: Annotated[
        str, typer.Option(help="auto, extractive or PROVIDER:NAME; with a model it is the model that is measured.")
    ] = "auto",
    max_usd: Annotated[
        float, typer.Option(min=0, help="What a model may cost in all; of eval research judge and checks alone.")
    ] = 1.0,
    questions: r.Questions = None,
    judge: r.Judge = "auto",
    against: r.Against = None,
    reports: r.Reports = "",
    collections: r.Collections = None,
    no_web: r.NoWeb = False,
    fresh: r.Fresh = False,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Measure one part of the engine on a public set, or compare whole reports on your own questions.

    NAME is a set (with --data; a figure under its floor is exit code 1), or research (with --questions): each question
    is researched, the citations of each report are held to their pages, and a judge says which keys it tells and what
    it is worth. It sees reports as A and B, without names, in random order.
    """
    if name.strip() == r.NAME:
        arguments = {"model": model, "collections": tuple(collections or ()), "web": not no_web}
        given = r.Given(questions, judge, against or (), reports, arguments, max_usd, fresh, sets)
        r.compare(given, as_json=json)
        return
    _measure(name.strip(), data, model, max_usd, sets, as_json=json)


def _measure(
    name: str, data: Path | None, model: str, max_usd: float, sets: list[str] | None, *, as_json: bool
) -> None:
    measure = lazy.evaluations.measure_of(name)
    if data is None:
        raise InvalidRequest(f"eval {name} was given no data.", "Name the folder that holds the sets: --data DIR.")
    settings = settings_of(sets)
    result, thinker = anyio.run(lazy.measuring.measured, measure, data, settings, model, max_usd)
    under = lazy.evaluations.missed(result)
    if as_json:
        emit({"name": result.name, "n": result.n, **_rounded(result), "thinker": thinker, "under": under})
    else:
        print_text("\n".join(_lines(result, thinker, under)))
    if under:
        raise typer.Exit(FAILED)


def _rounded(result: "Result") -> dict[str, float]:
    return {figure: round(value, 4) for figure, value in result.figures.items()}


def _lines(result: "Result", thinker: str, under: list[str]) -> list[str]:
    figures = ", ".join(f"{figure} {value:g}" for figure, value in _rounded(result).items())
    verdict = f"Under the floor: {'; '.join(under)}." if under else "No figure is under its floor."
    return [f"{result.name} ({result.n} cases, {thinker}): {figures}", *(f"  {note}" for note in result.notes), verdict]
