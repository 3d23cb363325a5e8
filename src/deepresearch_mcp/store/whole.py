"""The whole store: all its parts on one database."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from typing_extensions import override

from deepresearch_mcp.ports.answers import EngineAnswers
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.consent import Inquiries
from deepresearch_mcp.ports.documents import CollectionsByOwner, Documents, Vectors
from deepresearch_mcp.ports.figures import Figures
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.retention import Retention
from deepresearch_mcp.ports.sessions import Sessions
from deepresearch_mcp.ports.shares import Shares
from deepresearch_mcp.ports.spending import Spending
from deepresearch_mcp.ports.store import Claims, Events, Judgements, Keys, ReportFile, Reports, Runs, Store
from deepresearch_mcp.ports.tokens import Tokens
from deepresearch_mcp.ports.watching import Prompts, Traces
from deepresearch_mcp.ports.webhooks import Webhooks
from deepresearch_mcp.records.run import ENDED, RunRow
from deepresearch_mcp.store.answers import SqlAnswers
from deepresearch_mcp.store.claims_events import SqlClaims, SqlEvents
from deepresearch_mcp.store.collections import SqlCollectionsByOwner
from deepresearch_mcp.store.documents import SqlDocuments
from deepresearch_mcp.store.figures import SqlFigures
from deepresearch_mcp.store.inquiries import SqlInquiries
from deepresearch_mcp.store.journal import open_journal
from deepresearch_mcp.store.judgements import SqlJudgements
from deepresearch_mcp.store.keys import SqlKeys
from deepresearch_mcp.store.reports import SqlReports, report_in
from deepresearch_mcp.store.retention import SqlRetention
from deepresearch_mcp.store.run_rows import row_in
from deepresearch_mcp.store.runs import SqlRuns
from deepresearch_mcp.store.sessions import SqlSessions
from deepresearch_mcp.store.shares import SqlShares
from deepresearch_mcp.store.spending import SqlSpending
from deepresearch_mcp.store.sql import Conn, Database, Owners
from deepresearch_mcp.store.tokens import SqlTokens
from deepresearch_mcp.store.vectors import SqlVectors
from deepresearch_mcp.store.watching import SqlPrompts, SqlTraces
from deepresearch_mcp.store.webhooks import SqlWebhooks


class SqlStore(Store):
    """`ports.store.Store` in a database."""

    runs: Runs
    documents: Documents
    claims: Claims
    judgements: Judgements
    answers: EngineAnswers
    inquiries: Inquiries
    events: Events
    collections: CollectionsByOwner
    vectors: Vectors
    spending: Spending
    retention: Retention
    reports: Reports
    keys: Keys
    tokens: Tokens
    webhooks: Webhooks
    sessions: Sessions
    figures: Figures
    shares: Shares
    prompts: Prompts
    traces: Traces
    home: Path

    def __init__(self, home: Path, database: Database, owners: Owners, reports: Reports, clock: Clock) -> None:
        self.home = home
        self.runs = SqlRuns(database, owners)
        self.documents = SqlDocuments(database, clock)
        self.claims = SqlClaims(database)
        self.judgements = SqlJudgements(database, clock)
        self.answers = SqlAnswers(database, clock)
        self.inquiries = SqlInquiries(database, owners)
        self.events = SqlEvents(database)
        self.collections = SqlCollectionsByOwner(database)
        self.vectors = SqlVectors(database)
        self.spending = SqlSpending(database, owners.owner)
        self.retention = SqlRetention(database)
        self.reports = reports
        self.keys = SqlKeys(database)
        self.tokens = SqlTokens(database)
        self.webhooks = SqlWebhooks(database)
        self.sessions = SqlSessions(database)
        self.figures = SqlFigures(database)
        self.shares = SqlShares(database)
        self.prompts = SqlPrompts(database)
        self.traces = SqlTraces(database)
        self._database = database
        self._owners = owners
        self._clock = clock

    @override
    async def run_with_report(
        self, run_id: str, caller: str, name: ReportFile | None
    ) -> tuple[RunRow | None, str | None]:
        def look(conn: Conn) -> tuple[RunRow | None, str | None]:
            row = row_in(conn, run_id, self._owners.lately_living)
            if row is None or row.caller != caller:
                return None, None
            here = name and row.status in ENDED and isinstance(self.reports, SqlReports)
            return row, report_in(conn, run_id, name) if name and here else None

        return await self._database.read(look)

    @asynccontextmanager
    @override
    async def journal(self, run_id: str) -> AsyncGenerator[Journal]:
        """Open the journal of a run; each opening is one attempt at the run."""
        yield await open_journal(self._database, self._clock, self._owners, run_id)
