"""Tokens of a real identity server, npm `oidc-provider`: signed ones and opaque ones."""

import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from clocks import HandClock
from deepresearch_mcp.http_app.oauth import OAuthTokens
from deepresearch_mcp.settings.http import OAuthSettings
from deepresearch_mcp.system_clock import SystemClock
from foreign import IDENTITY_SERVER, installed_by_npm, program

pytestmark = [pytest.mark.interop, pytest.mark.timeout(180)]

RESOURCE = "https://research.example.com/mcp"
SCRIPT = Path(__file__).parent / "clients" / "identity_server.mjs"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the server."""
    folder = installed_by_npm(tmp_path_factory.mktemp("identity"), IDENTITY_SERVER)
    shutil.copy(SCRIPT, folder)
    return folder


@contextmanager
def identity_server(folder: Path, form: str) -> Generator[str]:
    """Its address, while it runs; its access tokens have this form."""
    command = [program("node", "nodejs"), SCRIPT.name, RESOURCE, form]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@pytest.mark.parametrize("form", ["jwt", "opaque"])
async def test_its_tokens_for_us_open_what_they_were_granted_and_others_nothing(installed: Path, form: str) -> None:
    with identity_server(installed, form) as issuer:
        async with httpx2.AsyncClient() as http:

            async def granted(scope: str, resource: str = RESOURCE) -> str:
                asked = {"grant_type": "client_credentials", "scope": scope, "resource": resource}
                answer = await http.post(f"{issuer}/token", data=asked, auth=("ada", "ada-secret"))
                return answer.raise_for_status().json()["access_token"]

            told = (await http.get(f"{issuer}/.well-known/openid-configuration")).json()
            settings = OAuthSettings.model_validate(
                {
                    "issuer": told["issuer"],
                    "jwks_url": told["jwks_uri"],
                    "introspection_url": told["introspection_endpoint"],
                    "client_id": "us",
                    "client_secret": "our-secret",
                    "scope_map": {"research": ["runs:write"]},
                }
            )
            tokens = OAuthTokens(settings, RESOURCE, http, SystemClock())
            good = await granted("runs:read research")
            reader = await tokens.principal(await granted("runs:read"))
            writer = await tokens.principal(good)
            foreign = await tokens.principal(await granted("runs:read", "https://other.example.com"))
            late = OAuthTokens(settings, RESOURCE, http, HandClock(start=SystemClock().now().replace(year=2100)))

            assert (good.count(".") == 2) is (form == "jwt")
            assert reader is not None
            assert writer is not None
            assert (reader.scopes, writer.scopes) == (frozenset({"runs:read"}), frozenset({"runs:read", "runs:write"}))
            assert reader.caller == writer.caller
            assert foreign is None
            assert await tokens.principal(good[:-6] + "AAAAAA") is None
            assert await late.principal(good) is None
