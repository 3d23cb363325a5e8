import base64
import hashlib
import json
import re
import shutil
import subprocess
from datetime import UTC, date, datetime
from html import escape
from pathlib import Path

import pytest

from deepresearch_mcp.records.assessment import CoveredPoint, RunAssessment
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.report import Citation, Section, Sentence, SourceRow
from deepresearch_mcp.records.run import Provenance, Run
from deepresearch_mcp.records.sources import Unread
from deepresearch_mcp.viewer.html_report import page_of


def run_with(report: str, question: str = "Why?", language: str = "") -> Run:
    provenance = Provenance(version="1", thinker="extractive", request={"language": language})
    return Run(run_id="r", status="completed", stage="ended", question=question, report=report, provenance=provenance)


def test_a_report_becomes_a_page_with_its_links() -> None:
    page = page_of(run_with("# Ice\n\nIt floats [1].\n\n- [1] “Ice” [↗](<https://example.org/ice#:~:text=floats>)\n"))

    assert "<h1>Ice</h1>" in page
    assert '<a href="https://example.org/ice#:~:text=floats">↗</a>' in page


def test_a_report_that_was_cut_short_says_so_without_scripts_too() -> None:
    page = page_of(run_with("# Ice\n").model_copy(update={"status": "cancelled"}))

    assert "<p>Cancelled before it was done: this is what was found until then.</p>\n<h1>Ice</h1>" in page


def test_what_a_source_wrote_never_becomes_markup_of_the_page() -> None:
    page = page_of(run_with("<script>steal()</script> [x](javascript:steal())", question="</title><script>"))

    assert "<script>" not in page
    assert 'href="javascript' not in page
    assert "default-src 'none'" in page


def test_the_language_asked_for_is_the_page_s() -> None:
    assert '<html lang="de">' in page_of(run_with("Eis.", language="de"))


def test_the_language_of_the_question_is_the_page_s_where_none_was_asked_for() -> None:
    assert '<html lang="ja">' in page_of(run_with("氷は水に浮く。", question="なぜ氷は水に浮くのですか?"))
    assert "<html>" in page_of(run_with("Ice.", question="H2O 42"))
    assert "<html>" in page_of(Run(run_id="r", status="failed", stage="ended", question="H2O 42"))


def hostile() -> Run:
    """A run whose every text would like to be markup."""
    bad = "</script><script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
    words = f"Ice floats. {bad}"
    quote = Quote(source_id="s1", snapshot="a" * 64, start=12, end=12 + len(words), text=words, context=f"Yes. {words}")
    claim = Claim(claim_id="c1", sub_question="q1", text=words, quotes=(quote,), verdict="disputed", reason=bad)
    other = claim.model_copy(update={"claim_id": "c2", "disputes": ("c1",), "verdict": "supported"})
    source = SourceRow(
        source_id="s1",
        url="javascript:document.title='taken'",
        title=bad,
        site=bad,
        read_at=datetime(2026, 1, 1, tzinfo=UTC),
        snapshot="a" * 64,
        length=9,
        cited=True,
        summary=bad,
    )
    cited = Citation(
        number=1,
        claim_ids=("c1", "c2"),
        source_id="s1",
        snapshot=quote.snapshot,
        start=quote.start,
        end=quote.end,
        quote=words,
        url=source.url,
        link=source.url,
    )
    markdown = f"Ice floats [1]. [go](javascript:document.title='taken') {bad}\n\n| A | B |\n|---|---|\n| {bad} | [1] |"
    run = run_with(markdown, question=bad)
    sections = (Section(heading="In short", markdown=markdown), Section(heading=bad, markdown=markdown))
    unread = (Unread(url=source.url, reason="robots", detail=bad),)
    return run.model_copy(
        update={
            "sections": sections,
            "citations": (cited,),
            "claims": (claim, other),
            "sources": (source,),
            "unread": unread,
            "warnings": (bad,),
        }
    )


def judged() -> Run:
    """A run with judgements in italics, code, one bracket for several sources, and a source of many quotes."""
    run = hostile()
    [cited] = run.citations
    citations = [cited, *(cited.model_copy(update={"number": 2, "part": part}) for part in "abcde")]
    text = (
        "*Take `a*b` \\\\*now\\\\** [1, 2a,c]. Ice floats [2].\n\n*In italics: our assessment, from the sources named.*"
        "\n\n| A | B |\n| --- | --- |\n| `?\\\\|` | *the best* [1] |"
    ).replace("\\\\", "\\")
    sections = (Section(heading="In short", markdown=text),)
    return run.model_copy(
        update={
            "sections": sections,
            "citations": tuple(citations),
            "question": "Why? " * 40,
            "report": f"# Ice in `short`\n\n{text}\n",
            "status": "partial",
        }
    )


def in_browser(run: Run, folder: Path, at: str = "") -> str:
    """What a browser makes of a run's page, without its scripts."""
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if chromium is None:
        pytest.skip("chromium is not installed: the page is tested in a real browser.")
    file = folder / "report.html"
    file.write_text(page_of(run), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command = [chromium, *flags, "--virtual-time-budget=3000", "--dump-dom", f"{file.as_uri()}{at}"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    return re.sub(r"<script.*?</script>", "", shown, flags=re.DOTALL)


@pytest.mark.interop
def test_in_a_browser_judgement_code_and_joint_marks_are_told_apart(tmp_path: Path) -> None:
    body = in_browser(judged(), tmp_path, "#cite-2e")

    told = '<em class="judgement" title="Our assessment, from the sources named behind it">'
    assert f"{told}Take <code>a*b</code> *now*</em>" in body
    assert f"{told}the best</em>" in body
    assert "<code>?|</code>" in body
    assert re.findall(r'<button[^>]*class="cite [^>]*>([^<]*)</button>', body)[:4] == ["1", "2a,c", "2", "1"]
    assert '<section class="panel" aria-label="Citation 2">' in body
    assert "2 more quotes of this source" in body
    assert "<h1>Ice in short</h1>" in body
    assert '<p class="notice">Not everything could be researched' in body


@pytest.mark.interop
def test_in_a_browser_a_judgement_has_a_sign_with_what_it_rests_on_as_its_name(tmp_path: Path) -> None:
    text = (
        "**Ice:** Take `a` along [∴ 1, 2a,c]. It floats [2]. Never [∴]. Not this [∴ 9]. Or salt [cf. 1].\n\n"
        "| A | B |\n| --- | --- |\n| `x` | the best [∴ 1] |"
    )
    points = (CoveredPoint(point="d1", text="Which solid floats", status="covered"),)
    run = judged().model_copy(
        update={
            "sections": (Section(heading="In short", markdown=text),),
            "assessment": RunAssessment(coverage=points, ended="All was covered."),
        }
    )

    body = in_browser(run, tmp_path)

    named = '<span class="therefore" role="img" aria-label="our assessment{0}" title="our assessment{0}">∴</span>'
    assert f'<span class="whole">along {named.format(", from 1, 2a,c")}<button' in body
    assert named.format("") in body
    assert "Not this [∴ 9]." in body
    assert f'<span class="whole">salt {named.format(", from 1").replace("∴", "cf.")}<button' in body
    assert f'the <span class="whole">best {named.format(", from 1")}<button' in body
    assert re.findall(r'<button[^>]*class="cite [^>]*>([^<]*)</button>', body)[:4] == ["1", "2a,c", "2", "1"]
    assert "<strong>Ice:</strong>" in body
    assert 'Which solid floats<span class="soft"> – answered</span>' in body


@pytest.mark.interop
def test_in_a_browser_a_number_leads_to_the_quotes_that_its_own_paragraph_rests_on(tmp_path: Path) -> None:
    run = judged()
    [first, *parts] = run.citations
    claims = [run.claims[0].model_copy(update={"claim_id": f"c{n}", "text": f"Claim {n}."}) for n in range(5)]
    citations = [one.model_copy(update={"claim_ids": (f"c{n}",)}) for n, one in enumerate(parts)]
    text = "**Ice:** It `floats`. It melts. [2]\n\nSalt sinks [2]."
    said = (
        Sentence(text="Ice: It `floats`.", claim_ids=("c1",)),
        Sentence(text="It melts.", kind="judgement", premises=("c3",)),
        Sentence(text="Salt sinks.", claim_ids=("c4",)),
    )
    run = run.model_copy(
        update={
            "sections": (Section(heading="In short", markdown=text, sentences=said),),
            "citations": (first, *citations),
            "claims": tuple(claims),
        }
    )

    body = in_browser(run, tmp_path, "#cite-2b")

    panel = body[body.index('<section class="panel"') :]
    assert re.findall(r"Claim \d", panel[: panel.index("</section>")]) == ["Claim 1", "Claim 3"]


def test_nothing_in_a_run_ends_the_element_that_holds_it() -> None:
    page = page_of(hostile(), {"s1": "</script>é𝒳"})

    [data] = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page)
    assert json.loads(data)["claims"][0]["text"] == hostile().claims[0].text
    assert json.loads(data)["texts"] == {"s1": [{"start": 0, "text": "</script>é𝒳", "more": False}]}
    assert page.count("<script") == 2


def test_a_page_holds_what_stands_around_its_quotes_and_no_copy_of_the_source() -> None:
    text = f"𝒳 The page. {hostile().claims[0].text} " + "Ice is cold. " * 1000 + "The secret end."

    page = page_of(hostile(), {"s1": text})

    [data] = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page)
    [part] = json.loads(data)["texts"]["s1"]
    assert part["start"] == 0
    assert text.startswith(part["text"])
    assert 2_000 < len(part["text"]) < 2_500
    assert part["more"] is True
    assert part["text"].endswith(("Ice", "is", "cold."))


def test_a_quote_deep_in_a_long_source_keeps_its_place_in_it() -> None:
    before = "Ice is cold. " * 1000
    run = hostile()
    [cited] = run.citations
    start = len(before)
    moved = cited.model_copy(update={"start": start, "end": start + len(cited.quote)})
    text = f"{before}{cited.quote} And so on."

    page = page_of(run.model_copy(update={"citations": (moved,), "claims": ()}), {"s1": text})

    [data] = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page)
    [part] = json.loads(data)["texts"]["s1"]
    assert part["text"][start - part["start"] :].startswith(cited.quote)
    assert text[part["start"] - 1] == " "
    assert part["more"] is False


def test_only_the_page_s_own_script_may_run() -> None:
    page = page_of(hostile())

    [script] = re.findall(r'<script id="code">(.*?)</script>', page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page


@pytest.mark.interop
def test_in_a_browser_a_citation_opens_and_what_a_page_wrote_stays_text(tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if chromium is None:
        pytest.skip("chromium is not installed: the page is tested in a real browser.")
    file = tmp_path / "report.html"
    file.write_text(page_of(hostile(), {"s1": f"𝒳 The page. {hostile().claims[0].text} The end."}), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command = [chromium, *flags, "--virtual-time-budget=3000", "--dump-dom", f"{file.as_uri()}#cite-1"]

    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    body = re.sub(r"<script.*?</script>", "", shown, flags=re.DOTALL)

    assert '<section class="panel" aria-label="Citation 1">' in body
    assert f"<mark>{escape(hostile().claims[0].text, quote=False)}</mark>" in body
    assert "𝒳 The page. <mark>" in body
    assert re.findall(r"<img|<script|href=\"javascript", body) == []
    assert "<title>taken</title>" not in shown
    assert body.count('class="cite disputed"') >= 4


@pytest.mark.interop
def test_in_a_browser_what_is_answered_comes_first_and_figures_and_dates_are_drawn(tmp_path: Path) -> None:
    rows = ("| Writers | Rate (1/s) | Latency | Since |", "|---|---|---|---|")
    cells = ("| one | 6,400 [1] | 1 ms | 2019 |", "| two | 12,800 [2a] | 2 s | 2024 |")
    table = "\n".join((*rows, *cells))
    run = judged()
    [source] = run.sources
    sources = [
        source.model_copy(update={"source_id": f"s{year}", "published": date(year, 5, 1)})
        for year in (2021, 2023, 2026)
    ]
    points = (
        CoveredPoint(point="d1", text="How fast it is", status="covered"),
        CoveredPoint(point="d2", text="What it costs", status="open"),
    )
    claim = run.claims[0].model_copy(update={"covers": ("d1",), "verdict": "supported"})
    run = run.model_copy(
        update={
            "sections": (
                Section(heading="In short", markdown="Fast [1]."),
                Section(heading="How fast?", markdown=table),
            ),
            "assessment": RunAssessment(coverage=points),
            "claims": (claim,),
            "sources": (*sources, source),
        }
    )

    body = in_browser(run, tmp_path, "#how-fast")

    headings = re.findall(r'<h2 id="([^"]+)"', body)
    assert headings[:3] == ["in-short", "what-is-answered", "how-fast"]
    assert 'href="#how-fast" aria-label="Link to “How fast?”"' in body
    assert "1 of 2 parts of the question answered." in body
    assert "1 claim: 1 from one source" in body
    # One column is drawn: the other two have units that differ, and years.
    [chart] = re.findall(r'<div class="chart">.*?</dl>', body)
    assert "Rate (1/s)" in chart
    assert re.findall(r'<rect x="0" y="0" width="([\d.]+)"', chart) == ["50", "100"]
    assert "<span>6,400</span>" in chart
    assert body.count('class="dot"') == 3
    assert "3 cited sources by date of publication; 1 without a date" in body
    assert '<details class="fold"><summary>Every claim with its quotes: 1 claim · 1 source' in body
