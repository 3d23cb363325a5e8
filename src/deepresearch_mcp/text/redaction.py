"""Masks personal data in a text: e-mail addresses, phone, card, bank-account and social-security numbers."""

import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

MASK = "█"
"""Stands for each masked character, so that offsets into the text stay valid."""


def redacted(text: str, kinds: Collection[str]) -> str:
    """Return the text, of the same length, with every character of personal data of these kinds masked.

    Patterns find what has a form: not names, and not addresses of houses. A number that fails its checksum (Luhn for
    cards, ISO 7064 for IBANs) stays. Masking twice changes nothing.

    Raises:
        KeyError: There is no such kind; `KINDS` has them all.
    """
    for kind in (name for name in KINDS if name in set(kinds)):
        text = KINDS[kind].masked(text)
    if unknown := set(kinds) - KINDS.keys():
        raise KeyError(*unknown)
    return text


class _Kind(NamedTuple):
    pattern: re.Pattern[str]
    is_one: Callable[[str], bool]

    def masked(self, text: str) -> str:
        return self.pattern.sub(lambda found: MASK * len(found[0]) if self.is_one(found[0]) else found[0], text)


def _always(_: str) -> bool:
    return True


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()]
    doubled = (2 * digit - 9 * (digit > 4) if at % 2 else digit for at, digit in enumerate(reversed(digits)))
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


# Every repetition is bounded and begins where no other one could have begun before: the time grows with the text alone.
KINDS: Final[Mapping[str, _Kind]] = MappingProxyType(
    {
        "email": _Kind(
            re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}(?:@|\s?\[at\]\s?)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"), _always
        ),
        "iban": _Kind(re.compile(r"(?<!\w)[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"), _is_iban),
        "card": _Kind(re.compile(r"(?<![\w.,-])[2-6][0-9]{3}(?:[ -]?[0-9]){9,15}(?![\w-]|[.,][0-9])"), _is_card),
        "ssn": _Kind(re.compile(r"(?<![\w-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![\w-])"), _always),
        "phone": _Kind(
            re.compile(
                r"(?<![\w.,/-])(?:\+[1-9][0-9]{0,2}(?:[ .()/-]{0,2}[0-9]){7,13}"
                r"|\(0?[0-9]{2,4}\) ?[0-9]{3,4}[ -][0-9]{3,4}|[2-9][0-9]{2}([ .-])[2-9][0-9]{2}\1[0-9]{4}"
                r"|0[1-9][0-9]{1,4}[ /-][0-9]{3,4}[ -]?[0-9]{3,4})(?![\w/-]|[.,][0-9])"
            ),
            _always,
        ),
    }
)
"""Kind → how it is found."""
