"""The evaluations on public data sets, as data."""

from typing import Final

from deepresearch_mcp.records.spec_types import EvalSpec

EVALS: Final = (
    EvalSpec(
        name="quotes",
        about="Are quotes found where they stand, and is no falsified copy found anywhere?",
        folder="quotes_quotesum",
        measure="evals.quotes:measure",
        at_least={"located": 0.955, "restyled": 0.99},
        at_most={"false_accepts": 0},
    ),
    EvalSpec(
        name="wice",
        about="Are claims of Wikipedia held against the articles they cite as people hold them?",
        folder="verify_wice",
        measure="evals.wice:measure",
        at_least={"auroc": 0.80, "recall_at_5": 0.86, "token_f1": 0.52},
    ),
    EvalSpec(
        name="factcheck",
        about="Are those claims of a chat model told apart that a passage of the web supports?",
        folder="verify_factcheckgpt",
        measure="evals.factcheck:measure",
        at_least={"auroc": 0.74},
    ),
    EvalSpec(
        name="clapnq",
        about="Which sentences of a passage answer the question, and does any?",
        folder="extract_clapnq",
        measure="evals.clapnq:measure",
        at_least={"f1": 0.64, "auroc": 0.84, "withheld": 0.60},
        at_most={"lost": 0.15},
    ),
    EvalSpec(
        name="neardup",
        about="Are copies of one text told from pages that only share a site?",
        folder="neardup",
        measure="evals.neardup:measure",
        at_least={"recall": 0.99},
        at_most={"false_merges": 0},
    ),
    EvalSpec(
        name="injection",
        about="What of instructions planted in pages reaches a plan, a query, an address or a report?",
        folder="injection",
        measure="evals.injection:measure",
        at_most={"leaks": 0, "false_flags": 0.02},
    ),
    EvalSpec(
        name="json",
        about="Is JSON that models damaged read as the people who collected it read it?",
        folder="json_repair",
        measure="evals.json_cases:measure",
        at_least={"accuracy": 1.0},
    ),
    EvalSpec(
        name="citations",
        about="Do the marks of real reports lead to the addresses that their writers meant?",
        folder="reports_drb",
        measure="evals.citations:measure",
        at_least={"resolved": 0.96, "built": 1.0},
        at_most={"missed": 0.001},
    ),
    EvalSpec(
        name="hotpot",
        about="Is every page of a chain of two cited, and the answer told?",
        folder="ir_hotpot500",
        measure="evals.multihop:hotpot",
        at_least={"all_gold": 0.90},
    ),
    EvalSpec(
        name="musique",
        about="Is every page of a chain of two to four cited, and the answer told?",
        folder="ir_musique100",
        measure="evals.multihop:musique",
        at_least={"all_gold": 0.35},
    ),
    EvalSpec(
        name="wcxb",
        about="Is the main text of articles, forums, products, listings and four other kinds of pages found?",
        folder="html_wcxb",
        measure="evals.pages:wcxb",
        at_least={"f1": 0.80},
    ),
    EvalSpec(
        name="aeb",
        about="Is the main text of news pages found, and nothing else?",
        folder="html_aeb",
        measure="evals.pages:aeb",
        at_least={"f1": 0.95},
    ),
    EvalSpec(
        name="dates",
        about="Is the day found on which a page was published?",
        folder="date_mediacloud",
        measure="evals.pages:dates",
        at_least={"mediacloud": 0.90, "wcxb": 0.80},
    ),
)
