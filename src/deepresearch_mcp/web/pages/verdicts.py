"""Recognises error pages with status 200, paywalls and robot checks by strong signs only."""

import re
from typing import Any

from deepresearch_mcp.exceptions import UnreadReason

SHORT = 1_200
"""Characters. A longer text always counts as the page."""

_DOOR = re.compile(
    r"just a moment|attention required|are you (?:a )?(?:human|robot)"
    r"|verify(?:ing)? (?:that )?you(?:'|’| a)?re (?:a )?human"
    r"|checking (?:if the site connection is secure|your browser)|access (?:to this page has been )?denied"
    r"|unusual traffic from your|please (?:complete|solve) the captcha|enable javascript and cookies to continue"
    r"|before you continue to (?:google|youtube)|pardon our interruption|request unsuccessful\. incapsula",
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


def verdict(title: str, text: str, things: list[dict[str, Any]]) -> tuple[UnreadReason, str] | None:
    """Return why a short page is not the requested one; None if it is.

    `things` are the objects of its JSON-LD. A robot check is recognised by title or text, a missing page by its title
    or a very short text, a paywall by its words or by `isAccessibleForFree: false`.
    """
    if len(text) > SHORT:
        return None
    if _DOOR.search(title) or (len(text) < SHORT // 2 and _DOOR.search(text)):
        return "blocked", "The site shows a check for robots or a consent form instead of the page."
    if _MISSING.search(title) or (len(text) < SHORT // 4 and _MISSING.search(text)):
        return "not_found", "The site says that there is no such page, though it answers with one."
    if is_walled(text, things):
        return "paywalled", "Only the beginning of the page is given to readers who do not pay."
    return None


def is_walled(text: str, things: list[dict[str, Any]]) -> bool:
    """Return whether the page says that some of it is for subscribers only."""
    marked = any(str(thing.get("isAccessibleForFree", "")).lower() == "false" for thing in things)
    return marked or bool(_WALL.search(text[-SHORT:]))
