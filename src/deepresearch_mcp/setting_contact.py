"""What sites and search engines are told of the program that asks them, and of the people who run it."""

import re

from pydantic import Field, field_validator

from deepresearch_mcp.naming import DISTRIBUTION
from deepresearch_mcp.setting_bounds import Part
from deepresearch_mcp.version import __version__

_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_PAGE = re.compile(r"https?://[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:/[\w./~%&=?#+-]*)?", re.ASCII)


class ContactSettings(Part):
    """How requests introduce themselves."""

    user_agent: str = Field(
        default=f"{DISTRIBUTION}/{__version__}",
        description="Sent with every request; robots.txt is read for its first word.",
    )
    contact: str = Field(
        default="",
        description="Your mail or web address, sent with every request so that site owners can reach you; empty: none.",
    )

    @field_validator("contact")
    @classmethod
    def _reachable(cls, contact: str) -> str:
        """The text becomes part of a header, and is only of use if it leads to someone."""
        if contact and len(contact) <= 200 and (_MAIL.fullmatch(contact) or _PAGE.fullmatch(contact)):
            return contact
        if contact:
            raise ValueError("give one mail address, or one web address that begins with https://")
        return contact

    @property
    def sent_as(self) -> str:
        """The `User-Agent` of requests: product and version, and the contact where there is one."""
        if not self.contact:
            return self.user_agent
        return f"{self.user_agent} ({'+' if '://' in self.contact else 'mailto:'}{self.contact})"
