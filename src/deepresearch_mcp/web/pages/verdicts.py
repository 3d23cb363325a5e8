"""Recognises what stands in a page's place: error pages, robot checks, consent forms, parked domains, paywalls."""

import re
from typing import Any

from deepresearch_mcp.exceptions import UnreadReason
from deepresearch_mcp.text.urls import host_of

SHORT = 1_200
"""Characters. A longer text always counts as the page, a consent form and a parked domain aside."""
LONGEST_FORM = 4_000
"""Characters of the longest consent form or parked domain: some list their purposes, or a row of advertisements."""

_DOOR = re.compile(
    r"just a moment|attention required|are you (?:a )?(?:human|robot)"
    r"|verify(?:ing)? (?:that )?you(?:'|’| a)?re (?:a )?human"
    r"|checking (?:if the site connection is secure|your browser)|access (?:to this page has been )?denied"
    r"|unusual traffic from your|please (?:complete|solve) the captcha|enable javascript and cookies to continue"
    r"|pardon our interruption|request unsuccessful\. incapsula|making sure you(?:'|’)?re not a bot"
    r"|please enable js and disable any ad blocker|this process is automatic\. your browser will redirect",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"\b404\b|(?:page|file|article|document) (?:can(?:'|’)?t be|cannot be|could not be|was not|not) found"
    r"|page (?:no longer exists|does(?: not|n(?:'|’)t) exist)"
    r"|seite nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|pagina non trovata",
    re.IGNORECASE,
)
_WALL = re.compile(
    r"subscribe (?:now )?to (?:continue|read|keep reading|unlock)|(?:already|not yet) a subscriber\?"
    r"|this (?:article|content|story) is (?:for|only available to|reserved for|exclusive to)"
    r" (?:\w+ )?(?:subscribers|members)"
    r"|to continue reading(?: this article)?,? (?:please )?(?:subscribe|log ?in|sign ?in|register)"
    r"|create a free account to (?:continue|read)",
    re.IGNORECASE,
)
_ASKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"we (?:\w+ )?(?:value|respect|care about) your privacy|your privacy (?:is important to us|matters)"
        r"|privacidad es importante|respectons votre vie privée|respektieren ihre privatsphäre|la tua privacy",
        r"we and our (?:\w+ ){0,3}(?:partners|vendors)|wir und unsere (?:\w+ ){0,3}partner"
        r"|nous et nos (?:\w+ ){0,3}partenaires|nosotros y nuestros (?:\w+ ){0,3}socios|noi e i nostri",
        r"(?:store|stor(?:e|ing) and/or access(?:ing)?|access) information on (?:a|your) device"
        r"|informationen auf (?:einem|ihrem) gerät|informations sur (?:un|votre) (?:appareil|terminal)",
        r"before you continue|when you (?:visit|use) our sites? and apps,? we use cookies",
        r"we (?:and our partners )?use cookies|wir (?:verwenden|nutzen) cookies|nous utilisons des cookies"
        r"|utilizamos cookies|utilizziamo i cookie|wij gebruiken cookies",
        r"(?:accept|reject|allow) all\b|accept (?:and|&) continue|agree (?:and|&) (?:close|continue|proceed)"
        r"|manage (?:my )?(?:options|settings|preferences|choices|cookies)|select .{1,20}reject all"
        r"|alle(?:s)? (?:akzeptieren|ablehnen)|zustimmen und weiter|akzeptieren und weiter|tout (?:accepter|refuser)"
        r"|accepter et fermer|continuer sans accepter|aceptar (?:todo|y continuar)|accetta (?:tutto|e continua)",
        r"(?:withdraw|change) your (?:consent|choices?|mind|privacy settings) at any time|legitimate interest",
    )
)
"""What a form that asks for consent says in the words of the site, each with its own meaning."""
_TOPIC = re.compile(
    r"cookie|consent|privacy|partner|vendor|advert|personal|\bads?\b|your data|site data|legitimate interest|accept"
    r"|reject|prefer|einwillig|zustimm|datenschutz|werb|akzeptier|consentement|publicité|confidential|consentimiento"
    r"|publicidad|privacidad|consenso|pubblicit",
    re.IGNORECASE,
)
_BESIDE = 250
"""Characters of lines on something else that a consent form may hold: a name, a language menu, a copyright."""
_POLICY = re.compile(
    r"(?:privacy|cookies?) (?:policy|policies|notice|statement|law)|datenschutz|richtlinie|politique|política"
    r"|gdpr|rgpd",
    re.IGNORECASE,
)
_CONSENT_HOST = re.compile(r"consent\.(?:google|youtube|yahoo)\.|guce\.|consent\.[\w-]+\.\w+\Z", re.IGNORECASE)
_PARKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:this|the) (?:domain|web ?site|website) (?:name )?(?:[\w.-]{3,80} )?"
        r"(?:is|may be|could be) (?:now )?(?:for sale|available for purchase)"
        r"|(?:buy|own|purchase|get|lease) this domain|diese domain (?:steht|ist) (?:zum verkauf|zu verkaufen)"
        r"|ce (?:nom de )?domaine est (?:à vendre|en vente)|este dominio (?:está|puede estar) (?:en|a la) venta"
        r"|questo dominio è in vendita",
        r"domain (?:name )?(?:is |has been )?parked|parked (?:free|for free|courtesy)",
        r"domain (?:name )?(?:registration )?has expired|this account has been suspended",
        r"inquire about this domain|make (?:us )?an offer|(?:contact|email) the (?:domain )?owner|domain broker"
        r"|domain is registered (?:at|with)|registered (?:at|with) \S{2,40} but (?:the owner|has not)",
        r"generated by the domain owner using|sponsored listings|related (?:searches|links):?\s*$"
        r"|sedo|afternic|hugedomains|dan\.com|bodis|parkingcrew|godaddy",
    )
)
_OF_DOMAINS = ("domain", "dominio", "website", "web site", "parked", "suspended")
"""Words of which each of the first three needs one, looked for first because that is fast."""
_FEW, _BEGIN = 600, 300
"""Characters of a page on which one sign of a parked domain is enough, and of the beginning where it stands."""


def verdict(title: str, text: str, things: list[dict[str, Any]], url: str = "") -> tuple[UnreadReason, str] | None:
    """Return why what was read is not the requested page; None if it is.

    `things` are the objects of its JSON-LD. A robot check is recognised by title or text, a missing page by its title
    or a very short text, a paywall by its words or by `isAccessibleForFree: false`, a consent form and a parked domain
    by several of their usual phrases and by holding little else. Pages about such things are pages.
    """
    if _asks_consent(title, text, url):
        return "consent_wall", "The site shows a form that asks for consent to cookies instead of the page."
    if _is_parked(title, text, url):
        return "parked", "The domain is for sale or parked; the page that once stood here is gone."
    if len(text) > SHORT:
        return None
    if _DOOR.search(title) or (len(text) < SHORT // 2 and _DOOR.search(text)):
        return "blocked", "The site shows a check for robots instead of the page."
    if _MISSING.search(title) or (len(text) < SHORT // 4 and _MISSING.search(text)):
        return "not_found", "The site says that there is no such page, though it answers with one."
    if is_walled(text, things):
        return "paywalled", "Only the beginning of the page is given to readers who do not pay."
    return None


def is_walled(text: str, things: list[dict[str, Any]]) -> bool:
    """Return whether the page says that some of it is for subscribers only."""
    marked = any(str(thing.get("isAccessibleForFree", "")).lower() == "false" for thing in things)
    return marked or bool(_WALL.search(text[-SHORT:]))


def _asks_consent(title: str, text: str, url: str) -> bool:
    if not text or len(text) > LONGEST_FORM or _POLICY.search(title):
        return False
    most, beside = min(_BESIDE, len(text) // 2), 0
    for line in text.splitlines():
        beside += 0 if _TOPIC.search(line) else len(line)
        if beside > most:
            return False  # most pages end here, after few lines
    signs = sum(bool(sign.search(text)) for sign in _ASKS) + bool(_ASKS[3].search(title))
    return signs >= (1 if _CONSENT_HOST.match(host_of(url)) else 2)


def _is_parked(title: str, text: str, url: str) -> bool:
    if len(text) > LONGEST_FORM:
        return False
    said = f"{title}\n{text}"
    folded = said.casefold()
    if not any(word in folded for word in _OF_DOMAINS) or not any(sign.search(said) for sign in _PARKED[:3]):
        return False
    signs = [bool(sign.search(said)) for sign in _PARKED]
    name = host_of(url).removeprefix("www.")
    # A page for sale speaks of its own name and of nothing else.
    own = len(text) <= SHORT and bool(name) and name in folded
    begins = any(sign.search(said[:_BEGIN]) for sign in _PARKED[:3])
    return own or (begins and len(text) <= (SHORT if sum(signs) > 1 else _FEW))
