import tomllib

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.cli.clients.toml_tables import put_table, remove_table, set_values, value_at

WAY = ("mcp_servers", "deepresearch")
ENTRY = {"command": "C:\\Programs\\deepresearch-mcp.exe", "args": ["serve"]}

CODEX = """# What I like
model = "gpt-6.1-sol"   # fast enough

[mcp_servers.other]
command = "x"
args = [
  "[mcp_servers.deepresearch]", # only a word
]

# About the profile below
[profiles.work]
note = '''
[mcp_servers.deepresearch]
'''
"""

names = st.text("abcxyz-_ é.", min_size=1, max_size=6)
values = st.booleans() | st.integers(-99, 99) | st.text(max_size=9) | st.lists(st.integers(0, 9), max_size=3)
tables = st.dictionaries(names, values, max_size=3)


@given(
    top=st.dictionaries(names, values, max_size=3),
    servers=st.dictionaries(names, tables, max_size=3),
    rest=st.dictionaries(names, tables, max_size=2),
    end=st.sampled_from(["", "\n", "\n\n# the end\n"]),
)
def test_all_other_entries_survive_putting_in_and_taking_out(top, servers, rest, end):
    tree = {**top, **rest, **({"mcp_servers": servers} if servers else {})}
    text = tomlkit.dumps(tree) + end

    there = put_table(text, WAY, ENTRY)
    gone = remove_table(there, WAY)

    assert tomllib.loads(there) == {**tree, "mcp_servers": {**servers, "deepresearch": ENTRY}}
    assert there.startswith(text)
    assert gone.rstrip("\n") == text.rstrip("\n")


def test_comments_and_words_that_look_like_us_stay():
    there = put_table(CODEX, WAY, ENTRY)

    assert tomllib.loads(there)["mcp_servers"]["deepresearch"] == ENTRY
    assert remove_table(there, WAY) == CODEX


def test_what_stands_behind_us_and_its_notes_stay():
    ours = '[mcp_servers.deepresearch]\ncommand = "x"\n\n[mcp_servers.deepresearch.env]\nA = "1"\n'

    assert remove_table(f"a = 1\n\n{ours}\n# Mine\n[b]\nc = 2\n", WAY) == "a = 1\n\n# Mine\n[b]\nc = 2\n"


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { other = { command = "x" } } # inline\n',
        '[mcp_servers]\nother = { command = "x" }\n\n[z]\na = 1 # one\n',
        'mcp_servers.other.command = "x"\n',
    ],
)
def test_other_ways_to_write_tables_are_understood(text):
    there = put_table(text, WAY, ENTRY)

    assert tomllib.loads(there)["mcp_servers"] == {"other": {"command": "x"}, "deepresearch": ENTRY}
    assert tomllib.loads(remove_table(there, WAY)) == tomllib.loads(text)


def test_a_table_that_is_there_is_changed_in_its_place():
    text = '[mcp_servers.deepresearch] # mine\ncommand = "old"\nargs = ["serve"] # as before\nold = 1\n\n[z]\na = 1\n'

    there = put_table(text, WAY, ENTRY)

    assert tomllib.loads(there)["mcp_servers"]["deepresearch"] == ENTRY
    assert "# mine" in there
    assert 'args = ["serve"] # as before' in there
    assert there.endswith("[z]\na = 1\n")


def test_an_inline_entry_is_taken_out():
    text = 'mcp_servers = { deepresearch = { command = "x" }, b = { command = "y" } } # two\n'

    assert tomllib.loads(remove_table(text, WAY)) == {"mcp_servers": {"b": {"command": "y"}}}


def test_an_empty_file_and_one_for_windows_are_filled():
    assert put_table("", WAY, ENTRY).startswith("[mcp_servers.deepresearch]\n")
    assert "\n" not in put_table("a = 1\r\n", WAY, ENTRY).replace("\r\n", "")


def test_where_we_are_not_nothing_is_taken_out():
    assert remove_table(CODEX, WAY) == CODEX


@pytest.mark.parametrize("text", ["a = ", "[a\n", "mcp_servers = 3\n", "mcp_servers.deepresearch = 3\n[x]\nx=\n"])
def test_what_cannot_be_edited_is_refused(text):
    with pytest.raises(ValueError, match=r"not valid TOML|a table is expected"):
        put_table(text, WAY, ENTRY)


def test_settings_are_set_and_taken_out_beside_comments():
    text = "# Mine\n[search]\ntimeout = 5 # slow line\n"

    there = set_values(text, {"search.brave_key": "k", "model.use": "auto", "home": "/x"})

    assert tomllib.loads(there) == {
        "home": "/x", "search": {"timeout": 5, "brave_key": "k"}, "model": {"use": "auto"}
    }  # fmt: skip
    assert "# Mine" in there
    assert "timeout = 5 # slow line" in there
    assert tomllib.loads(set_values(there, {"search.brave_key": None, "model.use": None, "web.proxy": None})) == {
        "home": "/x", "search": {"timeout": 5}, "model": {}
    }  # fmt: skip


def test_a_group_that_is_a_value_is_refused():
    with pytest.raises(ValueError, match="a table is expected"):
        set_values("search = 3\n", {"search.brave_key": "k"})


@pytest.mark.parametrize(("dotted", "value"), [("a", 1), ("b.c", "x"), ("b", {"c": "x"}), ("b.d", None), ("a.e", None)])
def test_a_value_is_found_by_its_dotted_name(dotted: str, value: object) -> None:
    assert value_at('a = 1\n[b]\nc = "x"\n', dotted) == value
    assert value_at("[broken", dotted) is None
