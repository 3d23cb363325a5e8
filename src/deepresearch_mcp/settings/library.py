"""Settings of the library: how documents are found by meaning."""

import ipaddress
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from deepresearch_mcp.settings.bounds import SettingsModel


class LibrarySettings(SettingsModel):
    """How collections are searched."""

    embeddings_url: str = Field(
        default="",
        description="Address of a /v1/embeddings endpoint, such as http://localhost:11434/v1; empty: words alone rank.",
    )
    embeddings_model: str = Field(default="", description="The model asked for there, such as nomic-embed-text.")
    embeddings_key: SecretStr | None = Field(default=None, description="Its key, if it needs one.")
    embeddings_batch: int = Field(default=32, ge=1, le=2_000, description="Texts in one request to it.")

    rerank_url: str = Field(
        default="",
        description="Address of a /v1/rerank endpoint, such as http://localhost:8012/v1; it orders the best hits anew.",
    )
    rerank_model: str = Field(default="", description="The model asked for there, such as bge-reranker-v2-m3.")
    rerank_key: SecretStr | None = Field(default=None, description="Its key, if it needs one.")

    @field_validator("embeddings_url", "rerank_url")
    @classmethod
    def _address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (parts.scheme in {"http", "https"} and parts.hostname):
            raise ValueError("it should be written like http://localhost:11434/v1")
        return url.rstrip("/").removesuffix("/embeddings").removesuffix("/rerank")

    @property
    def sends_to(self) -> str:
        """The host that gets the words of collections and queries; "" if none does, or only this machine."""
        return _other_machine(self.embeddings_url)

    @property
    def reranked_by(self) -> str:
        """The host that gets queries and passages of hits; "" if none does, or only this machine."""
        return _other_machine(self.rerank_url)


def _other_machine(url: str) -> str:
    host = urlsplit(url).hostname or ""
    return "" if not host or is_this_machine(host) else host


def is_this_machine(host: str) -> bool:
    """Whether a host name is the loopback's."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
