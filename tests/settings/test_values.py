import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from deepresearch_mcp.settings.reading import all_settings
from deepresearch_mcp.settings.values import is_secret, parse_value, show_value, suggestion, without_credentials


def field(setting: str) -> FieldInfo:
    return all_settings()[setting]


def test_keys_and_the_databases_address_are_secrets_and_nothing_else() -> None:
    keys = {setting for setting in all_settings() if setting.endswith("_key")}

    # The address of a database holds its password.
    assert {setting for setting in all_settings() if is_secret(all_settings()[setting])} == keys | {
        "database_url",
        "webhooks.secret",
        "http.oauth.client_secret",
        "telemetry.otlp_headers",
    }


@pytest.mark.parametrize(
    ("setting", "given", "value"),
    [
        ("search.engines", "a,, b", ["a", "b"]),
        ("search.engines", '["a"]', ["a"]),
        ("search.engines", ["a"], ["a"]),
        ("model.roles", '{"a": "b"}', {"a": "b"}),
        ("search.brave_key", " k ", "k"),
        ("search.brave_key", "", None),
        ("search.timeout", "3", "3"),
        ("search.timeout", 3, 3),
    ],
)
def test_a_text_takes_the_shape_of_its_knob(setting: str, given: object, value: object) -> None:
    assert parse_value(field(setting), given) == value


@pytest.mark.parametrize("setting", ["search.engines", "model.roles"])
def test_a_text_that_is_no_json_is_refused_without_repeating_it(setting: str) -> None:
    with pytest.raises(ValueError, match="it should be written like") as caught:
        parse_value(field(setting), "[very private")

    assert "private" not in str(caught.value)


@pytest.mark.parametrize(
    ("setting", "value", "shown"),
    [
        ("search.brave_key", SecretStr("k"), "set"),
        ("search.brave_key", None, "not set"),
        ("web.robots", True, "true"),
        ("research.first_pages", 1 / 3, "0.333333"),
        ("web.ports", (80, 443), "80, 443"),
        ("model.roles", {"reader": "fast"}, '{"reader": "fast"}'),
        ("search.concurrency", 10, "10"),
    ],
)
def test_a_value_is_shown_in_one_line(setting: str, value: object, shown: str) -> None:
    assert show_value(field(setting), value) == shown


@given(user=st.from_regex(r"[a-z0-9:%@/]{8,20}", fullmatch=True))
def test_no_address_is_shown_with_what_stands_before_its_host_or_behind_its_path(user: str) -> None:
    assert without_credentials(f"https://{user}@host.example/v1?key=abc#?x") == "https://…@host.example/v1?…"


def test_a_name_that_is_nearly_right_is_offered() -> None:
    assert suggestion("APP_TIMEUOT", {"APP_TIMEOUT", "APP_HOME"}, "APP_") == " Did you mean APP_TIMEOUT?"
    assert suggestion("APP_X", {"APP_TIMEOUT"}, "APP_") == ""
