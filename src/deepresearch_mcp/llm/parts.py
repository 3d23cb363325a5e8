"""The arguments of a model's adapter."""

from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.llm.failures import Endpoint


@dataclass(frozen=True, slots=True)
class ModelParts:
    """The arguments of one model's adapter, with the user's settings for its provider."""

    provider: str
    model: str
    key: SecretStr | None
    base_url: str
    """Empty for the adapter's own address."""
    wire: str
    """One of the wires in the spec; empty to let the adapter choose."""
    timeout: float
    """Time-out of one call, in seconds."""
    http: httpx2.AsyncClient
    endpoint: Endpoint
