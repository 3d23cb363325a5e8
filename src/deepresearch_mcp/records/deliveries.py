"""A webhook of a run: whom to tell of its end, and how far that is."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

DeliveryState = Literal["waiting", "pending", "delivered", "failed"]
"""`waiting`: the run has not ended; `pending`: it is sent, or sent again later; `failed`: it is not tried again."""


class Delivery(BaseModel):
    """One webhook of one run, as shown to its caller."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    """Without the secrets that it may hold."""
    state: DeliveryState
    attempts: int = 0
    """How often it was sent since the run's end."""
    next_attempt: float | None = None
    """Seconds since the epoch; None: none is planned."""
    reason: str = ""
    """Why the last attempt failed."""


class DueDelivery(BaseModel):
    """A delivery that this process has taken for some time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    run_id: str
    caller: str
    url: str
    ended: float
    """When the run ended, in seconds since the epoch; it names the message together with the run."""
    attempt: int
    """From 1."""
    taken_until: float
    """Until then no other process takes it."""
