"""Lists of references: they hold every word of a subject and state nothing."""

import re

_REFERENCES = re.compile(
    r"(?:^|› )(?:key |selected |further |cited )?(?:references?|bibliography|works cited|literature(?: cited)?|sources|"
    r"footnotes|notes and references|further reading|external links|see also|einzelnachweise|literatur(?:verzeichnis)?|"
    r"weblinks|références|bibliographie|referencias|bibliografía)\W*$",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"\bet al\b|\bdoi\b|\bISBN\b|\bPMID\b|\bRetrieved\b|\bvol\. ?\d|\bpp?\. ?\d|;\d+\(\d+\):", re.IGNORECASE
)
_ENTRIES = 5
"""Marks of entries from which a passage is a list of references. Running text with many citations has fewer."""


def is_reference_list(heading: str, text: str) -> bool:
    """Tell a list of references from running text, by its heading or by what its entries hold."""
    return bool(_REFERENCES.search(heading)) or len(_ENTRY.findall(text)) >= _ENTRIES
