"""The page about the run object, made of its models' own docstrings."""

# ruff: noqa: E501 - rows of tables are not wrapped

import ast
import importlib
import inspect
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from deepresearch_mcp.records.assessment import RoundAssessment, RunAssessment
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.report import Citation, ClaimCount, Section, SourceRow
from deepresearch_mcp.records.run import Metrics, Provenance, QuoteCount, Run
from deepresearch_mcp.records.sources import Unread

MODELS: tuple[type[BaseModel], ...] = (
    *(Run, RunAssessment, RoundAssessment, Metrics, ClaimCount, Section, Citation, Claim, Quote),
    *(SourceRow, Unread, QuoteCount, Provenance),
)

_HEAD = """# The run object

`make prepared` writes this page from the classes in `src/deepresearch_mcp/records/`. The object is the same in `report.json`,
`--json`, `get_report(format="json")` and the Python library.

## Why a run ended where it did

| What you see | Why |
|---|---|
| `assessment.ended`: "… brought no new claim" | two rounds in a row found nothing new |
| `assessment.ended`: "the evidence is sufficient (…)" | the gate holds: enough claims, sites, answered parts and second sources |
| `assessment.ended`: "no new query was left (…)" | the gate does not hold, and there was nothing else to ask; the brackets name what is missing |
| `status: partial`, `assessment.why` names a ceiling | it was met; `assessment.limitations` lists the rounds and queries that were not made |
| `status: partial`, `assessment.why: nothing_found` | no page that could be read answers; the report says what was tried |
| `status: partial`, `assessment.why: by_rule` | a model failed, and rules read or wrote in its place; `warnings` says which |
| `status: failed` or `cancelled` | `error` has code, message and what to do; [error-codes.md](error-codes.md) lists the codes |
| none of these | all rounds that `depth` allows were made |

`assessment.rounds` tells for each round how sufficient the evidence was and why another one was, or was not, made. The rule
is `decide` in `pipeline/research/analyst.py`.
"""


def run_object() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(_section(model) for model in MODELS)])


def _section(model: type[BaseModel]) -> str:
    rows = [f"| `{name}` | {kind} | {told} |" for name, kind, told in _fields(model)]
    about = " ".join(inspect.cleandoc(model.__doc__ or "").split())
    return "\n".join(
        [f"## {model.__name__}\n", about, "", "| Field | Type | What it says |", "|---|---|---|", *rows, ""]
    )


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, str, str]]:
    """Name, type and docstring of each field, in the order of the class."""
    module: Any = importlib.import_module(model.__module__)
    [body] = [
        node.body
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef) and node.name == model.__name__
    ]
    for node, behind in zip(body, [*body[1:], ast.Pass()], strict=True):
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id in model.model_fields
        ):
            told = ""
            if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant):
                told = " ".join(str(behind.value.value).split())
            yield node.target.id, _type(node.annotation, vars(module)), told.replace("|", "\\|")


def _type(annotation: ast.expr, names: dict[str, Any]) -> str:
    """The annotation as code; a name for a choice of words is written out."""
    text = ast.unparse(annotation)
    choice = names.get(text)
    words = getattr(choice, "__args__", ())
    if words and all(isinstance(word, str) for word in words):
        return ", ".join(f"`{word}`" if word else "empty" for word in words)
    return f"`{text}`".replace("|", "or")
