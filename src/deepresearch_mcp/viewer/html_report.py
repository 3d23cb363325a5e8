"""Builds the page that shows a run: one file that loads nothing, as an MCP App or with a finished report inside."""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

import anyio.to_thread
from markdown_it import MarkdownIt

from deepresearch_mcp.pipeline.report.ending import ending_line, with_ending
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.viewer.coverage_words import COVERAGE
from deepresearch_mcp.viewer.report_language import language_of

_AROUND = 2_000
"""Characters around a quote that the page includes. People share the page, so it must not copy the whole source."""

_SCRIPTS = (
    "dom",
    "charts",
    "markdown",
    "host",
    "run",
    "citation",
    "coverage",
    "map",
    "timeline",
    "evidence",
    "report",
    "live",
    "main",
)
"""Script files in the order of their dependencies; `report_script` joins them without a bundler."""

_STYLES = ("style", "figures")


def app_page() -> str:
    """Return the page without a run; it asks its MCP host for one."""
    # Inline scripts are allowed: a host may add its own, and enforces the policy that the resource declares.
    policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
    return _page(policy, "Research report", language="en")


async def texts_of(run: Run, documents: Documents) -> dict[str, str]:
    """Return the texts of the sources that a run quotes, by source id; sources without a stored text are left out."""
    texts = {source: await documents.text(snapshot) for source, snapshot, *_ in sorted(_quoted(run))}
    return {source: text for source, text in texts.items() if text}


def page_of(run: Run, texts: Mapping[str, str] | None = None) -> str:
    """Return the page of a run. It is readable without scripts, and words of a source are never markup.

    `texts` are the source texts by source id. With them a citation opens in the surrounding part of its source; without
    them it opens in the sentences around its words.
    """
    digest = b64encode(sha256(report_script().encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'"
    return _page(
        f"{policy}; form-action 'none'",
        run.question[:200],
        content=f'<main class="live">\n{report_body(run)}</main>',
        data=embedded(run, texts or {}),
        # Screen readers choose the voice by the page's language.
        language=language_of(run),
    )


def report_body(run: Run) -> str:
    """Return the report as HTML, for who runs no scripts; markup in it is shown as text."""
    body: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(with_ending(run))
    return body


async def as_page(run: Run, documents: Documents) -> str:
    """Return the page of a run, with the texts around its quotes."""
    texts = await texts_of(run, documents)
    return await anyio.to_thread.run_sync(page_of, run, texts, abandon_on_cancel=True)


def _page(policy: str, title: str, *, content: str = "", data: str = "", language: str = "") -> str:
    return Template(_read("page.html")).substitute(
        policy=f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        title=escape(title),
        style=report_style(),
        language=f' lang="{escape(language)}"' if language else "",
        content=content,
        data=data,
        script=f'<script id="code">{report_script()}</script>',
    )


def embedded(run: Run, texts: Mapping[str, str]) -> str:
    """Return the element from which the script of the page reads a run: data, no script that a browser would run."""
    parts = {source: _parts(text, _places(run, source)) for source, text in texts.items()}
    # The script lists the sources itself.
    own = tuple(section for section in run.sections if section.part != "references")
    whole = run.model_copy(update={"sections": own}).model_dump(mode="json", exclude={"path"})
    whole |= {"texts": parts} if parts else {}
    whole |= {"ending": line} if (line := ending_line(run)) else {}
    # Escape every "<": no text in the run may close the <script> element.
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script id="data" type="application/json">{text}</script>'


def _quoted(run: Run) -> set[tuple[str, str, int, int]]:
    """Return source id, snapshot, start and end (character offsets) of every quote and citation."""
    quotes = [quote for claim in (*run.claims, *run.checks) for quote in claim.quotes]
    return {(one.source_id, one.snapshot, one.start, one.end) for one in (*quotes, *run.citations)}


def _places(run: Run, source: str) -> list[tuple[int, int]]:
    return sorted((start, end) for one, _, start, end in _quoted(run) if one == source)


def _parts(text: str, places: Iterable[tuple[int, int]]) -> list[dict[str, str | int | bool]]:
    """Return the text around the places, overlaps merged, with the start and whether more text follows."""
    spans: list[tuple[int, int]] = []
    for start, end in places:
        first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
        # Cut at spaces, if there are any, to keep words whole.
        first = first and (text.find(" ", first, start) + 1 or first)
        last = last if last == len(text) else max(text.rfind(" ", end, last), end)
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    return [{"start": first, "text": text[first:last], "more": last < len(text)} for first, last in spans]


@cache
def report_style() -> str:
    """Return the style of the page."""
    return "".join(_read(f"{name}.css") for name in _STYLES)


@cache
def report_script() -> str:
    """Return the script of the page."""
    words = f"const COVERAGE = {json.dumps(dict(COVERAGE), ensure_ascii=False)};"
    return '\n"use strict";\n{\n' + "\n".join([words, *(_read(f"{name}.js") for name in _SCRIPTS)]) + "}\n"


@cache
def _read(name: str) -> str:
    return files("deepresearch_mcp.viewer").joinpath("page", name).read_text(encoding="utf-8")
