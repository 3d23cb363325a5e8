"""Sentences that point back at the one before them."""

import pytest

from deepresearch_mcp.pipeline.report.leaning import leans


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("That lock is not among those that conflict.", "en"),
        ("Its documentation calls it the better choice.", "en"),
        ("But they have to take turns.", "en"),
        ("Row locks: This leaves other rows free.", "en"),
        ("For frequent releases, therefore, keep transactions short.", "en"),
        ("Even these commands are hedged about.", "en"),
        ("The latter blocks readers too.", "en"),
        ("PostgreSQL, by contrast, blocks one row.", "en"),
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
