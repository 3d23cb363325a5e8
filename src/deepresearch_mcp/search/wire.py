"""Sends one request to a search service and returns the answer's bytes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.exceptions import ProviderError, UnreadableAnswer
from deepresearch_mcp.search.errors import engine_key_refused, provider_errors

MAX_ANSWER = 5_000_000
"""Bytes after decompression; twenty long results take a hundredth of it."""

Explain = Callable[[int, bytes], ProviderError | None]
"""Maps the status and body of a refusal to a specific error; None for the usual one."""


async def ask(
    http: httpx2.AsyncClient,
    provider: str,
    method: Literal["GET", "POST"],
    url: str,
    *,
    params: Mapping[str, str | int | Sequence[str]] | None = None,
    json: object = None,
    headers: Mapping[str, str] | None = None,
    explain: Explain | None = None,
) -> bytes:
    """Send one request and return the body of a successful answer.

    It never follows redirects, whatever the client's setting, so that the key goes only to its own service.

    Raises:
        ProviderError: See `provider_errors`; also an answer longer than `MAX_ANSWER`.
    """
    with provider_errors(provider):
        async with http.stream(
            method, url, params=params, json=json, headers=headers, follow_redirects=False
        ) as response:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MAX_ANSWER:
                    raise UnreadableAnswer(provider, f"its answer is longer than {MAX_ANSWER:,} bytes")
            if response.is_success:
                return bytes(body)
            # Not `raise_for_status`: its message holds the address, and some services take their key there.
            error = httpx2.HTTPStatusError(f"HTTP {response.status_code}", request=response.request, response=response)
            if explain and (explained := explain(response.status_code, bytes(body))):
                raise explained from error
            raise error


def key_text(provider: str, key: SecretStr) -> str:
    """Return a key in the form for a header.

    Raises:
        KeyRefused: It is empty or holds characters that headers forbid. The HTTP library's own error would quote it.
    """
    text = key.get_secret_value().strip()
    if not text or not text.isascii() or not text.isprintable():
        raise engine_key_refused(provider, "the key is empty or holds characters that no key has")
    return text
