"""The profiles of the package, and those of users."""

from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.profiles.loading import names_in, open_profile
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.records.specs import ENGINES, PROFILE_NAMES


@pytest.mark.parametrize("name", PROFILE_NAMES)
def test_every_profile_of_ours_opens_and_names_what_is_there(name: str) -> None:
    profile = open_profile(name)

    assert profile.name == name
    assert profile.title
    assert profile.grades in own_scale().profiles
    assert set(profile.sources) <= {spec.name for spec in ENGINES if spec.data}


def test_all_profiles_but_the_general_one_say_what_to_mind() -> None:
    assert [name for name in PROFILE_NAMES if not open_profile(name).mind] == ["general"]


def test_a_users_profile_stands_beside_ours_and_one_of_our_names_replaces_ours(tmp_path: Path) -> None:
    (tmp_path / "birds.toml").write_text('title = "Birds"\nprefer_domains = ["https://birds.example/"]\n')
    (tmp_path / "news.toml").write_text('title = "Our news"\n')
    (tmp_path / "No Name.toml").write_text("")

    assert names_in(str(tmp_path)) == ("birds", "news")
    assert open_profile("birds", str(tmp_path)).prefer_domains == ("birds.example",)
    assert open_profile("news", str(tmp_path)).title == "Our news"
    assert open_profile("legal", str(tmp_path)).title == "Law"


@pytest.mark.parametrize("name", ["birds", "../../etc/passwd", "general/../x", ""])
def test_an_unknown_profile_is_refused_with_the_names_of_those_there_are(name: str, tmp_path: Path) -> None:
    (tmp_path / "fish.toml").write_text("")

    with pytest.raises(InvalidRequest) as refused:
        open_profile(name, str(tmp_path))

    assert "fish" in refused.value.action
    assert "medical" in refused.value.action


def test_a_folder_that_is_not_there_has_no_profiles(tmp_path: Path) -> None:
    assert names_in(str(tmp_path / "nowhere")) == ()
    with pytest.raises(InvalidRequest, match="no profile 'birds'"):
        open_profile("birds", str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"title = ", "is not valid TOML"),
        (b"\xff\xfe", "it is not UTF-8 text"),
        (b"colour = 'red'", "colour: extra inputs are not permitted"),
        (b"least_quality = 3", "least_quality: input should be less than or equal to 1"),
        (b"prefer_suffixes = ['gov']", "prefer_suffixes.0: string should match"),
        (b"prefer_domains = ['One Site']", "prefer_domains.0: 'One Site' is not a domain: write it like example.org."),
        (b"# " + b"x" * 100_000, "more than 100,000 bytes"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence_with_its_key(text: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "birds.toml").write_bytes(text)

    with pytest.raises(SettingsError) as refused:
        open_profile("birds", str(tmp_path))

    assert said in refused.value.message
    assert "birds.toml" in refused.value.message
    assert refused.value.action


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "birds.toml").symlink_to("/proc/self/mem")

    with pytest.raises(SettingsError, match="cannot be read"):
        open_profile("birds", str(tmp_path))
