import pytest

from deepresearch_mcp.web.pages.verdicts import SHORT, is_walled, verdict


@pytest.mark.parametrize(
    ("title", "text", "reason"),
    [
        ("Just a moment...", "Enable JavaScript and cookies to continue", "blocked"),
        ("Attention Required! | Cloudflare", "Sorry, you have been blocked", "blocked"),
        ("example.org", "Please verify you are a human by pressing the button.", "blocked"),
        ("Access Denied", "You don't have permission.", "blocked"),
        ("404 - Page not found", "Try our search.", "not_found"),
        ("Site", "Sorry, the page could not be found.", "not_found"),
        ("Seite nicht gefunden", "Hier ist nichts.", "not_found"),
        ("A story", "It began in May. Subscribe to continue reading.", "paywalled"),
    ],
)
def test_pages_that_are_no_pages_are_told(title: str, text: str, reason: str) -> None:
    found = verdict(title, text, [])

    assert found is not None
    assert found[0] == reason


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Why ice floats", "Because it is lighter."),
        ("HTTP 404 explained", "A 404 says that the page was not found. " + "It is one of the statuses. " * 60),
        ("Are you human?", "A long essay on what makes us so. " * 50),
        ("Peugeot 404", "The Peugeot 404 is a car of the sixties. " * 40),
        ("A list", "Room 1404 and 4040"),
    ],
)
def test_pages_that_only_speak_of_such_things_are_pages(title: str, text: str) -> None:
    assert verdict(title, text, []) is None


def test_a_wall_is_declared_or_said_at_the_end() -> None:
    assert is_walled("Text.", [{"isAccessibleForFree": "False"}])
    assert is_walled("Text. " * 1000 + "Already a subscriber? Log in.", [])
    assert not is_walled("Already a subscriber? " + "Text. " * SHORT, [])
    assert not is_walled("Text.", [{"isAccessibleForFree": True}])
