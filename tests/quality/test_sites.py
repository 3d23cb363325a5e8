"""What kind of site an address belongs to."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.quality.sites import SiteKind, site_kind, worth_of

SCALE = own_scale()


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.postgresql.org/docs/current/mvcc.html", "official"),
        ("https://www.gov.uk/x", "official"),
        ("https://www.health.gov.au/x", "official"),
        ("https://www.legifrance.gouv.fr/x", "official"),
        ("https://www.cdc.gov/", "official"),
        ("https://ec.europa.eu/x", "official"),
        ("https://www.nature.com/articles/s41586-024-1", "peer_reviewed"),
        ("https://www.nature.com/articles/d41586-024-1", "magazine"),
        ("https://www.science.org/doi/10.1126/x", "peer_reviewed"),
        ("https://www.science.org/content/article/x", "magazine"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1/", "peer_reviewed"),
        ("https://www.ncbi.nlm.nih.gov/books/NBK1/", "reference"),
        ("https://www.ncbi.nlm.nih.gov/pmcx", "official"),
        ("https://arxiv.org/abs/2401.00001", "preprint"),
        ("https://www.rfc-editor.org/rfc/rfc9110", "standards"),
        ("https://spectrum.ieee.org/x", "magazine"),
        ("https://standards.ieee.org/x", "standards"),
        ("https://de.wikipedia.org/wiki/Eis", "reference"),
        ("https://foo.readthedocs.io/en/latest/", "documentation"),
        ("https://www.reuters.com/world/x", "agency"),
        ("https://www.lemonde.fr/x", "newspaper"),
        ("https://news.bbc.co.uk/x", "broadcaster"),
        ("https://cs.stanford.edu/x", "education"),
        ("https://www.cam.ac.uk/x", "education"),
        ("https://www.unsw.edu.au/x", "education"),
        ("https://someone.substack.com/p/x", "blog"),
        ("https://stackoverflow.com/questions/1", "forum"),
        ("https://x.com/somebody/status/1", "social"),
        ("https://www.prnewswire.com/x", "press_release"),
        ("https://www.ehow.com/x", "content_farm"),
        ("library://papers/ice.md", "collection"),
        ("http://127.0.0.1:8000/x", "intranet"),
        ("http://wiki/x", "intranet"),
        ("http://wiki.corp/x", "intranet"),
        ("http://docs.corp/x", "documentation"),
        ("http://127.0.0.1:8000/docs.python.org/3/library/", "official"),
        ("http://127.0.0.1:8000/en.wikipedia.org/wiki/Ice", "reference"),
        ("http://127.0.0.1:8000/something.example/x", "intranet"),
        ("http://127.0.0.1:8000/127.0.0.1/x", "intranet"),
        ("https://www.theonion.com/x", "satire"),
        ("https://www.newyorker.com/humor/borowitz-report/x", "satire"),
        ("https://www.infowars.com/x", "misinformation"),
        ("https://70news.wordpress.com/x", "misinformation"),
        ("https://someone.wordpress.com/x", "blog"),
        ("https://93.184.215.14/x", "unknown"),
        ("https://something.example/x", "unknown"),
        ("https://xgov.example/x", "unknown"),
        ("https://gov.example.com/x", "unknown"),
        ("nonsense", "unknown"),
        ("http://[", "unknown"),
    ],
)
def test_a_site_is_known_by_the_longest_domain_that_fits(url: str, kind: str):
    assert site_kind(url, SCALE).kind == kind


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://docs.something.example/x", "documentation"),
        ("https://something.example/docs/x", "documentation"),
        ("http://127.0.0.1:8000/reference/try", "documentation"),
        ("https://blog.something.example/x", "blog"),
        ("https://something.example/blog", "blog"),
        ("https://forum.something.example/t/1", "forum"),
        ("https://something.example/press-release/2025/x", "press_release"),
    ],
)
def test_what_a_site_only_calls_itself_counts_half(url: str, kind: str):
    place = site_kind(url, SCALE)

    assert place == SiteKind(kind, listed=False)
    own, none = SCALE.kinds[kind], SCALE.kinds["unknown"]
    middle = (own.authority + none.authority) / 2, (own.vouched + none.vouched) / 2
    assert worth_of(place, SCALE) == pytest.approx(middle)


def test_a_bare_domain_is_not_named_by_its_own_first_label():
    assert site_kind("https://docs.example/x", SCALE).kind == "unknown"


def test_the_profile_says_what_a_listed_kind_is_worth():
    place = site_kind("https://www.thelancet.com/x", SCALE)

    assert worth_of(place, SCALE) == (0.95, 0.8)
    assert worth_of(place, SCALE.under("medical")) == (1.0, 0.8)


@given(some.text(max_size=60))
def test_any_address_has_a_kind(text: str):
    for url in (text, f"https://{text}", f"https://a.example/{text}"):
        assert site_kind(url, SCALE).kind in SCALE.kinds


def test_a_manual_on_a_host_of_ones_own_is_a_manual_and_elsewhere_its_title_says_nothing():
    at, title = "http://10.0.0.7:8900/a/7.html", "Kestrel 9 – Operator’s Manual"

    assert site_kind(at, SCALE, title) == SiteKind("documentation", listed=False)
    assert site_kind(at, SCALE, "Emanuel and the cats").kind == "intranet"
    assert site_kind("https://something.example/x", SCALE, title).kind == "unknown"


GUIDE = """Run `git gc` now and then. With `--auto` it looks at `gc.auto` first; `core.fsync` and `core.method` decide
what is flushed. Call `fsync()` or set pack_size_limit. See `git fsck`, `--full` and `--strict`, or `git prune`."""


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("git-config(1)", ""),
        ("git-config(1) - Git", ""),
        ("20.5. Write Ahead Log", ""),
        ("Chapter 30. Reliability", ""),
        ("How housekeeping works", GUIDE),
    ],
)
def test_a_page_that_reads_like_a_manual_is_documentation_on_an_inner_host(title: str, text: str) -> None:
    assert site_kind("http://127.0.0.16:8900/page", SCALE, title, text) == SiteKind("documentation", listed=False)
    assert site_kind("https://example.org/page", SCALE, title, text).kind == "unknown"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Minutes of the meeting", "We met on Monday and spoke of the holidays. " * 30),
        ("30 days in Rome", f"{GUIDE} {'We walked and ate and slept well. ' * 200}"),
        ("About (2)", "`a` `b`"),
    ],
)
def test_other_pages_of_an_inner_host_are_of_the_intranet(title: str, text: str) -> None:
    assert site_kind("http://127.0.0.16:8900/page", SCALE, title, text).kind == "intranet"
