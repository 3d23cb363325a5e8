"""Questions of runs to their users, and the replies, from any process."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from typing_extensions import override

from deepresearch_mcp.events import Ended, Replied
from deepresearch_mcp.ports.consent import Inquiries
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.work import ClientAnswer
from deepresearch_mcp.store.claims_events import append
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.sql import Conn, Database, Owners

# An attempt that reaches a question for its user has not died, so the count of deaths restarts at zero.
_SUSPEND = """
UPDATE runs SET status = 'input_required', owner = NULL, fence = fence + 1, progress = ?, updated = ?,
  deaths = 0, dying = NULL
WHERE run_id = ? AND owner = ? AND fence = ? AND ended IS NULL AND cancel = 0
"""
_PUT = """
INSERT INTO inquiries(run_id, inquiry_id, asked, inquiry) VALUES(?, ?, ?, ?)
ON CONFLICT(run_id, inquiry_id) DO UPDATE SET asked = excluded.asked, inquiry = excluded.inquiry,
  replied = NULL, reply = NULL
"""
_RESUME = """
UPDATE runs SET status = 'queued', stage = 'created', request = ?, updated = ?
WHERE run_id = ? AND status = 'input_required' AND cancel = 0
AND EXISTS(SELECT 1 FROM inquiries WHERE inquiries.run_id = runs.run_id AND inquiry_id = ? AND reply IS NULL)
"""
_CLOSE = """
UPDATE runs SET status = 'queued', stage = 'created', cancel = 1, updated = ?
WHERE run_id = ? AND status = 'input_required' AND cancel = 0
AND EXISTS(SELECT 1 FROM inquiries WHERE inquiries.run_id = runs.run_id AND inquiry_id = ? AND reply IS NULL)
"""
# The fence rises, as for every run that ends without its owner.
_END = """
UPDATE runs SET status = 'cancelled', stage = 'ended', cancel = 1, fence = fence + 1, ended = ?, updated = ?
WHERE run_id = ? AND status = 'input_required' AND cancel = 0
AND EXISTS(SELECT 1 FROM inquiries WHERE inquiries.run_id = runs.run_id AND inquiry_id = ? AND reply IS NULL)
"""
_OPEN = """
SELECT inquiry FROM inquiries WHERE run_id = ? AND inquiry_id = ? AND reply IS NULL
AND EXISTS(SELECT 1 FROM runs WHERE runs.run_id = inquiries.run_id AND status = 'input_required' AND cancel = 0)
"""
_FILL = "UPDATE inquiries SET inquiry = ? WHERE run_id = ? AND inquiry_id = ? AND reply IS NULL AND inquiry = ?"
_REPLY = "UPDATE inquiries SET reply = ?, replied = ? WHERE run_id = ? AND inquiry_id = ?"


class SqlInquiries(Inquiries):
    """`ports.consent.Inquiries` in a database."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self._database = database
        self._owners = owners

    @override
    async def put(self, run_id: str, inquiry: InputRequest, now: float, progress: dict[str, Any]) -> bool:
        """Suspend a run in one transaction, so that no reader sees a waiting run without its question."""
        ours = (run_id, self._owners.owner, self._owners.fences.get(run_id))
        which = (run_id, inquiry.inquiry_id)

        def suspend(conn: Conn) -> bool:
            if conn.execute(_SUSPEND, (to_json(progress), now, *ours)).rowcount == 1:
                conn.execute(_PUT, (run_id, inquiry.inquiry_id, now, to_json(inquiry)))
                return True
            # It may have been stored before the connection broke.
            found = conn.execute("SELECT asked FROM inquiries WHERE run_id = ? AND inquiry_id = ?", which).fetchone()
            return found is not None and found[0] == now

        done = await self._database.write(suspend)
        if done:
            self._owners.fences.pop(run_id, None)
        return done

    @override
    async def open(self, run_id: str) -> InputRequest | None:
        found = await self._database.rows(
            "SELECT inquiry FROM inquiries WHERE run_id = ? AND reply IS NULL ORDER BY asked DESC LIMIT 1", run_id
        )
        return InputRequest.model_validate(json.loads(found[0][0])) if found else None

    @override
    async def fill(
        self, run_id: str, inquiry_id: str, answers: Mapping[str, ClientAnswer], faulty: Collection[str]
    ) -> InputRequest | None:
        """Store answers. If two processes deliver answers at once, both sets are kept."""

        def keep(conn: Conn) -> tuple[InputRequest | None, bool]:
            found = conn.execute(_OPEN, (run_id, inquiry_id)).fetchone()
            if found is None:
                return None, True
            inquiry = InputRequest.model_validate(json.loads(found[0])).after(answers, faulty)
            changed = conn.execute(_FILL, (to_json(inquiry), run_id, inquiry_id, found[0])).rowcount
            return inquiry, changed == 1

        while True:
            inquiry, kept = await self._database.write(keep)
            if kept:
                return inquiry

    @override
    async def close(self, run_id: str, inquiry_id: str, now: float) -> bool:
        which, said = (run_id, inquiry_id), Reply(decision="decline")

        def end(conn: Conn) -> bool:
            if conn.execute(_CLOSE, (now, *which)).rowcount == 1:
                conn.execute(_REPLY, (to_json(said), now, *which))
                event = Replied(inquiry_id, said.decision)
                append(conn, run_id, now, event.kind, event.data())
                return True
            return _kept(conn, which, said, now)

        return await self._database.write(end)

    @override
    async def replied(self, run_id: str, inquiry_id: str) -> tuple[InputRequest, Reply] | None:
        found = await self._database.rows(
            "SELECT inquiry, reply FROM inquiries WHERE run_id = ? AND inquiry_id = ? AND reply IS NOT NULL",
            run_id,
            inquiry_id,
        )
        if not found:
            return None
        [(inquiry, reply)] = found
        return InputRequest.model_validate(json.loads(inquiry)), Reply.model_validate(json.loads(reply))

    @override
    async def last(self, run_id: str) -> Reply | None:
        found = await self._database.rows(
            "SELECT reply FROM inquiries WHERE run_id = ? AND reply IS NOT NULL ORDER BY replied DESC LIMIT 1", run_id
        )
        return Reply.model_validate(json.loads(found[0][0])) if found else None

    @override
    async def reply(self, run_id: str, inquiry_id: str, reply: Reply, request: AnyRequest, now: float) -> bool:
        """Store a reply; of two that arrive at once, only one is kept."""

        def keep(conn: Conn) -> bool:
            which = (run_id, inquiry_id)
            if reply.decision == "decline":
                heard = conn.execute(_END, (now, now, *which)).rowcount == 1
            else:
                heard = conn.execute(_RESUME, (to_json(request), now, *which)).rowcount == 1
            if heard:
                conn.execute(_REPLY, (to_json(reply), now, *which))
                if reply.decision == "decline":
                    # In the same transaction: no other process will record this event.
                    for event in (Replied(inquiry_id, reply.decision), Ended("cancelled", "declined", report=False)):
                        append(conn, run_id, now, event.kind, event.data())
                return True
            return _kept(conn, which, reply, now)

        return await self._database.write(keep)


def _kept(conn: Conn, which: tuple[str, str], reply: Reply, now: float) -> bool:
    """Whether this reply was stored before the connection broke."""
    found = conn.execute("SELECT replied, reply FROM inquiries WHERE run_id = ? AND inquiry_id = ?", which).fetchone()
    return found is not None and tuple(found) == (now, to_json(reply))
