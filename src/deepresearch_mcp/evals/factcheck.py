"""`factcheck`: does the judge tell which claims of a chat model a web passage supports?"""

from collections import Counter
from pathlib import Path

from deepresearch_mcp.evals.judged import JudgedCase, opinions
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, auroc, folder, json_lines


async def measure(data: Path, lab: Lab) -> Result:
    """Judge each claim by its passage.

    `auroc`: complete support against the rest. Partial support belongs to the rest, as in WiCE, and because a report
    weakens such claims. The notes give the figure with partial support counted as support.

    Raises:
        InvalidRequest: The set is missing or damaged.
        ProviderError: As in `opinions`.
        BudgetExceeded: As in `opinions`.
    """
    cases: list[JudgedCase] = []
    stances: list[str] = []
    for row in json_lines(folder(data, FOLDERS["factcheck"]), "stance*.jsonl*"):
        cases.append(JudgedCase(row["claim"], (row["evidence"],)))
        stances.append(row["stance"])
    found = await opinions("factcheck", cases, lab)
    scored = [(0.0 if one is None else one, stance) for one, stance in zip(found, stances, strict=True)]
    figures = {"auroc": auroc([(score, stance == "completely-support") for score, stance in scored])}
    both = auroc([(score, stance.endswith("-support")) for score, stance in scored])
    notes = [
        f"Partial support counted as support too: AUROC {both:.3f}.",
        ", ".join(f"{count} {stance}" for stance, count in Counter(stances).most_common()) + ".",
    ]
    if unread := found.count(None):
        notes.append(f"{unread} claims got no judgement that could be read, and count as not supported.")
    return Result("factcheck", len(cases), figures, notes)
