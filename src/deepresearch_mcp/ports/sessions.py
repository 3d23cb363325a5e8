"""The port of sessions: a configuration that is stored first and carried out when its question comes."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One stored session."""

    session_id: str
    caller: str
    config: str
    """As JSON, in the surface's own words."""
    created: float
    """Seconds since the epoch."""
    run_id: str = ""
    """The run that carries it out; "" before that."""


class SessionTaken(Exception):
    """Another run carries the session out, or it is gone: no run was made for it."""


class Sessions(Protocol):
    """Sessions by their ids. Whose one is, the reader of a row decides."""

    async def create(self, row: SessionRow, expired: float) -> bool:
        """Store a session; False if the id is taken. Those never used from before `expired` are dropped."""
        ...

    async def get(self, session_id: str) -> SessionRow | None:
        """Return a session; None if there is none."""
        ...

    async def bind(self, session_id: str, run_id: str) -> str:
        """Note the run that carries a session out, and return it. The first one stays; `Runs.create` notes new ones."""
        ...

    async def of_run(self, run_id: str) -> list[str]:
        """Return the ids of the sessions that a run carries out."""
        ...

    async def remove(self, session_id: str) -> bool:
        """Delete a session; False if there was none."""
        ...
