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


CONSENT = (
    "We value your privacy. We and our 842 partners store and/or access information on a device, such as unique IDs in "
    "cookies, to process personal data. You may accept or manage your choices by clicking below, including your right "
    "to object where legitimate interest is used."
)
YAHOO = (
    "When you use our sites and apps, we use cookies to provide our sites and apps to you, authenticate users, apply "
    "security measures, and prevent spam and abuse.\n\nIf you click 'Accept all', we and our partners, including 246 "
    "who are part of the IAB framework, will also store and/or access information on a device (in other words, use "
    "cookies) and use precise geolocation data and other personal data.\n\nIf you do not want us and our partners to "
    "use cookies and personal data for these additional purposes, click 'Reject all'.\n\nYou can withdraw your consent "
    "or change your choices at any time by clicking on the 'Privacy settings' links."
)
GOOGLE = (
    "Before you continue to Google\n\nWe use cookies and data to deliver and maintain Google services.\n\nIf you "
    "choose to 'Accept all', we will also use cookies and data to develop and improve new services.\n\nIf you choose "
    "to 'Reject all', we will not use cookies for these additional purposes."
)
GERMAN = (
    "Wir und unsere 200 Partner speichern Informationen auf einem Gerät.\n\nAlle akzeptieren\n\nMit Werbung und "
    "Cookies weiterlesen, oder im Abo ohne Werbung. Zustimmen und weiter."
)
COOKIE_LAW = (
    "What the ePrivacy directive asks of sites\n\nA site must ask before it stores a cookie that it does not need.\n\n"
    "Many banners say: 'We value your privacy' and 'We and our partners store information on your device'. The "
    "button 'Accept all' is large, and 'Reject all' is hidden, as the study by Nouwens and others found in 2020.\n\n"
    "In France the regulator fined two companies in 2022 because refusing took more clicks than agreeing did. The "
    "fines were 150 and 60 million euros, and the court upheld both of them a year later.\n\nBrowsers may end the "
    "practice: a signal sent with each request could say once and for all what a reader wants."
)


@pytest.mark.parametrize(
    ("title", "text", "url"),
    [
        ("The Daily News", CONSENT, "https://news.example/story"),
        ("Yahoo is part of the Yahoo family of brands", YAHOO, "https://consent.yahoo.com/v2/collectConsent"),
        ("Before you continue to Google Search", GOOGLE, "https://consent.google.com/ml"),
        ("Zeitung", GERMAN, "https://zeitung.example/artikel"),
        ("Journal", "Nous et nos 800 partenaires utilisons des cookies.\n\nTout accepter\n\nTout refuser", ""),
    ],
)
def test_a_form_that_asks_for_consent_is_not_the_page(title: str, text: str, url: str) -> None:
    assert verdict(title, text, [], url) == (
        "consent_wall",
        "The site shows a form that asks for consent to cookies instead of the page.",
    )


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("What the law says on cookie banners", COOKIE_LAW),
        ("Cookie policy", "We use cookies to keep you signed in. You can withdraw your consent at any time."),
        ("A recipe for bread", "Mix flour and water and let it rest for an hour.\n\n" * 6 + CONSENT),
        (
            "Privacy settings",
            "Under Privacy you can turn cookies off. Choose Accept all to allow all cookies.",
        ),
    ],
)
def test_a_page_about_consent_or_with_a_banner_is_a_page(title: str, text: str) -> None:
    assert verdict(title, text, [], "https://site.example/page") is None


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("oldproject.example", "This domain is for sale! Inquire about this domain. Related searches:\n\nLoans"),
        ("oldproject.example is for sale", "Buy oldproject.example. The domain oldproject.example is for sale."),
        ("oldproject.example", "This Web page is parked for FREE, courtesy of GoDaddy.com."),
        ("Willkommen", "Diese Domain steht zum Verkauf. Sedo"),
        ("Account Suspended", "This Account has been suspended. Contact your hosting provider for more information."),
        ("oldproject.example", "The domain registration has expired. Renew it now."),
    ],
)
def test_a_parked_domain_is_not_the_page(title: str, text: str) -> None:
    found = verdict(title, text, [], "https://www.oldproject.example/docs/")

    assert found is not None
    assert found[0] == "parked"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        (
            "How to buy a domain that is taken",
            "A domain is often for sale although nothing says so. Look it up in the register first, then ask a broker. "
            * 5
            + "A parked domain shows a note such as 'this domain is for sale'.",
        ),
        ("Houses", "This house is for sale. Make an offer to the owner."),
        ("Release notes", "The account page says when an account has been suspended."),
    ],
)
def test_a_page_about_sales_is_a_page(title: str, text: str) -> None:
    assert verdict(title, text, [], "https://help.example/domains") is None
