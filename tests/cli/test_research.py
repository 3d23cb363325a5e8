import contextlib
import json
import re
import stat

import pytest
from anyio.from_thread import start_blocking_portal

from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from wires import Fault, Scripted, serve

LOCAL = ("--no-web", "--model", "extractive")
DEAD = ("--set", "search.engines=searxng", "--set", "search.searxng_url=http://127.0.0.1:9")
QUESTION = "Why does ice float on water?"
OF_ONE_LINE = "At how many degrees Celsius does sea water freeze?"
"""What one sentence of a page answers."""


def test_a_folder_is_researched_without_web_key_or_model(cli, folder):
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--json")

    run = Run.model_validate_json(said.out)
    assert said.code == 0
    assert run.status == "completed"
    assert "less dense than liquid water" in run.report
    assert run.answer == "Ice floats on water because it is less dense than liquid water."
    assert run.quotes.located == run.quotes.total > 0
    assert {citation.url.rpartition("/")[2] for citation in run.citations} <= {"ice.md", "salt.txt"}
    assert json.loads((home_of(run) / "report.json").read_text(encoding="utf-8")) == said.json
    assert stat.S_IMODE((home_of(run) / "report.md").stat().st_mode) == 0o600


def test_a_report_in_a_file_leaves_its_answer_on_the_screen(cli, folder, tmp_path):
    place = tmp_path / "report.md"

    said = cli("research", OF_ONE_LINE, "--library", str(folder), *LOCAL, "-o", str(place))

    answer = " ".join(said.err.partition("quotes verified.")[2].partition("Written to")[0].split())
    assert "minus 1.8 degrees" in answer
    assert " ".join(place.read_text(encoding="utf-8").split()).replace("\\", "").find(answer[:40]) > 0


def test_on_a_terminal_the_answer_stands_last(cli, folder):
    said = cli("research", OF_ONE_LINE, "--library", str(folder), *LOCAL, terminal=True)

    end = said.err[said.err.index("quotes verified.") :]
    assert "minus 1.8 degrees" in end
    assert end.index("minus 1.8") < end.index("Read again") < end.index("In browser")


def test_a_run_that_found_nothing_says_its_error_and_shows_no_empty_report(cli):
    said = cli("research", QUESTION, "--model", "extractive", *DEAD)

    assert said.code == 1
    assert said.out == ""
    assert said.err.count("it cannot be reached") == 1
    assert "Read again" not in said.err


def test_a_wrong_choice_is_refused_without_the_parsers_own_words(cli):
    said = cli("research", QUESTION, "--effort", "fast")

    assert said.code == 2
    assert said.err.startswith("Invalid value for '--effort': 'fast' is not one of 'quick', 'standard', 'deep', 'exh")


def home_of(run):
    from pathlib import Path

    return Path(run.path)


def test_engines_that_no_one_can_reach_do_not_fail_a_run_that_has_a_folder(cli, folder):
    said = cli("research", QUESTION, "--library", str(folder), "--model", "extractive", *DEAD, "--json")

    run = Run.model_validate_json(said.out)
    assert said.code == 0
    assert run.citations
    assert {failure.engine for failure in run.provenance.failures} == {"searxng"}


def test_dead_engines_alone_fail_the_run_and_name_themselves(cli):
    said = cli("research", QUESTION, "--model", "extractive", *DEAD, "--json")

    assert said.code == 1
    assert said.json["status"] == "failed"
    assert said.json["error"]["name"] == "ENGINES_DEAD"


def test_a_failed_run_is_told_in_its_errors_words(cli):
    said = cli("research", QUESTION, "--model", "extractive", *DEAD)

    assert said.code == 1
    assert "searxng" in said.err
    assert "The run ended before anything was found." in said.err


def test_a_met_ceiling_is_a_partial_report_and_exit_code_3(cli, folder):
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--max-pages", "1", "--json")

    assert said.code == 3
    assert said.json["status"] == "partial"
    assert said.json["metrics"]["pages"] <= 1


def test_a_partial_report_says_so_on_top_wherever_it_is_read(cli, folder, tmp_path):
    written, short = tmp_path / "r.md", ("--library", str(folder), *LOCAL, "--max-pages", "1")
    said = cli("research", "Why does ice float on water? Who discovered Varnium?", *short)
    whole = cli("runs", "list", "--json").json["runs"][0]["run_id"]
    cli("report", whole, "-o", str(written))
    object_ = cli("report", whole, "--json").json

    opening = "Not everything could be researched: the page limit was reached; see the end.\n\n# "
    assert said.out.startswith(opening)
    assert cli("report", whole).out.startswith(opening)
    assert written.read_text().startswith(opening)
    assert object_["report"].startswith("# ")


def test_progress_and_place_are_said_beside_the_report(cli, folder):
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL)

    assert said.out.startswith("# Why does ice float on water?")
    assert "2 read, 0 unchanged" in said.err
    [again] = re.findall(r"Read again  .* report ([0-9a-z]+)\n", said.err)
    assert cli("report", again).out == said.out


def test_quiet_says_nothing_but_the_report(cli, folder):
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--quiet")

    assert said.out.startswith("# ")
    assert said.err == ""


def test_the_report_goes_to_the_file_that_was_named(cli, folder, tmp_path):
    place = tmp_path / "report.html"

    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--output", str(place))

    assert said.out == ""
    assert place.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert '"texts":{' in place.read_text(encoding="utf-8")
    assert str(place) in said.err


def test_a_question_asked_again_is_answered_from_before_unless_fresh_is_asked_for(cli, folder):
    arguments = ("research", QUESTION, "--library", str(folder), *LOCAL, "--json")

    first, again, anew = cli(*arguments), cli(*arguments), cli(*arguments, "--fresh")

    assert again.json["run_id"] == first.json["run_id"]
    assert "a moment ago" in again.err
    assert anew.json["run_id"] != first.json["run_id"]


def test_a_follow_up_knows_its_run(cli, folder):
    first = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--json")

    said = cli(
        "research", "And lakes?", "--library", str(folder), *LOCAL, "--follow-up-of", first.json["run_id"], "--json"
    )

    # The folder holds nothing that answers it.
    assert said.code == 3
    assert said.json["provenance"]["request"]["follow_up_of"] == first.json["run_id"]


def test_a_folder_that_stays_as_a_collection_is_told_once_with_how_to_forget_it(cli, folder):
    first = cli("research", QUESTION, "--library", str(folder), *LOCAL)
    second = cli("research", QUESTION, "--library", str(folder), *LOCAL)
    [collection] = cli("library", "list", "--json").json["collections"]

    assert f"library remove {collection['name']}" in first.err
    assert "library remove" not in second.err


def test_a_collection_is_named_and_an_answer_is_short(cli, folder):
    cli("library", "add", str(folder), "--name", "ice")

    said = cli("research", QUESTION, "--collection", "ice", *LOCAL, "--mode", "answer", "--json")

    assert said.code == 0
    assert 0 < len(said.json["answer"]) <= 140


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((" ",), "empty"),
        (("a\x00b",), "control"),
        (("x" * 10_001,), "10,000"),
        (("Why?", "--no-web"), "nothing to search"),
        (("Why?", "--library", "missing"), "cannot be read"),
        (("Why?", "--collection", "missing"), "missing"),
        (("Why?", "--max-usd=-1"), "max_usd"),
        (("Why?", "--depth", "6"), "depth"),
        (("Why?", "--published-after", "soon"), "published_after"),
        (("Why?", "--include-domain", "a.org", "--exclude-domain", "a.org"), "a.org"),
        (("Why?", "--model", "openai:gpt"), "key"),
        (("Why?", "--model", "nobody:x"), "nobody"),
        (("Why?", "--follow-up-of", "missing"), "missing"),
        (("Why?", "--set", "search.engines=altavista"), "altavista"),
        (("Why?", "--output", "nowhere/r.md"), "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence_and_starts_nothing(cli, arguments, words):
    said = cli("research", *arguments, "--json")

    assert said.code == 2
    assert words in said.error["message"]
    assert said.error["action"]
    assert cli("runs", "list", "--json").json == {"runs": []}


def test_every_argument_of_deep_research_is_an_option(cli):
    text = cli("research", "--help").out
    # Whether anybody can be asked is seen, not said.
    said_otherwise = {"question", "web", "collections", "include_domains", "exclude_domains", "asks"}
    said_otherwise |= {"prefer_domains", "source_languages", "urls", "roles"}

    options = {f"--{name.replace('_', '-')}" for name in set(ResearchRequest.model_fields) - said_otherwise}

    assert [option for option in options if option not in text] == []
    assert all(
        option in text
        for option in ("--no-web", "--collection", "--include-domain", "--exclude-domain", "--prefer-domain", "--url")
    )


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_model_that_never_answers_well_leaves_a_report_all_the_same(cli, folder, provider, monkeypatch):
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "any")
    with (
        start_blocking_portal("asyncio") as portal,
        portal.wrap_async_context_manager(serve(Scripted(lambda request: "I would rather not."))) as base,
    ):
        address = f"{base}/v1" if provider == "openai" else base
        where = ("--set", f"model.{provider}_base_url={address}")

        said = cli(
            "research", QUESTION, "--library", str(folder), "--no-web", "--model", f"{provider}:m", *where, "--json"
        )

    assert (said.code, said.json["status"]) == (3, "partial"), said.err
    assert said.json["citations"]
    assert said.json["sections"][0]["heading"] == "Done without the model"
    assert said.json["provenance"]["thinker"].endswith(", extractive (planning, reading, checking, weighing, writing)")


@contextlib.contextmanager
def model_of(answer):
    """The switches that lead to a model which answers so."""
    with (
        start_blocking_portal("asyncio") as portal,
        portal.wrap_async_context_manager(serve(Scripted(answer))) as base,
    ):
        yield "--no-web", "--model", "openai:m", "--set", f"model.openai_base_url={base}/v1"


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (
            Fault(401),
            "HTTP 401: the key is missing, wrong or not allowed this. Set OPENAI_API_KEY to a key that works.",
        ),
        (Fault(404), "HTTP 404: there is no such model. Check the model's name, and the address that OPENAI_BASE_URL"),
    ],
)
def test_a_model_that_cannot_be_used_is_bad_input_and_no_report_is_made_without_it(cli, folder, fault, told):
    with model_of(lambda request: fault) as switches:
        shown = cli("research", QUESTION, "--library", str(folder), *switches)
        as_json = cli("research", QUESTION, "--library", str(folder), *switches, "--json", "-q")
        report = folder.parent / "report.md"
        written = cli("research", QUESTION, "--library", str(folder), *switches, "-o", str(report))

    assert (shown.code, as_json.code, written.code) == (2, 2, 2)
    assert f"openai:m cannot be used: {told}" in " ".join(shown.err.split())
    assert shown.out == ""
    assert as_json.error["name"] == "MODEL_UNUSABLE"
    assert not report.exists()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_quiet_run_that_waits_says_for_what_and_the_next_command(cli, folder, form):
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--approve-plan", "-q", *form)

    assert said.code == 4
    assert "The plan:" in said.err
    assert re.search(r"Answer it .* runs answer [0-9a-z]{26} --approve\n", said.err)
    assert bool(said.out) is bool(form)
    if form:
        assert said.json["waiting"]["kind"] == "approval"


def test_a_quiet_fork_that_waits_says_for_what_and_the_next_command(cli, folder):
    waits = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--approve-plan", "-q", "--json")
    done = cli("runs", "answer", waits.json["run_id"], "--approve", "--json")
    forked = cli("runs", "fork", done.json["run_id"], "--from", "planner", "-q")

    assert (done.code, forked.code) == (0, 4)
    assert re.search(r"Answer it .* runs answer [0-9a-z]{26} --approve\n", forked.err)


@pytest.mark.parametrize("name", ["report.md", "report.html"])
def test_a_run_that_found_nothing_leaves_the_last_report_alone(name, cli, tmp_path):
    place = tmp_path / name
    place.write_text("last week's report")

    said = cli("research", QUESTION, "--model", "extractive", *DEAD, "--output", str(place))

    assert said.code == 1
    assert place.read_text() == "last week's report"
    assert f"There is no report, so {place} was left as it was." in said.err
    assert "Written to" not in said.err


def test_a_run_that_found_nothing_is_still_a_json_object_where_one_was_asked_for(cli, tmp_path):
    place = tmp_path / "report.json"

    said = cli("research", QUESTION, "--model", "extractive", *DEAD, "--output", str(place))

    assert said.code == 1
    assert json.loads(place.read_text())["status"] == "failed"
    assert f"Written to  {place}" in said.err
