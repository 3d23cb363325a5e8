"""What is kept for looking inside: what models were asked, and the traces that runs belong to."""

import json

from typing_extensions import override

from deepresearch_mcp.ports.watching import PromptRow, Prompts, Traces
from deepresearch_mcp.store.sql import Conn, Database

_KEEP = """
INSERT INTO prompts(run_id, key, at, model, role, system, prompt) VALUES(?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(run_id, key) DO UPDATE SET at = excluded.at, model = excluded.model, role = excluded.role,
  system = excluded.system, prompt = excluded.prompt
"""
_OF = """
SELECT p.key, p.at, p.model, p.role, p.system, p.prompt, s.result FROM prompts AS p
LEFT JOIN steps AS s ON s.run_id = p.run_id AND s.key = p.key AND s.status = 'done'
WHERE p.run_id = ? ORDER BY p.at, p.key
"""
_JOIN = "INSERT INTO traces(run_id, parent, root) VALUES(?, ?, '') ON CONFLICT(run_id) DO NOTHING"
_BEGIN = """
INSERT INTO traces(run_id, parent, root) VALUES(?, '', ?)
ON CONFLICT(run_id) DO UPDATE SET root = CASE WHEN traces.root = '' THEN excluded.root ELSE traces.root END
"""


class SqlPrompts(Prompts):
    """`ports.watching.Prompts` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def keep(self, run_id: str, row: PromptRow) -> None:
        # A database can keep neither NUL nor half a surrogate pair.
        system, prompt = (
            text.replace("\0", "\ufffd").encode("utf-8", "replace").decode() for text in (row.system, row.prompt)
        )
        await self._database.change(_KEEP, (run_id, row.key, row.at, row.model, row.role, system, prompt))

    @override
    async def of(self, run_id: str) -> list[PromptRow]:
        rows = await self._database.rows(_OF, run_id)
        return [PromptRow(*known, answer=_text(result)) for *known, result in rows]


def _text(result: str | None) -> str | None:
    try:
        return str(json.loads(result)["text"]) if result else None
    except (ValueError, KeyError, TypeError):
        return None


class SqlTraces(Traces):
    """`ports.watching.Traces` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def join(self, run_id: str, parent: str) -> None:
        await self._database.change(_JOIN, (run_id, parent))

    @override
    async def begin(self, run_id: str, root: str) -> tuple[str, str]:
        def keep(conn: Conn) -> tuple[str, str]:
            conn.execute(_BEGIN, (run_id, root))
            return conn.execute("SELECT parent, root FROM traces WHERE run_id = ?", (run_id,)).fetchone()

        parent, first = await self._database.write(keep)
        return parent, first
