"""`neardup`: are copies of one text distinguished from pages that only share a site?"""

from collections import Counter
from pathlib import Path

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_file
from deepresearch_mcp.text.near_duplicates import is_near_duplicate, sketch


async def measure(data: Path, lab: Lab) -> Result:
    """Compare every pair of texts, as the count of independent sources does.

    `recall`: share found of identical and nearly identical pairs. `false_merges`: number of different pairs taken for
    copies. Revised or rewritten pairs may be judged either way and count for neither figure.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    del lab
    where = folder(data, FOLDERS["neardup"])
    texts: dict[str, str] = json_file(where, "texts.json*")
    told: Counter[tuple[str, bool]] = Counter()
    for pair in json_file(where, "pairs.json*"):
        if pair["a"] in texts and pair["b"] in texts:
            same = is_near_duplicate(sketch(texts[pair["a"]]), sketch(texts[pair["b"]]))
            kind = "near" if pair["kind"] in {"near", "identical"} else pair["kind"]
            told[kind, same] += 1
    near = told["near", True] + told["near", False]
    different = told["different", True] + told["different", False]
    figures = {"recall": told["near", True] / max(1, near), "false_merges": told["different", True]}
    return Result("neardup", near + different, figures, [f"{near} pairs are near, {different} different."])
