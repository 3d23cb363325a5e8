from deepresearch_mcp.web.variables import holding, resolved, used_in, variables_in


def test_what_is_nearer_to_an_element_counts() -> None:
    defined = [
        *variables_in(".note", {"--x": "2px", "color": "red"}),
        *variables_in(":root, .dark", {"--x": "1px", "--y": "var(--x)"}),
        *variables_in(".other", {"--x": "3px"}),
    ]

    assert holding(defined, [".note"], [])["--x"] == "2px"
    assert holding(defined, [], [])["--x"] == "1px"
    assert holding(defined, [".note"], [{"--x": "4px"}, {"--x": "5px"}])["--x"] == "5px"


def test_a_variable_stands_for_its_value_its_fallback_or_nothing() -> None:
    style = {"a": "var(--x)", "b": "var( --y , 3px)", "c": "var(--y)", "d": "1px solid var(--z)"}

    found = resolved(style, {"--x": "var(--w)", "--w": "0", "--z": "red"})

    assert found == {"a": "0", "b": "3px", "c": "", "d": "1px solid red"}
    assert used_in("var(--a) var(--b, 1px)") == ["--a"]


def test_variables_that_name_each_other_or_grow_end() -> None:
    assert "var(" in resolved({"a": "var(--x)"}, {"--x": "var(--y)", "--y": "var(--x)"})["a"]
    grown = resolved({"a": "var(--x)"}, {"--x": "var(--x) var(--x) var(--x) var(--x)"})["a"]
    assert len(grown) < 200_000
