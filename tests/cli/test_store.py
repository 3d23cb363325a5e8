import pytest

from postgres_server import own_schema


@pytest.fixture
def database(database_url, monkeypatch):
    with own_schema(database_url) as url:
        monkeypatch.setenv("DEEPRESEARCH_DATABASE_URL", url)
        yield url


def test_tables_are_made_once(cli, database):
    assert cli("store", "migrate", "--json").json["applied"] > 5
    assert cli("store", "migrate", "--json").json == {"applied": 0}
    assert "The tables were up to date" in cli("store", "migrate").err


def test_a_laptops_collections_are_found_by_all_who_share_the_database(cli, folder, database, monkeypatch):
    monkeypatch.delenv("DEEPRESEARCH_DATABASE_URL")
    cli("library", "add", str(folder), "--name", "ice")
    monkeypatch.setenv("DEEPRESEARCH_DATABASE_URL", database)
    assert cli("library", "list", "--json").json == {"collections": []}

    said = cli("store", "copy")

    assert "Copied: 1 collections" in said.err
    assert cli("library", "search", "hexagonal lattice", "--json").json["passages"][0]["url"] == "library://ice/ice.md"
    assert cli("store", "copy", "--json").json == {"copied": {}, "known": 0}


@pytest.mark.parametrize("command", [("store", "migrate"), ("store", "copy"), ("worker",)])
def test_without_a_database_it_is_said_how_to_name_one(cli, command):
    said = cli(*command)

    assert said.code == 2
    assert "No database is named" in said.err
    assert "DEEPRESEARCH_DATABASE_URL=postgresql://" in said.err


def test_a_database_that_is_away_is_told_without_its_address(cli, monkeypatch):
    monkeypatch.setenv("DEEPRESEARCH_DATABASE_URL", "postgresql://me:secret@127.0.0.1:1/x")

    said = cli("store", "migrate")

    assert said.code == 1
    assert "it cannot be reached" in said.err
    assert "secret" not in said.err
    assert "127.0.0.1" not in said.err
