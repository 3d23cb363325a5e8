"""Which sites are about a thing itself."""

from deepresearch_mcp.pipeline.report.homes import Homes, bare_name
from pipeline_fakes import page

ASKED = ("How do Orasql 3.2 and Belvo lock rows?",)


def homes(*pages) -> Homes:
    return Homes({one.source_id: one for one in pages}, ASKED)


def test_a_site_is_about_what_most_of_its_pages_are_called_by() -> None:
    own = [page(f"https://docs.example/{n}", "Rows.", title=f"{n}. Rows — Orasql 3.2 Manual") for n in range(3)]
    other = [page(f"https://kit.example/{n}", "Rows.", title=f"{n} — Kit Manual") for n in range(3)]
    dialect = page("https://kit.example/orasql", "Rows.", title="Orasql — Kit Manual")

    found = homes(*own, *other, dialect)

    assert found.of(own[0]) == {"orasql"}
    assert found.of(dialect) == frozenset()
    assert found.has_home("Orasql 3.2")
    assert not found.has_home("Belvo")


def test_a_site_is_about_what_its_host_is_called_or_its_only_page_says_behind_the_dash() -> None:
    host = page("https://www.belvo.example/locks", "Rows.", title="Locks")
    only = page("https://one.example/locks", "Rows.", title="Locks — Orasql")
    story = page("https://two.example/locks", "Rows.", title="Why Orasql won")

    found = homes(host, only, story)

    assert [sorted(found.of(one)) for one in (host, only, story)] == [["belvo"], ["orasql"], []]


def test_a_version_is_no_part_of_a_name() -> None:
    assert bare_name("Orasql 3.2") == "orasql"


def test_the_owner_of_a_thing_may_be_what_a_site_is_about() -> None:
    one = page("https://belvo.example/wal", "The log.", title="The log — Belvo Manual")
    homes = Homes({one.source_id: one}, ("Does Belvo's WAL mode let two write?",))

    assert homes.of(one) == {"belvo"}
