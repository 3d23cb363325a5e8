"""One passage of a page."""

from deepresearch_mcp.pipeline.report.pool_passage import (
    PoolPassage,
    fit_passages,
    is_log,
    is_named,
    own_title,
    repeats,
    spans_of,
)
from pipeline_fakes import page

SAID = "Sets how many clients may be connected at the same time; the default is one hundred of them, or less at night."
LESS = SAID.replace("many", "few")
SETTINGS = f"Some settings.\n\n* most_clients (integer)\n: {SAID}\n\n* least_clients (integer)\n: {LESS}"


def passage(text: str, url: str = "https://one.example/", heading: str = "") -> PoolPassage:
    one = page(url, text, title="Title")
    return PoolPassage(one, 0, len(text), heading or "Title")


def test_each_entry_of_a_reference_is_a_passage_of_its_own() -> None:
    found = [(SETTINGS[one.start : one.end].split("\n", maxsplit=1)[0], one.heading) for one in spans_of(SETTINGS)]

    assert found == [
        ("Some settings.", ""),
        ("* most_clients (integer)", "most_clients (integer)"),
        ("* least_clients (integer)", "least_clients (integer)"),
    ]


def test_loose_words_are_no_passage_and_a_table_is() -> None:
    menu = page("https://m.example/", "Home Ice Float Water Contact Ice Water Float Map News Ice", title="Map")
    table = page(
        "https://c.example/",
        "| setting | clients |\n| --- | --- |\n| most_clients | 5 of them |\n| least_clients | 2 of them |",
        title="Table",
    )

    def fit(document):
        return [one for span in spans_of(document.text) for one in fit_passages(document, span, (), (), opens=True)]

    assert fit(menu) == []
    assert [one.text for one in fit(table)] == [table.text]


def test_the_title_says_where_it_stands_and_not_what_every_page_of_the_site_says() -> None:
    one = passage("Words.", heading="Locks — Ora Manual › Locks › Rows")

    assert one.title == f"Locks › Rows ({one.document.site})"
    assert own_title(["Locks — Ora Manual", "Rows"]) == "Locks"


def test_change_logs_are_known_by_what_they_are_called() -> None:
    assert is_log(passage("Words.", heading="What’s New in Ora 1.3 › Locks"))
    assert is_log(passage("Words.", url="https://one.example/releases/1.3"))
    assert not is_log(passage("Words.", heading="Locks"))


def test_nearly_the_same_words_repeat() -> None:
    assert repeats(passage("Ice floats on water."), passage("Ice floats on water!", "https://two.example/"))
    assert not repeats(passage("Ice floats on water."), passage("Water boils.", "https://two.example/"))


def test_a_page_is_named_without_its_kind_and_without_its_place() -> None:
    assert is_named("Varn (film)", "Who made Varn?")
    assert is_named("Torm, Ohio", "Which part of the state is Torm in?")
    assert not is_named("Torm Hill, Ohio", "Which part of the state is Torm in?")
    assert not is_named("water", "Why does ice float on water?")


def test_a_passage_that_leads_in_to_a_listing_goes_on_to_its_end() -> None:
    lead = "The index is made of a part of the rows. " * 20 + "The command looks like this:"
    listing = "```\nCREATE INDEX one ON rows (a);\n```"

    first, *_ = spans_of(f"{lead}\n\n{listing}\n\n" + "Another paragraph follows here. " * 30)

    assert f"{lead}\n\n{listing}\n\n"[first.start : first.end].endswith(listing)


def test_a_page_on_a_thing_that_is_asked_about_is_shown_however_short() -> None:
    stub = page("https://t.example/", "Torm () is a district of Varn.", title="Torm")

    def fit(*asked: str) -> list[str]:
        return [one.text for span in spans_of(stub.text) for one in fit_passages(stub, span, (), asked, opens=True)]

    assert fit("What is known about Torm?") == [stub.text]
    assert fit("What is known about Halmar?") == []


def test_code_in_a_listing_orders_no_reader_and_stays() -> None:
    listing = "```\n>>> def f():\n...     try:\n...         1/0\n...     finally:\n...         return 42\n```"
    text = f"The saved error is dropped as soon as the clause returns a value of its own:\n\n{listing}"
    one = page("https://t.example/", text, title="Errors")

    [span] = spans_of(text)

    [shown] = fit_passages(one, span, (), ["What does a finally clause do?"], opens=True)
    assert shown.text == text


def test_a_table_of_contents_and_an_index_of_names_are_no_passages() -> None:
    services = "- sys — System-specific parameters\n- builtins — Built-in objects\n- warnings — Warning control\n"
    contents = f"{services}- abc — Abstract Base Classes\n- atexit — Exit handlers\n- traceback — Print a stack"
    says = "- A reader waits for no writer.\n- A writer waits for no reader.\n- Two writers wait for each other.\n"
    listed = f"{says}- A lock is held to the end.\n- A dead lock is found after a second."

    def fit(text: str) -> list[str]:
        one = page("https://t.example/", text, title="Services")
        return [held.text for span in spans_of(text) for held in fit_passages(one, span, (), [], opens=True)]

    assert fit(contents) == []
    assert fit(listed) == [listed]


def test_a_passage_neither_begins_nor_ends_inside_a_listing() -> None:
    before = "A with statement is the same as a longer statement that saves the exception. " * 6
    lines = "\n".join(f"step_{number} = manager.step({number})  # one of many" for number in range(40))
    text = f"{before}This code is equivalent to:\n\n```\n{lines}\n```\n\n{'The exit method is then called. ' * 20}"
    begin, end = text.index("```"), text.rindex("```") + 3

    for span in spans_of(text):
        assert not begin < span.start < end
        assert not begin < span.end < end
