"""A runtime on a clock moved by hand, and what it is asked."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from clocks import HandClock
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.runtime import Runtime, open_runtime
from deepresearch_mcp.settings.schema import Settings

KEYED = {"openai_key": "k"}


@asynccontextmanager
async def opened(home: Path, **groups: Any) -> AsyncGenerator[Runtime]:
    async with open_runtime(Settings.model_validate({"home": home} | groups), HandClock()) as runtime:
        yield runtime


def asked(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": "Why does ice float?"} | given)
