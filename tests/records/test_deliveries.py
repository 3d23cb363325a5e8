"""What is shown of a webhook."""

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.deliveries import Delivery


def test_a_state_is_one_of_four():
    assert Delivery(url="https://example.org/", state="waiting").attempts == 0
    with pytest.raises(ValidationError):
        Delivery.model_validate({"url": "https://example.org/", "state": "lost"})
