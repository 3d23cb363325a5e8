"""The domains whose pages the settings let be read, by a research, a check or a single fetch."""

from dataclasses import dataclass

from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.text.urls import in_domains


@dataclass(frozen=True, slots=True)
class DomainLists:
    """Two lists of domains; each stands for its subdomains too."""

    allowed: tuple[str, ...] = ()
    """Empty: all."""
    denied: tuple[str, ...] = ()

    def check(self, url: str, final: str = "") -> None:
        """Check the address of a page, or the `final` one that it led to.

        Raises:
            FetchRefused: The lists leave its domain out. The error names the address asked for.
        """
        place = final or url
        if in_domains(place, self.denied) or (self.allowed and not in_domains(place, self.allowed)):
            raise FetchRefused(
                url,
                "off_limits",
                "The settings let no page of its domain be read.",
                "See research.allow_domains and research.deny_domains.",
            )
