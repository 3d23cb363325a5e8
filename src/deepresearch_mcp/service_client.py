"""The HTTP client for search services and models. The user chose their addresses, so the page guard does not apply."""

import ssl

import httpx2

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.settings.schema import Settings


def service_client(settings: Settings) -> httpx2.AsyncClient:
    """Make the client; the caller closes it.

    Raises:
        SettingsError: The file of the certificate authority cannot be read.
    """
    web = settings.web
    context: ssl.SSLContext | bool = True
    if web.ca_file:
        try:
            context = ssl.create_default_context(cafile=web.ca_file)
        except OSError as error:
            raise SettingsError(
                f"The file of web.ca_file cannot be used ({type(error).__name__}).", "Name a readable PEM file."
            ) from error
    return httpx2.AsyncClient(
        verify=context,
        proxy=web.proxy or None,
        headers={"User-Agent": web.sent_as},
        timeout=settings.model.timeout,
        http2=True,
        trust_env=False,
    )
