from deepresearch_mcp.web.pages.variables import Definition, StyledElement, Variables, resolved, used_in

NOTE, DARK = frozenset({".note"}), frozenset({".dark"})


def place(*names: str, **style: str) -> StyledElement:
    return StyledElement("p", frozenset(names), {f"--{name}": value for name, value in style.items()})


def test_what_is_nearer_to_an_element_counts() -> None:
    none = frozenset[str]()
    variables = Variables(
        [
            Definition("--x", "1px", "html", none),
            Definition("--x", "2px", "", NOTE),
            Definition("--x", "3px", "", frozenset({".other"})),
            Definition("--x", "4px", "p", NOTE),
            Definition("--z", "5px", "", NOTE | DARK),
        ]
    )

    def value(name: str, *line: StyledElement) -> str | None:
        return variables.lookup(line)(name)

    assert value("--x", place()) == "1px"
    assert value("--x", place(), place(".other"), place(".note")) == "3px"
    assert value("--x", StyledElement("b", NOTE, {})) == "2px"
    assert value("--x", place(".note")) == "4px"
    assert value("--x", place(".note", x="6px"), place(x="7px")) == "6px"
    assert value("--x", place(), place(x="7px")) == "7px"
    assert value("--z", place(".note"), place(".dark")) is None
    assert value("--z", place(".note", ".dark")) == "5px"
    assert variables.possible("--x") == ["1px", "2px", "3px", "4px"]


def test_a_variable_that_a_condition_sets_is_known_by_an_element_s_own_style_alone() -> None:
    variables = Variables([Definition("--x", "1px", "html", frozenset())], {"--x"})

    assert variables.lookup([place()])("--x") is None
    assert variables.lookup([place(x="2px")])("--x") == "2px"


def test_a_variable_stands_for_its_value_or_fallback_and_without_either_its_declaration_is_left_out() -> None:
    values = {"--x": "var(--w)", "--w": "0", "--z": "red"}
    style = {
        "a": "var(--x)",
        "b": "var( --y , 3px)",
        "c": "var(--y)",
        "d": "1px solid var(--z)",
        "e": "rgba(0,0,0,var(--y))",
        "f": "var(--x, var(--y))",
        "g": "var(--y, rgb(1, 2, 3))",
        "h": "var(--y,)",
        "i": "plain",
    }

    found = resolved(style, values.get)

    assert found == {
        "a": "0",
        "b": "3px",
        "d": "1px solid red",
        "f": "0",
        "g": "rgb(1, 2, 3)",
        "h": "",
        "i": "plain",
    }
    assert used_in("var(--a) var(--b, 1px)") == ["--a", "--b"]


def test_variables_that_name_each_other_or_grow_end() -> None:
    assert resolved({"a": "var(--x)"}, {"--x": "var(--y)", "--y": "var(--x)"}.get) == {}
    assert resolved({"a": "var(--x)"}, {"--x": "var(--x) var(--x) var(--x) var(--x)"}.get) == {}
