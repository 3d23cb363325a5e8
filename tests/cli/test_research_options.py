from typing import Any, get_type_hints

from deepresearch_mcp.cli import research as module
from deepresearch_mcp.records.request import ResearchRequest


def test_each_option_is_an_argument_of_a_request_or_one_of_the_command_itself() -> None:
    options: dict[str, Any] = get_type_hints(module.research, include_extras=True)
    taken = set(options) - module._OWN - {"return"}

    assert set(options) >= module._OWN
    # The command gives `web` from --no-web, and sees for itself whether there is a user to ask.
    # A model for each role is for REST and the library; here settings have it.
    assert taken | {"web", "asks", "fresh", "roles"} == set(ResearchRequest.model_fields)
