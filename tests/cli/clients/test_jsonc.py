import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.cli.clients.jsonc import parse_jsonc, put_member, remove_member

WAY = ("mcpServers", "deepresearch")
ENTRY = {"command": "/opt/bin/deepresearch-mcp", "args": ["serve"]}

EDITOR = """// What the editor starts.
{
    "servers": {
        "other": { "command": "x", "args": ["a // b", "/* c */"] }, // by hand
        /* an old one
           kept */
        "last": {
            "url": "http://localhost:1", // no key
        },   // trailing commas are fine here
    },
    "theme": "dark" // mine
}
"""

names = st.text(min_size=1, max_size=8).filter(lambda name: name not in {"mcpServers", "deepresearch"})
values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
trees = st.builds(
    lambda rest, servers: rest if servers is None else rest | {"mcpServers": servers},
    st.dictionaries(names, values, max_size=4),
    st.none() | st.dictionaries(names, values, max_size=3),
)
layouts = st.sampled_from([{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"separators": (",", ":")}])


@given(tree=trees, layout=layouts, windows=st.booleans(), end=st.sampled_from(["", "\n"]))
def test_all_other_entries_survive_putting_in_and_taking_out(tree, layout, windows, end):
    text = json.dumps(tree, ensure_ascii=False, **layout) + end
    text = text.replace("\n", "\r\n") if windows else text

    there = put_member(text, WAY, ENTRY, comments=False)
    gone = remove_member(there, WAY, comments=False)

    assert json.loads(there) == {**tree, "mcpServers": {**tree.get("mcpServers", {}), "deepresearch": ENTRY}}
    # A line that does not speak of us is the one that was there, byte for byte.
    assert json.loads(gone) == {"mcpServers": {}, **tree}
    if tree.get("mcpServers"):
        assert gone == text
    assert put_member(gone, WAY, ENTRY, comments=False).replace(" ", "") == there.replace(" ", "") or not tree.get(
        "mcpServers"
    )


def test_comments_and_trailing_commas_stay_where_they_are():
    there = put_member(EDITOR, ("servers", "deepresearch"), ENTRY)

    assert parse_jsonc(there)["servers"]["deepresearch"] == ENTRY
    assert '        },   // trailing commas are fine here\n        "deepresearch": {\n' in there
    assert '            "args": ["serve"]\n        },\n    },\n' in there
    assert remove_member(there, ("servers", "deepresearch")) == EDITOR


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "mcpServers": {\n    "a": 1 // note\n  }\n}',
        '{\n  "mcpServers": {\n    "a": 1, // note\n  }\n}',
        '{\n  "mcpServers": {\n    "a": 1 /* x */ // note\n    // alone\n  }\n}',
        '{"mcpServers": {"a": 1, "b": {"c": []}}}',
        '{"mcpServers": {"a": 1,}}',
        '{"mcpServers": {}}',
        '{\n\t"mcpServers": {\n\t\t"a": 1\n\t}\n}\n',
    ],
)
def test_what_was_put_in_is_taken_out_without_a_trace(text):
    there = put_member(text, WAY, ENTRY)

    assert parse_jsonc(there)["mcpServers"]["deepresearch"] == ENTRY
    assert remove_member(there, WAY) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"mcpServers": {"deepresearch": {}, "b": 1}}', '{"mcpServers": {"b": 1}}'),
        ('{"mcpServers": {\n  "deepresearch": {},\n  "b": 1\n}}', '{"mcpServers": {\n  "b": 1\n}}'),
        ('{"mcpServers": {"a": 1, "deepresearch": {}, "b": 1}}', '{"mcpServers": {"a": 1, "b": 1}}'),
        ('{"mcpServers": { "deepresearch": {} }}', '{"mcpServers": {}}'),
    ],
)
def test_an_entry_is_taken_out_wherever_it_stands(text, left):
    assert remove_member(text, WAY) == left


def test_an_entry_that_is_there_is_changed_in_its_place():
    text = '{\n  "mcpServers": {\n    "deepresearch": {\n      "command": "old"\n    },\n    "b": 1\n  }\n}\n'

    there = put_member(text, WAY, ENTRY)

    assert there.index("deepresearch") < there.index('"b": 1')
    assert "old" not in there
    assert there.endswith('    },\n    "b": 1\n  }\n}\n')


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_file_is_an_empty_object(text):
    assert json.loads(put_member(text, WAY, ENTRY)) == {"mcpServers": {"deepresearch": ENTRY}}
    assert remove_member(text, WAY) == text


@pytest.mark.parametrize(
    "text", ['{"a": 1}', '{"mcpServers": {"a": 1}}', '{"mcpServers": 3}', "[1]", '{"deepresearch": 1}']
)
def test_where_we_are_not_nothing_is_taken_out(text):
    assert remove_member(text, WAY) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"a": 1\n"b": 2}', 3),
        ("{'a': 1}", 1),
        ('{"a": 1} x', 1),
        ('{"a": [1 2]}', 1),
        ('{"a": "\\q"}', 1),
        ('{"a": ', 1),
        ("{a: 1}", 1),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text, line):
    with pytest.raises(ValueError, match=f"in line {line}"):
        put_member(text, WAY, ENTRY)


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a": [1,]}', '{"a": 1} // x'])
def test_what_a_strict_reader_would_not_read_is_refused_for_it(text):
    assert parse_jsonc(text)["a"] in (1, [1])
    with pytest.raises(ValueError, match="not valid JSON"):
        parse_jsonc(text, comments=False)


@pytest.mark.parametrize("text", ["[]", '{"mcpServers": []}', '{"mcpServers": "x"}'])
def test_where_an_object_is_expected_nothing_else_is_overwritten(text):
    with pytest.raises(ValueError, match="an object is expected"):
        put_member(text, WAY, ENTRY)


def test_a_name_that_stands_twice_is_not_edited_on_a_guess():
    text = '{"mcpServers": {"deepresearch": 1, "deepresearch": 2}}'

    with pytest.raises(ValueError, match="edited safely"):
        remove_member(text, WAY)


def test_nesting_without_end_is_refused():
    with pytest.raises(ValueError, match="too deeply"):
        parse_jsonc("[" * 100_000)
