import sys

import pytest

from deepresearch_mcp.cli.demo.demo import QUESTION
from deepresearch_mcp.cli.demo.site import Site, build, reference
from deepresearch_mcp.exceptions import SettingsError

LONG = "This is a paragraph about {} that is long enough to count as a paragraph of its own."
TOPICS = {
    "boats": f"Boats\n*****\n\n{LONG.format('boats')} See section Sails, or The big harbour.\n",
    "sails": f"Sails\n*****\n\n{LONG.format('sails')}\n",
    "harbour": f"The big harbour\n***************\n\n{LONG.format('the harbour')}\n",
    "copy": f"Sails\n*****\n\n{LONG.format('sails')}\n",
    "all": f"Everything\n**********\n\n{LONG.format('boats')}\n\n{LONG.format('sails')}\n",
    "untitled": "Nothing here has a heading.",
}


@pytest.fixture(scope="module")
def site() -> Site:
    return build(QUESTION)


def test_the_reference_makes_a_site_that_answers_the_default_question(site):
    found = [page.path for page, _ in site.search(QUESTION)]

    assert len(site.pages) > 50
    assert {"/reference/try", "/reference/raise", "/reference/exceptions"} <= set(found[:8])


def test_each_kind_of_bad_page_is_among_the_first_results(site):
    faults = [page.fault for page, _ in site.search(QUESTION)[:10]]

    assert {"disallowed", "missing", "slow", "mislabelled"} <= set(faults)


def test_overviews_and_copies_are_left_out():
    paths = [page.path for page in build("boats", TOPICS).pages.values() if not page.fault]

    assert "/reference/all" not in paths
    assert len([path for path in paths if path in {"/reference/sails", "/reference/copy"}]) <= 1
    assert "/reference/untitled" not in paths


def test_a_mention_of_another_page_is_a_link_once():
    site = build("boats", TOPICS)
    page = site.pages["/reference/boats"]

    html = site.html(page)

    assert html.count('section <a href="/reference/sails">Sails</a>') == 1 or "/reference/copy" in html
    assert '<a href="/reference/harbour">The big harbour</a>.' in html
    assert '<nav><a href="/">' in html


def test_the_index_leads_to_every_page():
    site = build("boats", TOPICS)

    assert all(f'href="{path}"' in site.index() for path in site.pages)


def test_operators_of_a_query_are_no_words():
    site = build("boats", TOPICS)

    assert site.search("boats site:example.org OR filetype:pdf") == site.search("boats")
    assert site.search("site:example.org") == []


def test_a_long_snippet_is_cut_at_a_word():
    site = build("x", {"long": f"Long\n****\n\n{'words upon words ' * 40}"})

    [(_, snippet), *_] = site.search("words")

    assert snippet.endswith(" …")
    assert len(snippet) <= 222


def test_a_question_that_nothing_answers_has_bad_pages_all_the_same():
    site = build("zzz", TOPICS)

    assert {page.fault for page in site.pages.values()} == {"", "disallowed", "missing", "slow", "mislabelled"}


def test_a_python_without_its_reference_is_told_in_one_sentence():
    kept = {name: sys.modules.get(name) for name in ("pydoc_data", "pydoc_data.topics")}
    sys.modules["pydoc_data.topics"] = None  # As in a Python that was packed without it.
    try:
        with pytest.raises(SettingsError, match="language reference"):
            reference()
    finally:
        for name, module in kept.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
