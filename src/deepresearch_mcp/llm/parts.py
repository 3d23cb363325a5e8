"""What the adapter of a model is made of."""

from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.llm.failures import Endpoint


@dataclass(frozen=True, slots=True)
class ModelParts:
    """The means of one model, and what its user set for its provider."""

    provider: str
    model: str
    key: SecretStr | None
    base_url: str
    """Empty: the adapter's own."""
    wire: str
    """One of the spec's wires; empty: the adapter chooses."""
    timeout: float
    """Seconds for one call."""
    http: httpx2.AsyncClient
    endpoint: Endpoint
