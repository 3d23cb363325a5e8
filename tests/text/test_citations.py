import pytest

from deepresearch_mcp.text.citations import link_to_quotes, marks, named_quotes, strip_marks, text_fragment


@pytest.mark.parametrize(
    ("url", "quote", "link"),
    [
        ("https://a.b/c", "each SQL statement", "https://a.b/c#:~:text=each%20SQL%20statement"),
        ("https://a.b/c#sec", "a-b, c & d", "https://a.b/c#sec:~:text=a%2Db%2C%20c%20%26%20d"),
        ("https://a.b/c#:~:text=old", "new\n words", "https://a.b/c#:~:text=new%20words"),
        ("https://a.b/c#s:~:text=old", "é/?", "https://a.b/c#s:~:text=%C3%A9%2F%3F"),
        ("https://a.b/c", "  ", "https://a.b/c"),
    ],
)
def test_a_link_leads_to_the_quoted_words(url: str, quote: str, link: str) -> None:
    assert text_fragment(url, quote) == link


def test_a_long_quote_is_given_by_its_ends() -> None:
    quote = " ".join(f"word{i}" for i in range(30))

    assert text_fragment("https://a.b/", quote).endswith(
        "#:~:text=word0%20word1%20word2%20word3%20word4,word25%20word26%20word27%20word28%20word29"
    )
    assert "," not in text_fragment("https://a.b/", "x" * 90)


def test_the_ends_of_a_long_quote_are_as_short_as_its_page_allows() -> None:
    quote = "Ice floats on water because it is less dense than the water around it, " * 2 + "as a rule of thumb says."
    link = "https://a.b/#:~:text="

    assert text_fragment("https://a.b/", quote, f"Much ice.\n{quote}") == (
        f"{link}Ice%20floats%20on%20water,of%20thumb%20says."
    )
    before = "ICE floats on water because it melts. Of thumb says."
    assert text_fragment("https://a.b/", quote, f"{before} {quote}") == (
        f"{link}Ice%20floats%20on%20water%20because%20it%20is,of%20thumb%20says."
    )
    assert text_fragment("https://a.b/", quote, "Another page.") == text_fragment("https://a.b/", quote)


def test_one_address_names_as_many_quotes_of_a_page_as_leave_it_short() -> None:
    links = [text_fragment("https://a.b/", f"quotation number {n} of very many") for n in range(30)]

    link = link_to_quotes(links)

    assert link.startswith(f"{links[0]}&text=quotation%20number%201%20of")
    assert 3 <= link.count("text=") < 6
    assert len(link) < 320


def test_marks_are_found_outside_code_and_links() -> None:
    text = "A [3] b[1, 2] c [1][2]. `x[4]` [5](http://x) \\[6\\] [w][7] [8][w] [see [9]](http://y) end [10]: so\n[11]: http://z\n```\n[12]\n```\n[13]"

    assert [number for number, _ in marks(text)] == [3, 1, 2, 1, 2, 10, 13]
    assert [text[start:end] for _, (start, end) in marks(text)][:4] == ["[3]", "[1, 2]", "[1, 2]", "[1]"]
    assert marks("") == []
    assert [number for number, _ in marks("](x) ][14] ``[15]`` [a [16]](b [17]")] == [14, 16, 17]


def test_the_mark_of_a_judgement_is_a_mark() -> None:
    text = "Take ice [∴ 1, 3a,c]. Salt [∴]."

    assert [number for number, _ in marks(text)] == [1, 3]
    assert strip_marks("Take ice [∴ 1, 3a,c]. Salt [cf. 2].") == "Take ice. Salt."


def test_marks_are_taken_out_with_the_blanks_before_them() -> None:
    assert strip_marks("It fell [3]. It rose [1][2], too [4, 5]. `a [1]`") == "It fell. It rose, too. `a [1]`"
    assert strip_marks("none") == "none"


def test_the_quotes_that_marks_name_are_told_by_source_and_letter():
    text = "Ice floats [1, 3a,c]. It is light [∴ 4b]; `x[5a]` is code [12]."

    assert named_quotes(text) == {"3a", "3c", "4b"}
