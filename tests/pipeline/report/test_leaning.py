"""Sentences that point back at the one before them."""

import pytest

from deepresearch_mcp.pipeline.report.leaning import (
    counts,
    counts_by_order,
    freed,
    leans,
    lists,
    pointed_at,
    steps_named,
    without_steps,
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("That lock is not among those that conflict.", "en"),
        ("Its documentation calls it the better choice.", "en"),
        ("But they have to take turns.", "en"),
        ("The reason is that one writer holds the file.", "en"),
        ("Row locks: This leaves other rows free.", "en"),
        ("For frequent releases, therefore, keep transactions short.", "en"),
        ("Even these commands are hedged about.", "en"),
        ("The latter blocks readers too.", "en"),
        ("PostgreSQL, by contrast, blocks one row.", "en"),
        ("The first two are harmless where one user writes, the third nowhere.", "en"),
        ("PostgreSQL keeps the two apart.", "en"),
        ("The rest shows only under load.", "en"),
        ("None of them waits for the disk.", "en"),
        ("What decides is whether that second copy has reached the disk.", "en"),
        ("A vacuum ends by that setting.", "en"),
        ("Moving it without its log loses commits.", "en"),
        ("Use them where rows are few.", "en"),
        ("For an archive nothing depends on it.", "en"),
        ("There is no such limit for readers.", "en"),
        ("PostgreSQL meets the second condition once checksums are on.", "en"),
        ("A library that does so can disturb its caller.", "en"),
        ("Code that passes it still runs on 3.8 and breaks on 3.10.", "en"),
        ("Deprecated or removed: Any older program that still uses them warns.", "en"),
        ("Afterwards the margin stood above the year before.", "en"),
        ("By then all readers have gone.", "en"),
        ("Diese Sperre hält bis zum Ende.", "de"),
        ("Daher sollte man kurze Transaktionen wählen.", "de"),
        ("Cela bloque toute la table.", "fr"),
        ("PostgreSQL, en revanche, bloque une ligne.", "fr"),
        ("Esto bloquea la tabla.", "es"),
        ("Questo blocca la tabella.", "it"),
        ("Isso bloqueia a tabela.", "pt"),
        ("Dit blokkeert de tabel.", "nl"),
    ],
)
def test_a_sentence_that_points_back_leans(text: str, language: str) -> None:
    assert leans(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("SQLite allows one writer at a time.", "en"),
        ("A lock that is held blocks the other writers.", "en"),
        ("It is possible to add a column at once.", "en"),
        ("There are three journal modes.", "en"),
        ("PostgreSQL keeps its rows in pages.", "en"),
        ("Most of those who write wait.", "en"),
        ("The two databases differ in their locks.", "en"),
        ("A writer waits and a reader goes on, but the two exclude each other.", "en"),
        ("One server waits, the other does not.", "en"),
        ("The last column outranks the others.", "en"),
        ("A checkpoint takes a second and delays all by that second.", "en"),
        ("Readers wait with those of the archive.", "en"),
        ("Using a log keeps readers going.", "en"),
        ("Threads that ignore the lock may write at the same time.", "en"),
        ("The third version of the format is faster.", "en"),
        ("The first condition of the licence is that copies keep it.", "en"),
        ("Writers may wait, and readers that do so lose time.", "en"),
        ("Es gibt drei Arten von Sperren.", "de"),
        ("PostgreSQL sperrt eine Zeile.", "de"),
        ("Il y a trois modes.", "fr"),
        ("これはロックです。", "ja"),
    ],
)
def test_a_sentence_that_stands_by_itself_does_not(text: str, language: str) -> None:
    assert not leans(text, language)


def test_a_language_that_is_not_given_is_guessed() -> None:
    assert leans("Das ist der Grund, warum die Sperre bis zum Ende der Transaktion hält.")
    assert leans("This is why the lock is held.")


def test_counting_what_was_named_before_is_told_from_counting_what_the_sentence_names() -> None:
    assert counts("The third does.")
    assert not counts("Two pages differ, and the second is newer.")
    assert counts_by_order("The first two do.")
    assert not counts_by_order("What parts the two is who writes.")
    assert lists("It has locks and logs.")
    assert not lists("It has locks.")


def test_numbers_of_steps_are_read_and_cut_out_with_their_clause() -> None:
    assert steps_named("Then steps 4, 5 and 6 are done, see step 2.") == (4, 5, 6, 2)
    assert steps_named("Step 3 of the protocol waits.") == ()
    assert without_steps("It is bearable; steps 4 to 6 say why.") == "It is bearable."
    assert without_steps("It is bearable (see step 4).") == "It is bearable."
    assert without_steps("Let it replace step 4.") == ""
    assert without_steps("It is bearable.") == ""


def test_the_noun_that_is_pointed_at_is_known() -> None:
    assert "version" in pointed_at("It asks whether that second version was written.")
    assert "lock" in pointed_at("This lock waits.")
    assert pointed_at("The file that holds it is old.") == ()
    assert pointed_at("That is why the first page is logged.") == ()
    assert pointed_at("A close cancels the locks on the file, and writers of that file go on.") == ()


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("So narrow a search first.", "Narrow a search first."),
        ("A server, therefore, waits.", "A server waits."),
        ("The defaults also differ in cost.", "The defaults differ in cost."),
        (
            "Check the copy after a failed transfer, therefore; Git waits.",
            "Check the copy after a failed transfer; Git waits.",
        ),
        ("But they wait.", ""),
        ("So far no lock is known.", ""),
        ("SQLite waits.", ""),
    ],
)
def test_a_sentence_is_freed_of_the_small_words_that_tie_it(text: str, alone: str) -> None:
    assert freed(text, "en") == alone


def test_words_of_other_languages_are_not_taken_out() -> None:
    assert freed("Also wartet der Server.", "de") == ""
