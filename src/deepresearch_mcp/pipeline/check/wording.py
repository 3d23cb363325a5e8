"""What a comparison of words can say of a cited statement, where no reader has judged it."""

from deepresearch_mcp.entailment.check import details_missing_from
from deepresearch_mcp.records.checks import CheckedClaim, Wording
from deepresearch_mcp.text.names import names_in

ORDER: tuple[Wording, ...] = (
    "numbers differ",
    "a negation differs",
    "not found",
    "similar words found in part",
    "not checked",
    "similar words found",
)
"""As a report lists them: what needs a look first."""
HEADINGS: dict[Wording, str] = {
    "numbers differ": "Numbers differ: a cited page has similar words, and not these figures",
    "a negation differs": "A negation differs: only the page or only the statement has one",
    "not found": "Not found: no similar words on the cited pages",
    "similar words found in part": "Similar words found in part",
    "not checked": "Could not be checked",
    "similar words found": "Similar words found",
}
CAUTION = "No model has read them: only words and figures were compared, and similar words can say something else."


def worded(check: CheckedClaim) -> CheckedClaim:
    """The check with words for what was compared; its verdict stays for programs that read it."""
    wording = _wording(check)
    return check.model_copy(update={"wording": wording, "reason": _reason(check.reason)})


def _wording(check: CheckedClaim) -> Wording:
    if check.verdict == "supported":
        return "similar words found"
    if check.verdict == "unverifiable":
        return "not checked"
    if check.verdict == "unsupported":
        return "not found"
    if _figures_missing(check):
        return "numbers differ"
    return "a negation differs" if check.verdict == "disputed" else "similar words found in part"


def _figures_missing(check: CheckedClaim) -> bool:
    held = "\n".join(f"{quote.heading}\n{quote.context or quote.text}" for quote in check.quotes)
    called = names_in(check.text)
    lost = details_missing_from(check.text, held)
    return any(one not in called and any(map(str.isdigit, one)) for one in lost)


_VERDICTS = (
    ("the page says otherwise; it does not have:", "the page does not have:"),
    ("the page says the opposite", "only one of the two has a negation"),
)
"""What only a reader can say → what was compared."""


def _reason(reason: str) -> str:
    for said, compared in _VERDICTS:
        reason = reason.replace(said, compared)
    return reason
