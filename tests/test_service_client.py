"""How search services and models are reached."""

from pathlib import Path
from typing import Any

import pytest
import trustme

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.service_client import service_client
from deepresearch_mcp.settings.schema import Settings


def settings(home: Path, **web: Any) -> Settings:
    return Settings.model_validate({"home": home, "web": web})


def test_a_certificate_file_that_cannot_be_used_is_told(tmp_path: Path):
    ca = tmp_path / "secret-ca.pem"
    with pytest.raises(SettingsError, match=r"web\.ca_file"):
        service_client(settings(tmp_path, ca_file=str(ca)))
    ca.write_text("no certificate")
    with pytest.raises(SettingsError, match=r"web\.ca_file"):
        service_client(settings(tmp_path, ca_file=str(ca)))


async def test_a_private_authority_is_trusted(tmp_path: Path):
    ca = tmp_path / "ca.pem"
    trustme.CA().cert_pem.write_to_path(str(ca))
    given = settings(tmp_path, ca_file=str(ca), proxy="http://127.0.0.1:1")

    async with service_client(given) as client:
        assert client.timeout.read == given.model.timeout
