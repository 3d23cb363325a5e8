import pytest

from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings, WebSettings, read
from deepresearch_mcp.settings.web import ContactSettings
from deepresearch_mcp.version import __version__

US = f"deepresearch-server/{__version__}"


def test_without_a_contact_requests_name_product_and_version_and_no_one_elses_address() -> None:
    assert ContactSettings().sent_as == US


@pytest.mark.parametrize(
    ("contact", "sent"),
    [
        ("team@example.org", f"{US} (mailto:team@example.org)"),
        ("https://example.org/bot?team=a", f"{US} (+https://example.org/bot?team=a)"),
        ("http://intranet/bot", f"{US} (+http://intranet/bot)"),
    ],
)
def test_the_contact_of_those_who_run_it_goes_along(contact: str, sent: str) -> None:
    assert ContactSettings(contact=contact).sent_as == sent


def test_a_user_agent_of_ones_own_keeps_the_contact() -> None:
    assert ContactSettings(user_agent="mine/2", contact="a@example.org").sent_as == "mine/2 (mailto:a@example.org)"


@pytest.mark.parametrize(
    "contact",
    [
        "example.org", "a@b", "a@example.org\r\nCookie: x", "https://example.org/a b",
        "me (a@example.org)", "ftp://example.org/", "é@example.org", f"https://example.org/{'a' * 200}",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_what_to_give(contact: str, tmp_path) -> None:
    with pytest.raises(ValueError, match=r"web\.contact.*give one mail address") as caught:
        read({}, env={"DEEPRESEARCH_WEB__CONTACT": contact}, config_dir=tmp_path)

    assert "\n" not in str(caught.value)


def test_no_line_end_gets_into_a_header() -> None:
    with pytest.raises(ValueError, match="give one mail address"):
        ContactSettings(contact="https://example.org/\n")


async def test_search_services_are_told_as_well_as_sites(tmp_path) -> None:
    settings = Settings(home=tmp_path, web=WebSettings(contact="a@example.org"))

    async with open_runtime(settings) as runtime:
        assert runtime.http.headers["user-agent"] == f"{US} (mailto:a@example.org)"
