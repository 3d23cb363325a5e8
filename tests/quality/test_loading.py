"""The data files, and a user's own laid over them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.quality.loading import lay_over, open_scale, own_scale
from deepresearch_mcp.quality.sites import site_kind


def written(folder: Path, text: str | bytes) -> str:
    file = folder / "grades.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(file)


def test_without_a_file_the_scale_is_the_packages_own_and_read_once():
    assert open_scale("") is open_scale("  ") is own_scale()


def test_a_users_numbers_replace_ours_and_the_rest_stays(tmp_path: Path):
    scale = open_scale(written(tmp_path, "weights.author = 0.5\ntopics.science.decay = 0.1\n"))

    assert (scale.weights.author, scale.weights.authority) == (0.5, 0.4)
    assert scale.topics["science"].decay == 0.1
    assert scale.topics["science"].words == own_scale().topics["science"].words


def test_a_users_domains_join_their_kind_and_leave_the_one_they_had(tmp_path: Path):
    scale = open_scale(
        written(
            tmp_path,
            '[kinds.official]\ndomains = ["medium.com", "mine.example", "!python.org"]\n'
            '[kinds.house]\nauthority = 0.9\ndomains = ["intra.example"]\n',
        )
    )

    assert site_kind("https://medium.com/x", scale).kind == "official"
    assert site_kind("https://a.mine.example/x", scale).kind == "official"
    assert site_kind("https://intra.example/x", scale).kind == "house"
    assert site_kind("https://www.gov.uk/x", scale).kind == "official"
    assert site_kind("https://www.python.org/x", scale).kind == "unknown"
    assert site_kind("https://x.substack.com/x", scale).kind == "blog"


def test_the_only_domain_of_a_kind_may_be_moved_away():
    merged = lay_over(
        {"kinds": {"a": {"domains": ["x.example"]}, "b": {}}}, {"kinds": {"b": {"domains": ["x.example"]}}}
    )

    assert merged["kinds"] == {"a": {}, "b": {"domains": ["x.example"]}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("weights.authority = -1", "is wrong at weights.authority: it should be greater than or equal to 0"),
        ("weights.autority = 1", "is wrong at weights.autority: there is no such key; did you mean authority?"),
        ("wights.author = 1", "is wrong at wights: there is no such key; did you mean weights?"),
        ("thresholds.good = 'high'", "is wrong at thresholds.good: it should be a valid number"),
        ("thresholds.good = nan", "is wrong at thresholds.good: it should be a finite number"),
        ("thresholds.zzz = 1", "is wrong at thresholds.zzz: there is no such key."),
        ("kinds.house.domains = ['a.example']", "is wrong at kinds.house.authority: it is required"),
        (
            "kinds.official.domains = ['not a domain']",
            "is wrong at kinds.official.domains: 'not a domain' in it: it should be a domain",
        ),
        ("kinds.official.domains = 'a.example'", "is wrong at kinds.official.domains: it should be a valid tuple"),
        ("kinds = 3", "is wrong at kinds: it should be a valid dictionary"),
        ("kinds.official = 3", "is wrong at kinds.official: it should be"),
        ("kinds.x.y = 3", "is wrong at kinds.x.y: there is no such key"),
        ("profiles.cooking.topic = 'stews'", "is wrong at profiles.cooking.topic: it should be one of"),
        ("profiles.news.authority.zine = 0.1", "is wrong at profiles.news.authority.zine: its name should be one of"),
        ("weights = {authority=0, author=0, content=0, external=0}", "at least one weight should be above 0"),
        ("signs.machine_weak = ['x']", "at signs.machine_weak: 'x' in it: it should be at least two"),
        ("= 3", "is not valid TOML: "),
        (b"\xff\xfe", "is not valid TOML: it is not UTF-8 text"),
        (b"#" * 1_000_001, "has more than 1,000,000 bytes"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence_with_its_key_and_what_to_do(
    tmp_path: Path, text: str | bytes, said: str
):
    with pytest.raises(SettingsError) as caught:
        open_scale(written(tmp_path, text))

    assert said in caught.value.message
    assert "grades.toml" in caught.value.message
    assert "\n" not in str(caught.value)
    assert caught.value.action
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_file_that_is_not_there_or_is_none_is_refused(tmp_path: Path):
    for name in (str(tmp_path / "none.toml"), str(tmp_path), "a\0b"):
        with pytest.raises(SettingsError, match="cannot be read") as caught:
            open_scale(name)
        assert "Name a TOML file" in caught.value.action


TABLES = some.recursive(
    some.integers() | some.lists(some.text(max_size=5), max_size=4),
    lambda inner: some.dictionaries(some.sampled_from(["a", "b", "kinds", "domains"]), inner, max_size=4),
    max_leaves=12,
)
TOPS = some.dictionaries(some.sampled_from(["a", "b", "kinds"]), TABLES, max_size=3)


@given(base=TOPS, over=TOPS)
def test_laying_over_changes_neither_table_and_twice_is_as_once(base: dict[str, object], over: dict[str, object]):
    before = repr((base, over))

    once = lay_over(base, over)

    assert repr((base, over)) == before
    assert lay_over(once, over) == once
    assert set(once) == set(base) | set(over)
