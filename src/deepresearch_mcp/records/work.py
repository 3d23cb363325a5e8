"""Work for the model of a run's client: what is handed over, and what comes back."""

from pydantic import BaseModel, ConfigDict, JsonValue


class ClientAnswer(BaseModel):
    """The answer to one packet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    model: str = ""
    """The client's name for its model."""
    cut: bool = False
    """Cut off at the client's limit."""
    unusable: bool = False
    """Neither the answer nor its correction had the requested shape."""


class ModelTask(BaseModel):
    """One question to the client's model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    packet_id: str
    """`ROUND.NUMBER`, unique in its run; the client answers by it."""
    mark: str
    """32 hexadecimal digits of all that is asked: an answer to other words is none to these."""
    task: str
    """The kind of step, such as `read`."""
    system: str
    """Instructions, the same for all packets of a task."""
    prompt: str
    """The material."""
    answer_schema: dict[str, JsonValue] | None = None
    """JSON Schema of the answer; None: plain text."""
    max_tokens: int
    """Of the answer."""
    faulty: bool = False
    """A first answer was unusable, and the client was told why."""
    answered: ClientAnswer | None = None
