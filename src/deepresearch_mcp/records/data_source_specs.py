"""The data sources, as data. To add one: its adapter below `search/data_sources/`, its test, its entry here."""

from typing import Final

from deepresearch_mcp.records.spec_types import EngineSpec

PAPERS: Final = (
    EngineSpec(
        name="wikipedia",
        title="Wikipedia",
        adapter="search.data_sources.wikipedia:Wikipedia",
        filters=("domains", "language"),
        data=True,
    ),
)
"""Papers, encyclopaedias, questions and answers."""

REGISTERS: Final[tuple[EngineSpec, ...]] = ()
"""Registers of software, companies, figures, courts and news."""
