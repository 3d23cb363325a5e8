"""A signed-in visitor of the web page."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from pages_world import Visitor, visiting


@pytest.fixture
async def visitor(tmp_path: Path) -> AsyncGenerator[Visitor]:
    async with visiting(tmp_path / "home") as one:
        yield one
