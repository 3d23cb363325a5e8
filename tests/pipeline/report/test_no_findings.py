"""The run object, made from findings."""

from typing import Any

import pytest

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.records.sources import EngineFailure, Unread
from pipeline_fakes import brief, page
from report_fakes import nothing, opened

ICE = page("https://one.example/ice", "Ice floats. Lakes freeze from above.", title="Ice")


SPARE = page("https://three.example/", "Nothing of use.", flags=("hidden_text",))


UNREAD = [Unread(url="https://x.example", reason="paywalled")]
ELSEWHERE = [Unread(url="https://x.example", reason="off_limits")]
SLOW = [Unread(url="https://docs.example", reason="slow")]
FAILED = (EngineFailure(engine="one", query="ice", reason="away"),)
ASKED = {"one": {"asked": 1, "answered": 0}}


@pytest.mark.parametrize(
    ("findings", "given", "said"),
    [
        (nothing(), {}, "The search found no page for this question."),
        (
            nothing(unread=ELSEWHERE),
            {},
            "Every page that was found lies outside the limits asked for (1 page): widen the dates, or exclude fewer"
            " domains.",
        ),
        (
            nothing(unread=SLOW, brief=brief(include_domains=("docs.example",))),
            {},
            "1 page was found and did not answer in time; raise max_minutes, or ask again.",
        ),
        (
            nothing(unread=[*SLOW * 2, *ELSEWHERE], ceiling="max_minutes"),
            {},
            "max_minutes was met. 2 pages were found and none of them answered in time; raise max_minutes, or ask"
            " again.",
        ),
        (nothing(ceiling="max_pages"), {}, "max_pages was met before a page was read."),
        (
            nothing(failures=FAILED, engines=ASKED),
            {"status": "cancelled"},
            "The run was cancelled before anything was found.",
        ),
        (nothing(unread=UNREAD), {}, "None of the 1 page that was found was read; why stands below."),
        (
            nothing(unread=UNREAD * 2, ceiling="max_pages"),
            {},
            "max_pages was met. None of the 2 pages that were found were read; why stands below.",
        ),
        (
            nothing(documents={SPARE.source_id: SPARE}),
            {},
            "1 page was read, and no words that answer the question were found.",
        ),
        (
            nothing(documents={ICE.source_id: ICE, SPARE.source_id: SPARE}, ceiling="max_tokens"),
            {},
            "max_tokens was met when 2 pages were read, and no words that answer the question were found in what was"
            " looked at.",
        ),
        (
            nothing(engines=ASKED, failures=FAILED),
            {},
            "No search engine answered; which failed and why stands below.",
        ),
        (
            nothing(engines=ASKED, failures=FAILED),
            {"status": "failed"},
            "The run failed before anything was found. No search engine answered; which failed and why stands below.",
        ),
        (nothing(engines={}), {"status": "cancelled"}, "The run was cancelled before anything was found."),
        (nothing(engines={}), {}, "No search engine was asked."),
        (
            Findings(brief(depth=0), ceiling="max_usd"),
            {"status": "partial"},
            "max_usd was met before there was an answer; nothing was searched, as depth=0 asks for.",
        ),
    ],
)
def test_a_report_that_states_nothing_says_truthfully_why(findings: Findings, given: dict[str, Any], said: str):
    assert opened(findings, **given) == said


def test_a_report_without_a_page_of_the_domains_asked_for_says_which_sites_were_found():
    found = nothing(brief=brief(include_domains=("docs.example",)))
    found.unread = [Unread(url=f"https://site{at}.example/x", reason="off_limits") for at in range(5)]

    said = opened(found)

    assert said == (
        "No page of docs.example (include_domains) was found: the engines returned 5 pages of other sites"
        " (site0.example, site1.example, site2.example, …). Check how the domain is written, or ask again without"
        " include_domains."
    )
    found.unread = []
    assert "the engines returned none." in opened(found)
