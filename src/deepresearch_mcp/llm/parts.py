"""What a model's adapter is made from."""

from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.llm.failures import Endpoint


@dataclass(frozen=True, slots=True)
class ModelParts:
    """The parts of one model's adapter, and the user's settings for its provider."""

    provider: str
    model: str
    key: SecretStr | None
    base_url: str
    """Empty: the adapter's own."""
    wire: str
    """One of the spec's wires; empty: the adapter chooses."""
    timeout: float
    """Time-out of one call, in seconds."""
    http: httpx2.AsyncClient
    endpoint: Endpoint
