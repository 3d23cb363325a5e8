"""Finds the companies that a query names among those that file with the SEC."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from deepresearch_mcp.text.stopwords import word_set

_SURE = re.compile(r"\$([A-Z]{1,5}(?:[.-][A-Z])?)\b|\(([A-Z]{1,5}(?:[.-][A-Z])?)\)|\b[A-Z]{2,6}:\s?([A-Z]{1,5})\b")
"""Tickers as the press marks them: $AAPL, (AAPL), NASDAQ: AAPL."""
_PLAIN = re.compile(r"(?<![\w-])[A-Z]{2,5}(?![\w-])")
_WORD = re.compile(r"[^\W_]+(?:['’&][^\W_]+)*")
_LEGAL = word_set(
    "inc incorporated corp corporation co company companies ltd limited plc llc lp llp sa nv ag se ab asa oyj "
    "spa kg gmbh holdings holding group trust fund the de new com adr"
)
"""Words that a company's registered name has and its usual name lacks."""
_NO_TICKERS = word_set(
    "AI ALL AN API AR ARE AS AT BE BIG BY CAN CEO CFO CTO DC DO EPS ESG ETF EU EV FOR FREE GAAP GDP GO HAS HE "
    "HR IFRS IN IP IPO IS IT KEY LOW MD ML NEW NO NOT NOW OF ON ONE OR OUT PC PE PR REAL RD ROI SEC SO TV UK "
    "UN US USA USD VS WAS WELL YOY"
)
"""Tickers, or words in capitals, that are usually something else."""
_ALIASES: Final = {
    "google": "alphabet",
    "facebook": "meta platforms",
    "meta": "meta platforms",
    "jpmorgan": "jpmorgan chase",
    "berkshire": "berkshire hathaway",
    "exxon": "exxon mobil",
    "disney": "walt disney",
}
_LONGEST = 6
"""Most words of a company's usual name."""


class Company(NamedTuple):
    """A company that files with the SEC."""

    cik: int
    ticker: str
    title: str

    @property
    def padded(self) -> str:
        """The CIK with ten digits, as addresses of data.sec.gov have it."""
        return f"{self.cik:010}"


class Companies:
    """Companies by ticker and by usual name; of several with one name the first, which is the largest."""

    def __init__(self, listed: Iterable[Company]) -> None:
        self._by_ticker: dict[str, Company] = {}
        self._by_name: dict[str, Company] = {}
        for company in listed:
            self._by_ticker.setdefault(company.ticker.upper(), company)
            if name := usual_name(company.title):
                self._by_name.setdefault(name, company)

    def named_in(self, text: str) -> Company | None:
        """Return the first company that a query names by a marked ticker, by name, or by a plain ticker."""
        text = text[:1_000]
        for match in _SURE.finditer(text):
            ticker = match[1] or match[2] or match[3]
            if company := self._by_ticker.get(ticker.replace(".", "-")):
                return company
        if company := self._by_words(text):
            return company
        plain = (ticker for ticker in _PLAIN.findall(text) if ticker not in _NO_TICKERS)
        return next((self._by_ticker[ticker] for ticker in plain if ticker in self._by_ticker), None)

    def _by_words(self, text: str) -> Company | None:
        written = _WORD.findall(text.replace("'s", "").replace("’s", ""))
        for size in range(min(_LONGEST, len(written)), 0, -1):
            for start in range(len(written) - size + 1):
                run = written[start : start + size]
                # `apple pie` names no company; a query in small letters throughout may.
                if not run[0][0].isupper() and not (text.islower() and size > 1):
                    continue
                name = " ".join(run).casefold()
                company = self._by_name.get(_ALIASES.get(name, name))
                if company and (size > 1 or len(name) > 3):
                    return company
        return None


def usual_name(title: str) -> str:
    """Return a registered name as people say it: `AMAZON COM INC` → `amazon`; "" if nothing remains."""
    words = [word.casefold() for word in _WORD.findall(title.partition("/")[0])]
    while words and words[-1] in _LEGAL:
        words.pop()
    if words and words[0] == "the":
        words = words[1:]
    return " ".join(words[:_LONGEST])
