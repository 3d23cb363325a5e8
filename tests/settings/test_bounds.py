"""The settings of a server as they are when nobody says otherwise."""

import pytest
from pydantic import ValidationError

from deepresearch_mcp.settings.bounds import KeepSettings, LimitSettings, ServerSettings, SettingsModel


def test_by_default_no_run_is_ever_deleted_and_no_caller_is_held_back():
    assert (KeepSettings().runs_days, KeepSettings().cache_days) == (0, 30)
    assert LimitSettings().runs_per_caller == 0
    assert ServerSettings().runs_at_once == 8


@pytest.mark.parametrize(
    ("group", "given"),
    [
        (KeepSettings, {"runs_days": -1}),
        (LimitSettings, {"runs_per_caller": -1}),
        (ServerSettings, {"runs_at_once": 0}),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(group: type[SettingsModel], given: dict[str, int]):
    with pytest.raises(ValidationError):
        group.model_validate(given)
