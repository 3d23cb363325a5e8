"""The secret of webhooks."""

import pytest
from pydantic import SecretStr, ValidationError

from deepresearch_mcp.settings.webhooks import WebhookSettings, secret_of, signing_key
from hook_receiver import KEY, SECRET


def test_the_key_is_what_the_secret_encodes():
    assert signing_key(SecretStr(SECRET)) == KEY
    assert secret_of(KEY) == SECRET


@pytest.mark.parametrize("secret", ["", "x", SECRET.removeprefix("whsec_"), "whsec_!!", "whsec_YQ=="])
def test_a_secret_that_cannot_sign_is_refused_without_showing_it(secret: str):
    with pytest.raises(ValidationError, match="24 to 64 bytes") as caught:
        WebhookSettings.model_validate({"secret": secret})
    assert len(secret) < 5 or secret not in str(caught.value)
