"""`json`: is JSON that models damaged read as its collectors read it?"""

from pathlib import Path

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_file
from deepresearch_mcp.llm.json_text import extract_json


async def measure(data: Path, lab: Lab) -> Result:
    """Read every case. `accuracy`: share of cases with the expected value; "" is expected if there is no JSON to read.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    del lab
    cases = json_file(folder(data, FOLDERS["json"]), "cases.json*")
    wrong = [case for case in cases if _value(case["input"]) != case["expected"]]
    notes = [f"Read otherwise: {str(case['input'])[:80]!r}" for case in wrong[:3]]
    return Result("json", len(cases), {"accuracy": 1 - len(wrong) / max(1, len(cases))}, notes)


def _value(text: str) -> object:
    try:
        return extract_json(text)
    except ValueError:
        return ""
