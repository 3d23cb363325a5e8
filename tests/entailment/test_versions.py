import pytest

from deepresearch_mcp.entailment.details import missing_below

WORDS = "Code that touches the database requires sync_to_async()."


@pytest.mark.parametrize(
    ("claim", "title"),
    [
        ("In Django 3.2, the database requires sync_to_async().", "Asynchronous support | Django 3.2.25 documentation"),
        ("Django's 3.1 code requires sync_to_async().", "Django 3.1 release notes"),
        ("Django version 3.2 requires sync_to_async().", "Django v3.2"),
        ("SQLAlchemy 2.0 requires sync_to_async().", "Page\nSQLAlchemy 2.0 Documentation"),
        ("With pandas 2.0 it requires sync_to_async().", "pandas 2.0.3 documentation"),
        ("Python 3 requires sync_to_async().", "Python 3.12.1 documentation"),
        ("PostgreSQL 16 requires sync_to_async().", "PostgreSQL 16 Manual"),
    ],
)
def test_a_version_beside_a_name_may_stand_in_the_title(claim: str, title: str) -> None:
    assert not any(detail[0].isdigit() for detail in missing_below(claim, f"Django SQLAlchemy {WORDS}", title))


@pytest.mark.parametrize(
    ("claim", "title", "missing"),
    [
        ("In Django 3.3 it requires sync_to_async().", "Django 3.2.25 documentation", "3.3"),
        ("In Django 3.2 it requires sync_to_async().", "Django 3.20 documentation", "3.2"),
        ("In Django 3.2 it requires sync_to_async().", "Flask 3.2 documentation", "3.2"),
        ("In Django 3.2 it requires 3.2 calls of sync_to_async().", "Django 3.2 documentation", "3.2"),
        ("In Django 2019 it requires sync_to_async().", "Django 2019 release", "2019"),
        ("In Oslo 42 people use sync_to_async().", "Oslo 42 dead", "42"),
        ("Django 3.2% faster.", "Django 3.2 documentation", "3.2%"),
        ("In Django 3.2 million people call.", "Django 3.2 documentation", "3200000"),
        ("It requires 5 calls in Django 3.2.", "Django 3.2 documentation", "5"),
    ],
)
def test_another_version_a_year_a_count_or_a_percentage_may_not(claim: str, title: str, missing: str) -> None:
    assert missing in missing_below(claim, f"Django Oslo {WORDS}", title)


@pytest.mark.parametrize("said", ["This was removed in 3.1.", "Django 3.1 removed it.", "Removed since version 4.0."])
def test_words_that_speak_of_another_version_are_not_of_the_titles(said: str) -> None:
    assert missing_below("Django 3.2 removed it.", said, "Django 3.2 documentation")[:1] == ("3.2",)
