import re

import pytest

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.llm.failures import surely_unpaid
from deepresearch_mcp.llm.sdk import load
from deepresearch_mcp.naming import adding


def test_an_installed_package_is_imported() -> None:
    assert load("openai").__name__ == "openai"


def test_a_missing_package_is_named_with_the_line_that_installs_it() -> None:
    with pytest.raises(ProviderError, match=re.escape(f"Run: {adding('no_such_sdk')}")) as caught:
        load("no_such_sdk")

    assert not caught.value.retryable
    assert surely_unpaid(caught.value)
