"""Specifications of search engines, model providers, report formats and evaluations: names, needs and costs.

This is data. Settings, registries, `config init`, `doctor`, the tools' texts, server.json, the bundle and the documents
are made from it. To add an entry, write the adapter, its test and the entry here; then run `make prepared`.

These modules import nothing else of this package: settings, and a server's first answers, read them at every start.
"""

from collections.abc import Sequence
from typing import Final

from deepresearch_mcp.records.data_source_specs import PAPERS, REGISTERS
from deepresearch_mcp.records.engine_specs import WEB_ENGINES
from deepresearch_mcp.records.spec_types import AddressSpec, EngineSpec, FormatSpec, KeySpec, ProviderSpec, WiresSpec

LOCAL: Final = EngineSpec(name="local", title="Local collections", adapter="search.engines.local:Local", web=False)
ENGINES: Final = (*WEB_ENGINES, *PAPERS, *REGISTERS, LOCAL)
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
        name="md",
        title="Markdown",
        suffixes=(".md", ".markdown", ".txt"),
        writer="viewer.text_files:as_markdown",
        media="text/markdown",
    ),
    FormatSpec(
        name="html",
        title="one page that loads nothing, each citation opening its quote",
        suffixes=(".html", ".htm"),
        writer="viewer.html_report:as_page",
        media="text/html",
        page=True,
    ),
    FormatSpec(
        name="json",
        title="the run object: report, claims, citations, sources, costs, provenance",
        suffixes=(".json",),
        writer="viewer.text_files:as_json",
        media="application/json",
    ),
    FormatSpec(
        name="docx",
        title="a Word document with tables, links and page numbers",
        suffixes=(".docx",),
        writer="viewer.word_file:as_docx",
        media="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        binary=True,
    ),
    FormatSpec(
        name="pdf",
        title="pages to print, with tables, links, outline and page numbers",
        suffixes=(".pdf",),
        writer="viewer.pdf_file:as_pdf",
        media="application/pdf",
        binary=True,
        extra="export",
    ),
    FormatSpec(
        name="bibtex",
        title="the cited sources, for LaTeX",
        suffixes=(".bib",),
        writer="viewer.cited_works:as_bibtex",
        media="application/x-bibtex",
    ),
    FormatSpec(
        name="csl-json",
        title="the cited sources, for Zotero and Pandoc",
        suffixes=(".csl.json", ".csljson"),
        writer="viewer.cited_works:as_csl_json",
        media="application/vnd.citationstyles.csl+json",
    ),
    FormatSpec(
        name="ris",
        title="the cited sources, for EndNote, Mendeley and others",
        suffixes=(".ris",),
        writer="viewer.cited_works:as_ris",
        media="application/x-research-info-systems",
    ),
)
"""The first is the default for a file name without a suffix."""

PROFILE_NAMES: Final = ("general", "academic", "technical", "news", "finance", "legal", "medical")
"""The profiles of this package, one file each in `profiles/`; users lay files of their own beside them."""

TEMPLATE_NAMES: Final = ("briefing", "literature_review", "comparison", "due_diligence", "timeline")
"""The report templates of this package, one file each in `report_templates/`; users lay files of their own beside."""

WITHOUT_SETUP: Final = ("duckduckgo", "wikipedia")
"""What `auto` asks if the user set up no engine: what answers most questions and needs neither key nor address."""

_EASIEST_FIRST = sorted(
    ENGINES, key=lambda spec: (not spec.web, spec.data and spec.name not in WITHOUT_SETUP, spec.demands)
)

ENGINE_NAMES: Final = tuple(spec.name for spec in _EASIEST_FIRST)
"""In the order of texts: web engines before data sources, and those first that demand least of a user."""
WEB_ENGINE_NAMES: Final = tuple(spec.name for spec in _EASIEST_FIRST if spec.web)

FORMAT_NAMES: Final = tuple(spec.name for spec in FORMATS)
PAGE: Final = next(spec for spec in FORMATS if spec.page)
"""The format that `report --open` shows."""
USUAL_SUFFIXES: Final = tuple(spec.suffixes[0] for spec in FORMATS)


def joined_with_or(names: Sequence[str]) -> str:
    """Join names for a sentence: `md, html or json`."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
