"""Tasks for the model of a run's client, and its answers."""

from pydantic import BaseModel, ConfigDict, JsonValue


class ClientAnswer(BaseModel):
    """The answer to one task packet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    model: str = ""
    """The client's name for its model."""
    cut: bool = False
    """The answer was cut off at the client's token limit."""
    unusable: bool = False
    """Neither the answer nor its correction had the requested form."""


class ModelTask(BaseModel):
    """One question to the client's model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    packet_id: str
    """`ROUND.NUMBER`, unique within the run; the client's answer names it."""
    mark: str
    """Hash of the whole question, 32 hexadecimal digits: an answer to a different question does not count."""
    task: str
    """The kind of step, such as `read`."""
    system: str
    """Instructions; the same for all packets of a task."""
    prompt: str
    """The material to work on."""
    answer_schema: dict[str, JsonValue] | None = None
    """JSON Schema of the answer; None: plain text."""
    max_tokens: int
    """Token limit of the answer."""
    faulty: bool = False
    """The first answer was unusable, and the client was told why."""
    answered: ClientAnswer | None = None
