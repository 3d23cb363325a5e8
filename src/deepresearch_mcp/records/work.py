"""Work for the model of a run's client: what is handed over, and what comes back."""

from pydantic import BaseModel, ConfigDict, JsonValue


class ClientAnswer(BaseModel):
    """What came back for one packet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    model: str = ""
    """As the client named it."""
    cut: bool = False
    """It ends where the client's limit was met."""
    unusable: bool = False
    """It was no answer of the shape asked, and the correction was none either."""


class ModelTask(BaseModel):
    """One question to the client's model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    packet_id: str
    """`ROUND.NUMBER`, unique in its run; what the client answers by."""
    mark: str
    """32 hexadecimal digits of all that is asked: an answer to other words is none to these."""
    task: str
    """What it is about, as `read`."""
    system: str
    """Instructions, the same for all packets of a task."""
    prompt: str
    """The material."""
    answer_schema: dict[str, JsonValue] | None = None
    """JSON Schema of the answer; None: plain text."""
    max_tokens: int
    """Of the answer."""
    faulty: bool = False
    """A first answer could not be used, and the client was told why."""
    answered: ClientAnswer | None = None
