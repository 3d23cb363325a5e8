"""What a text without a citation states all the same: a heading, a title, a gap."""

import re

from deepresearch_mcp.entailment.check import NEGATION, details_missing_from, untold_ties
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.urls import typed_addresses


def unbacked(text: str, known: str) -> tuple[str, ...]:
    """The addresses, numbers and dates of a text without a citation, as a gap, that nothing known holds.

    They could not be checked. Names may be new: a gap has to call things by theirs.
    """
    strange = typed_addresses(text, known, known)
    if not any(char.isdigit() for char in text):
        return strange
    own = {NEGATION, *names_in(text)}
    return (*strange, *(detail for detail in details_missing_from(text, known) if detail not in own))


def unproven(heading: str, known: str) -> tuple[str, ...]:
    """What a heading states that nothing known does: what `unbacked` finds, names, causes, comparisons, extremes.

    Where every word has a capital, by title case or in German, only acronyms and the like are taken for names.
    """
    behind = [word for word in heading.split()[1:] if len(word) >= _TITLED]
    titled = len(behind) > 1 and all(word[0].isupper() for word in behind)
    flat = re.sub(r"\b[^\W\d_a-z][^\W\d_A-Z]+\b", lambda word: word.group().casefold(), heading)
    called = names_in(flat if titled or guess(known) == "de" else heading)
    strange = (one for one in details_missing_from(heading, known) if one in called)
    return (*unbacked(heading, known), *strange, *untold_ties(heading, known))


_TITLED = 4
"""Letters of a word from which on title case gives it a capital."""
