import re
import sys
from types import ModuleType

import pytest

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.llm.failures import surely_unpaid
from deepresearch_mcp.llm.sdk import is_installed, load_package
from deepresearch_mcp.settings.project import adding


def test_an_installed_package_is_imported() -> None:
    assert load_package("openai").__name__ == "openai"


def test_a_missing_package_is_named_with_the_line_that_installs_it() -> None:
    with pytest.raises(ProviderError, match=re.escape(f"Run: {adding('no_such_sdk')}")) as caught:
        load_package("no_such_sdk")

    assert not caught.value.retryable
    assert surely_unpaid(caught.value)


def test_what_is_installed_is_known_without_importing_it() -> None:
    assert is_installed("anthropic")
    assert not is_installed("no_such_sdk")
    module = ModuleType("half_imported_sdk")
    module.__spec__ = None
    sys.modules[module.__name__] = module
    try:
        assert not is_installed("half_imported_sdk")
    finally:
        del sys.modules[module.__name__]
