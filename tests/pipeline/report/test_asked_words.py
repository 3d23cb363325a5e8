"""The words of a question that a passage is held against."""

from deepresearch_mcp.pipeline.report.asked_words import AskedWords
from deepresearch_mcp.pipeline.report.homes import Homes
from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage
from pipeline_fakes import page

ORA = page("https://ora.example/locks", "Rows are locked by writers.", title="Locks")


def asked(question: str, subject: str = "") -> AskedWords:
    return AskedWords(question, subject, "en", lambda word: 1.0, Homes({ORA.source_id: ORA}, (question, subject)))


def test_what_a_site_is_about_need_not_be_said_and_any_other_name_must() -> None:
    ask = asked("How does Ora lock rows in Belvo?")

    assert ask.share("Rows are locked in Belvo.") == 1.0
    assert ask.share("Rows are locked.") < 1.0


def test_a_word_of_the_same_root_counts_in_part() -> None:
    ask = asked("concurrent tables")

    assert 0.5 < ask.share("Concurrency of tables") < 1.0
    assert ask.share("A chair") == 0.0


def test_an_identifier_is_one_word_that_weighs_more_than_its_parts() -> None:
    ask = asked("What is the default of max_clients?")

    assert ask.share("The default of max_clients is 5.") == 1.0
    assert ask.share("The default of the clients is at max 5.") < 0.7


def test_a_passage_is_about_the_subject_if_it_or_its_heading_or_its_site_names_it() -> None:
    ask = asked("locks", "Belvo")
    here = PoolPassage(ORA, 0, len(ORA.text), "Locks")
    named = PoolPassage(ORA, 0, len(ORA.text), "Locks of Belvo")

    assert [ask.is_about(here, frozenset()), ask.is_about(named, frozenset())] == [False, True]
    assert ask.is_about(here, frozenset({"belvo"}))


def test_a_title_that_is_the_name_and_no_more_calls_the_thing() -> None:
    ask = asked("ora merge")

    assert ask.called("ora-merge") == 1.0
    assert ask.called("ora-merge-index") < 1.0
    assert ask.called("Other") == 0.0


def test_an_identifier_is_known_by_its_entry_and_a_kind_by_its_common_word() -> None:
    limit = asked("What is the default of max_locks?")
    kind = asked("What does the with statement do?")

    assert limit.is_entry("max_locks (integer)")
    assert not limit.is_entry("max_rows (integer)")
    assert kind.names_kind("The *with* statement opens a file.")
    assert not kind.names_kind("A statement with a file.")
    assert limit.names_kind("Anything.")
