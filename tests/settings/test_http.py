import pytest
from pydantic import ValidationError

from deepresearch_mcp.settings.http import HttpSettings, OAuthSettings

WHOLE = {"issuer": "https://login.example.com", "jwks_url": "https://login.example.com/jwks"}


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"issuer": "http://login.example.com"}, "http only on this machine"),
        ({"issuer": "login.example.com"}, "it should be written like"),
        ({"issuer": "https://login.example.com"}, "jwks_url or introspection_url has to be set"),
        (WHOLE | {"issuer": "http://127.login.example.com"}, "http only on this machine"),
        (WHOLE | {"scope_map": {"all": ["everything"]}}, "there is no scope 'everything'"),
    ],
)
def test_an_identity_server_that_cannot_be_trusted_is_refused(given: dict[str, object], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        OAuthSettings.model_validate(given)


def test_an_identity_server_on_this_machine_may_speak_http() -> None:
    assert OAuthSettings.model_validate(WHOLE | {"issuer": "http://127.0.0.1:1"}).issuer == "http://127.0.0.1:1"


def test_a_public_address_is_one_that_can_be_called() -> None:
    assert HttpSettings(public_url="https://a.example/").public_url == "https://a.example"
    with pytest.raises(ValidationError, match="it should be written like"):
        HttpSettings(public_url="a.example")
