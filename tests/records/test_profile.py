import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.profile import GENERAL, Profile


def test_a_profile_without_a_file_prefers_nothing() -> None:
    profile = Profile()

    assert profile.name == GENERAL
    assert not profile.sources
    assert not profile.mind
    assert profile.least_quality == 0


def test_a_profile_names_a_few_data_sources() -> None:
    with pytest.raises(ValidationError):
        Profile(sources=tuple(f"source{number}" for number in range(7)))
