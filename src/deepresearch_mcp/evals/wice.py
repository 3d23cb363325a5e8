"""`wice`: are claims held against whole articles as people hold them (sentences of Wikipedia, pages they cite)?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deepresearch_mcp.entailment.check import SHOWN, SentenceIndex
from deepresearch_mcp.evals.judged import JudgedCase, opinions
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, auroc, folder, json_lines


async def measure(data: Path, lab: Lab) -> Result:
    """Find the sentences that support each claim, judge the claim by them, and mark the tokens that they leave out.

    `auroc`: fully supported claims against the rest, by the thinker's judgement on the five best sentences.
    `recall_at_5`: share of gold sentences among those five, for the best alternative list, averaged over claims with
    gold sentences; BM25 (k1 1.2, b .75) reaches .817 on the same measure. `token_f1`: over the tokens of all partly
    supported claims together, with the tokens that annotators marked as unsupported as the truth; marking every word
    that is absent from the article reaches .490. The last two do not depend on the judge.

    Raises:
        InvalidRequest: The set is missing or damaged.
        ProviderError: As in `opinions`.
        BudgetExceeded: As in `opinions`.
    """
    where = folder(data, FOLDERS["wice"])
    cases: list[JudgedCase] = []
    supported: list[bool] = []
    recalls: list[float] = []
    for row in json_lines(where, "claim_*.jsonl*"):
        evidence: list[str] = row["evidence"]
        best = SentenceIndex(evidence).best(row["claim"], SHOWN)
        cases.append(JudgedCase(row["claim"], tuple(evidence[at] for at in sorted(best))))
        supported.append(row["label"] == "supported")
        gold = [alternative for alternative in row["supporting_sentences"] if alternative]
        if gold:
            recalls.append(max(len({*alternative} & {*best}) / len({*alternative}) for alternative in gold))
    found = await opinions("wice", cases, lab)
    scored = [(0.0 if one is None else one, truth) for one, truth in zip(found, supported, strict=True)]
    figures = {
        "auroc": auroc(scored),
        "recall_at_5": sum(recalls) / max(1, len(recalls)),
        "token_f1": _token_f1(list(json_lines(where, "tokens_*.jsonl*"))),
    }
    notes = [f"{sum(supported)} claims are supported; {len(recalls)} have gold sentences."]
    if unread := found.count(None):
        notes.append(f"{unread} claims got no judgement that could be read, and count as not supported.")
    return Result("wice", len(cases), figures, notes)


def _token_f1(marked: Sequence[dict[str, Any]]) -> float:
    hits = wrong = missed = 0
    for row in marked:
        told = SentenceIndex(row["evidence"]).uncarried(row["claim_tokens"])
        for said, truth in zip(told, row["non_supported_spans"], strict=True):
            hits += said and truth
            wrong += said and not truth
            missed += truth and not said
    return 2 * hits / max(1, 2 * hits + wrong + missed)
