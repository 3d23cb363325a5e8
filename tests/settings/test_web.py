import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.reading import read_settings
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.settings.web import ContactSettings, WebSettings
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
        ("https://mastodon.social/@me", f"{US} (+https://mastodon.social/@me)"),
        ("https://example.org/contact:us", f"{US} (+https://example.org/contact:us)"),
        ("https://example.org?a,b;c='d'", f"{US} (+https://example.org?a,b;c='d')"),
        ("https://example.org/über", f"{US} (+https://example.org/%C3%BCber)"),
        ("https://exämple.org:8443/", f"{US} (+https://xn--exmple-cua.org:8443/)"),
        ("me@exämple.org", f"{US} (mailto:me@xn--exmple-cua.org)"),
        ("o'neil/x@example.org", f"{US} (mailto:o'neil/x@example.org)"),
        ("é@example.org", f"{US} (mailto:%C3%A9@example.org)"),
    ],
)
def test_the_contact_of_those_who_run_it_goes_along(contact: str, sent: str) -> None:
    assert ContactSettings(contact=contact).sent_as == sent


def test_a_user_agent_of_ones_own_keeps_the_contact() -> None:
    assert ContactSettings(user_agent="mine/2", contact="a@example.org").sent_as == "mine/2 (mailto:a@example.org)"


@pytest.mark.parametrize(
    ("contact", "why"),
    [
        ("example.org", "is wrong: give"), ("a@b", "is wrong: give"), ("ftp://example.org/", "is wrong: give"),
        ("me@example.org,you@example.org", "is wrong: give"), ("https://me:secret@example.org/", "is wrong: give"),
        ("a@example.org\r\nCookie: x", r"it holds '\\r', which cannot be sent"),
        ("https://example.org/a b", "it holds a space, which cannot be sent"),
        ("https://example.org/(a)", r"it holds '\(', which cannot be sent"),
        ("https://example.org/\u202ea", r"it holds '\\u202e', which cannot be sent"),
        (f"https://example.org/{'a' * 200}", "it has 220 characters, and at most 200 are sent"),
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_the_reason_and_what_to_give(contact: str, why: str, tmp_path) -> None:
    with pytest.raises(ValueError, match=rf"web\.contact.*{why}") as caught:
        read_settings({}, env={"DEEPRESEARCH_WEB__CONTACT": contact}, config_dir=tmp_path)

    assert "give one mail address, or one web address that begins with https://" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_host_that_cannot_be_written_in_ascii_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'ex_ä\.org' is not a host name"):
        ContactSettings(contact="me@ex_ä.org")


@given(st.text(max_size=60))
def test_whatever_is_taken_as_a_contact_stays_inside_its_comment(text: str) -> None:
    for contact in (f"https://example.org/{text}", f"{text}@example.org", text):
        try:
            sent = ContactSettings(contact=contact).sent_as
        except ValidationError:
            continue
        assert sent.isascii()
        assert sent.isprintable()
        assert sent.count("(") == sent.count(")") == (1 if contact else 0)


def test_no_line_end_gets_into_a_header() -> None:
    with pytest.raises(ValueError, match="give one mail address"):
        ContactSettings(contact="https://example.org/\n")


async def test_search_services_are_told_as_well_as_sites(tmp_path) -> None:
    settings = Settings(home=tmp_path, web=WebSettings(contact="a@example.org"))

    async with open_runtime(settings) as runtime:
        assert runtime.http.headers["user-agent"] == f"{US} (mailto:a@example.org)"
