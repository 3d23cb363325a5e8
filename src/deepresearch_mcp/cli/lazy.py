"""Imports the engine and rich when a command runs, not when its help is shown.

`lazy.running` is `cli.running`, imported at first use. Importing everything takes a second; `--help` answers in a
fraction of it. All other imports of this package are at the top of their files.
"""

# Other modules use these imports, which are for the type checker, as `lazy.NAME`.
# ruff: noqa: F401
# pyright: reportUnusedImport=false

from typing import TYPE_CHECKING

from deepresearch_mcp.adapters import modules_at

if TYPE_CHECKING:
    import tomlkit
    from rich import console as rich_console
    from rich import text as rich_text
    from rich import theme as rich_theme
    from tomlkit import items as tomlkit_items

    from deepresearch_mcp import runtime, system_clock
    from deepresearch_mcp.cli import (
        answering,
        checks,
        comparing,
        connections,
        drawing,
        indexing,
        live,
        measuring,
        report_files,
        running,
        watching,
    )
    from deepresearch_mcp.cli.demo import server as demo_server
    from deepresearch_mcp.cli.demo import site as demo_site
    from deepresearch_mcp.evals import keyed
    from deepresearch_mcp.evals import registry as evaluations
    from deepresearch_mcp.evals import reports as eval_reports
    from deepresearch_mcp.evals import research as eval_research
    from deepresearch_mcp.http_app import address, serving, worker_metrics
    from deepresearch_mcp.injection import screen
    from deepresearch_mcp.jobs import (
        accounts,
        asking,
        attempts,
        cluster,
        described,
        jobs,
        prompt_log,
        rating,
        replies,
        sharing,
        shelves,
        soundness,
        trail,
    )
    from deepresearch_mcp.mcp_server import results, stdio
    from deepresearch_mcp.records import request as request_records
    from deepresearch_mcp.records import run as run_records
    from deepresearch_mcp.search import registry as engines
    from deepresearch_mcp.settings import asking as setting_questions
    from deepresearch_mcp.settings import keyring, reading, schema, values
    from deepresearch_mcp.store import moving, words
    from deepresearch_mcp.store import opening as store_opening
    from deepresearch_mcp.store.postgres import connection as postgres_connection
    from deepresearch_mcp.store.postgres import errors as postgres_errors
    from deepresearch_mcp.store.postgres import opening as postgres_opening
    from deepresearch_mcp.text import keywords
    from deepresearch_mcp.viewer import formats
else:
    _MODULES = {
        "accounts": "deepresearch_mcp.jobs.accounts",
        "address": "deepresearch_mcp.http_app.address",
        "answering": "deepresearch_mcp.cli.answering",
        "asking": "deepresearch_mcp.jobs.asking",
        "attempts": "deepresearch_mcp.jobs.attempts",
        "checks": "deepresearch_mcp.cli.checks",
        "cluster": "deepresearch_mcp.jobs.cluster",
        "comparing": "deepresearch_mcp.cli.comparing",
        "connections": "deepresearch_mcp.cli.connections",
        "demo_server": "deepresearch_mcp.cli.demo.server",
        "demo_site": "deepresearch_mcp.cli.demo.site",
        "described": "deepresearch_mcp.jobs.described",
        "drawing": "deepresearch_mcp.cli.drawing",
        "engines": "deepresearch_mcp.search.registry",
        "eval_reports": "deepresearch_mcp.evals.reports",
        "eval_research": "deepresearch_mcp.evals.research",
        "evaluations": "deepresearch_mcp.evals.registry",
        "formats": "deepresearch_mcp.viewer.formats",
        "serving": "deepresearch_mcp.http_app.serving",
        "indexing": "deepresearch_mcp.cli.indexing",
        "jobs": "deepresearch_mcp.jobs.jobs",
        "keyed": "deepresearch_mcp.evals.keyed",
        "keyring": "deepresearch_mcp.settings.keyring",
        "keywords": "deepresearch_mcp.text.keywords",
        "live": "deepresearch_mcp.cli.live",
        "measuring": "deepresearch_mcp.cli.measuring",
        "moving": "deepresearch_mcp.store.moving",
        "postgres_connection": "deepresearch_mcp.store.postgres.connection",
        "postgres_errors": "deepresearch_mcp.store.postgres.errors",
        "postgres_opening": "deepresearch_mcp.store.postgres.opening",
        "reading": "deepresearch_mcp.settings.reading",
        "prompt_log": "deepresearch_mcp.jobs.prompt_log",
        "rating": "deepresearch_mcp.jobs.rating",
        "replies": "deepresearch_mcp.jobs.replies",
        "report_files": "deepresearch_mcp.cli.report_files",
        "request_records": "deepresearch_mcp.records.request",
        "results": "deepresearch_mcp.mcp_server.results",
        "rich_console": "rich.console",
        "rich_text": "rich.text",
        "rich_theme": "rich.theme",
        "run_records": "deepresearch_mcp.records.run",
        "running": "deepresearch_mcp.cli.running",
        "runtime": "deepresearch_mcp.runtime",
        "schema": "deepresearch_mcp.settings.schema",
        "screen": "deepresearch_mcp.injection.screen",
        "setting_questions": "deepresearch_mcp.settings.asking",
        "sharing": "deepresearch_mcp.jobs.sharing",
        "shelves": "deepresearch_mcp.jobs.shelves",
        "soundness": "deepresearch_mcp.jobs.soundness",
        "trail": "deepresearch_mcp.jobs.trail",
        "stdio": "deepresearch_mcp.mcp_server.stdio",
        "store_opening": "deepresearch_mcp.store.opening",
        "system_clock": "deepresearch_mcp.system_clock",
        "tomlkit": "tomlkit",
        "tomlkit_items": "tomlkit.items",
        "values": "deepresearch_mcp.settings.values",
        "watching": "deepresearch_mcp.cli.watching",
        "words": "deepresearch_mcp.store.words",
        "worker_metrics": "deepresearch_mcp.http_app.worker_metrics",
    }

    __getattr__ = modules_at(__name__, _MODULES)
