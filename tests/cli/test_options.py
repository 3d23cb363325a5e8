import pytest

from deepresearch_mcp.cli.options import flags_of
from deepresearch_mcp.exceptions import InvalidRequest


def test_settings_on_the_command_line_stand_over_all_others(cli, home):
    said = cli("config", "show", "search.timeout", "--json", "--set", "search.timeout=3")

    assert [(row["value"], row["origin"]) for row in said.json["settings"]] == [("3", "flag")]


def test_what_was_ignored_is_said_beside_the_result(cli, home):
    (home.parent / ".env").write_text("OPENAI_BASE_URL=http://elsewhere.example\n", encoding="utf-8")

    said = cli("config", "show", "model.openai_base_url", "--json")

    assert "OPENAI_BASE_URL" in said.err
    assert said.json["settings"][0]["value"] == ""


@pytest.mark.parametrize("wrong", ["no-equals", "=value", " =x"])
def test_what_is_no_setting_is_refused_without_being_repeated(wrong):
    with pytest.raises(InvalidRequest) as caught:
        flags_of([wrong])

    assert wrong not in str(caught.value)


def test_a_value_may_hold_an_equals_sign():
    assert flags_of(["search.searxng_url=http://a.example/?x=1"]) == {"search.searxng_url": "http://a.example/?x=1"}


@pytest.mark.parametrize("knob", ["model.openai_key", " search.brave_key "])
def test_a_secret_on_the_command_line_is_refused_and_not_repeated(knob):
    with pytest.raises(InvalidRequest, match="can be read by others") as caught:
        flags_of([f"{knob}=sk-tops3cret"])

    assert f"--key-from-stdin {knob.strip()}" in str(caught.value)
    assert "tops3cret" not in str(caught.value)
