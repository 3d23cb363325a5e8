"""The functions that read strangers' text, and texts made to hurt each of them: for the test of how their time grows."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from types import ModuleType
from typing import Any

from deepresearch_mcp.pipeline import choosing, holding, reader, screen, summaries, verifier, witnesses
from deepresearch_mcp.records.evidence import Claim, ClaimDraft, Quote
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text import (
    addresses,
    assigning,
    blocks,
    boundaries,
    canvas,
    carrying,
    chains,
    citations,
    cited,
    clauses,
    copies,
    dates,
    entries,
    invisible,
    keywords,
    language,
    list_titles,
    markdown,
    marking,
    names,
    near_duplicates,
    negations,
    normalise,
    number_words,
    numbers,
    orders,
    passages,
    phrases,
    planted,
    quantities,
    quotes,
    ranking,
    references,
    rewording,
    sentences,
    shortfall,
    skeletons,
    support,
    tokens,
    urls,
    versions,
)
from deepresearch_mcp.text.sentences import Span
from deepresearch_mcp.thinkers.extractive import prose
from deepresearch_mcp.web import charset, extract, facts, hidden, hiding, html, site_names, sniff, text_files, tree
from deepresearch_mcp.web import markdown as rendering
from deepresearch_mcp.web import verdicts, whole

Work = Callable[[str], object]

CLAIM = "In 2018 Ann Lee of the ECB did not raise rates above five percent in Berlin"
QUOTE = "the committee did not raise rates above five percent in 2018"
TODAY = date(2026, 1, 1)


def document(text: str) -> Document:
    return Document(
        source_id="s1", url="https://a.example/b", requested_url="https://a.example/b", title="Rates", text=text,
        read_at=datetime(2026, 1, 1, tzinfo=UTC), snapshot="0", length=len(text),
    )  # fmt: skip


def passage(text: str) -> Passage:
    return Passage(passage_id="p1", source_id="s1", start=0, end=len(text), text=text)


def _read(page: str) -> object:
    return html.parse_html(page, "https://a.example/b", 2_000_000, TODAY)


def _tree(page: str) -> Any:
    return tree.load(f"<html><body><div>{page}</div></body></html>")


def _all(found: Iterator[object]) -> list[object]:
    return list(found)


def _claim(text: str, start: int, end: int) -> Claim:
    quote = Quote(source_id="s1", snapshot="0", start=start, end=end, text=text[start:end], context=text)
    return Claim(claim_id="c1", sub_question="q1", text=CLAIM, quotes=(quote,), verdict="supported")


def _asked(text: str) -> SubQuestion:
    return SubQuestion(id="q1", text="Did the committee raise rates?", queries=("rates committee",))


PAGE: dict[str, Work] = {
    "text.addresses.addresses": lambda text: _all(addresses.addresses(text)),
    "text.addresses.first_address": addresses.first_address,
    "text.addresses.without_addresses": addresses.without_addresses,
    "text.assigning.rows": lambda text: _all(assigning.rows(text, blocks.Block("table", 0, len(text)))),
    "text.assigning.paragraphs": lambda text: _all(assigning.paragraphs(text, blocks.Block("prose", 0, len(text)))),
    "text.blocks.blocks": lambda text: _all(blocks.blocks(text)),
    "text.boundaries.is_whole": lambda text: boundaries.is_whole(text, len(text) // 3, len(text) // 2),
    "text.carrying.carries": lambda text: (carrying.carries(CLAIM, text), carrying.carries(text, text)),
    "text.chains.Chains": lambda text: (
        chains.Chains(CLAIM, [chains.Page("Rates", text), chains.Page(text[:200], text)]).worth
    ),
    "text.citations.marks": citations.marks,
    "text.citations.strip_marks": citations.strip_marks,
    "text.citations.text_fragment": lambda text: citations.text_fragment("https://a.example/b", text),
    "text.cited.parse": lambda text: (found := cited.parse(text), found.uncited, found.dangling, found.unused),
    "text.clauses.clauses": clauses.clauses,
    "text.clauses.ties": clauses.ties,
    "text.clauses.untold_ties": lambda text: (clauses.untold_ties(CLAIM, text), clauses.untold_ties(text, "all")),
    "text.clauses.lost_limits": lambda text: (clauses.lost_limits(CLAIM, text), clauses.lost_limits(text, CLAIM)),
    "text.clauses.says_whose": clauses.says_whose,
    "text.clauses.without_samples": clauses.without_samples,
    "text.copies.copied": lambda text: copies.copied(text, text[1:]),
    "text.copies.origins": copies.origins,
    "text.dates.dates": dates.dates,
    "text.dates.found_dates": dates.found_dates,
    "text.dates.months_named": lambda text: dates.months_named(text, ()),
    "text.entries.entries": entries.entries,
    "text.entries.enclosing": lambda text: entries.enclosing(entries.entries(text), len(text) // 2, len(text) // 2 + 9),
    "text.invisible.shown": invisible.shown,
    "text.invisible.holds_message": invisible.holds_message,
    "text.keywords.words": keywords.words,
    "text.keywords.stem": keywords.stem,
    "text.keywords.content_words": keywords.content_words,
    "text.keywords.keywords": keywords.keywords,
    "text.language.guess": language.guess,
    "text.list_titles.heading_level": list_titles.heading_level,
    "text.list_titles.announced": lambda text: list_titles.announced(text, text, opens=True),
    "text.markdown.plain": markdown.plain,
    "text.markdown.visible": markdown.visible,
    "text.markdown.escape": markdown.escape,
    "text.markdown.section": lambda text: (markdown.section(text, "x"), markdown.section(text, text[:200])),
    "text.markdown.cut": lambda text: markdown.cut(text, len(text) // 3, len(text) // 2),
    "text.marking.marked": lambda text: marking.marked(text, references.listing(text).references, ()),
    "text.names.names": names.names,
    "text.names.name_runs": names.name_runs,
    "text.names.initials": names.initials,
    "text.names.name_words": names.name_words,
    "text.near_duplicates.sketch": near_duplicates.sketch,
    "text.negations.negations": negations.negations,
    "text.negations.contradicts": lambda text: negations.contradicts(CLAIM, text),
    "text.negations.denied": lambda text: (negations.denied(CLAIM, text), negations.denied(text, CLAIM)),
    "text.negations.flatly_denied": lambda text: negations.flatly_denied(CLAIM, text),
    "text.normalise.normalise": normalise.normalise,
    "text.normalise.link_marks": normalise.link_marks,
    "text.number_words.in_digits": lambda text: number_words.in_digits(text, one=True),
    "text.numbers.numbers": numbers.numbers,
    "text.numbers.missing_details": lambda text: (
        numbers.missing_details(CLAIM, text),
        numbers.missing_details(text, CLAIM),
    ),
    "text.orders.is_order": orders.is_order,
    "text.orders.is_code": orders.is_code,
    "text.orders.asks_how": orders.asks_how,
    "text.passages.pieces": passages.pieces,
    "text.phrases.tokens": phrases.tokens,
    "text.phrases.meant": lambda text: phrases.meant(phrases.tokens(text)),
    "text.phrases.settled": lambda text: phrases.settled(phrases.tokens(text)),
    "text.planted.planted": planted.planted,
    "text.planted.is_planted": planted.is_planted,
    "text.quantities.quantities": quantities.quantities,
    "text.quantities.differing": lambda text: quantities.differing(
        quantities.quantities(text), quantities.quantities(text[1:])
    ),
    "text.quantities.apart": lambda text: quantities.apart(dates.dates(text), frozenset({"1066-10-14"})),
    "text.quotes.locate": lambda text: (
        quotes.locate(QUOTE, text),
        quotes.locate(text[:300], f" {text[1:]}"),
        quotes.locate(f"{text[:500]} zebra", text),
        quotes.locate(f"{text[:300]} zebra … {text[300:500]}", text),
        quotes.locate(f"{text[:40]} … {text[40:80]}", f"{text} x"),
    ),
    "text.ranking.Ranker": lambda text: ranking.Ranker([text, text[1:]]).top(text[:2_000], 1),
    "text.references.listing": references.listing,
    "text.rewording.moved": lambda text: _all(rewording.moved(phrases.tokens(text))),
    "text.rewording.wordings": lambda text: _all(
        rewording.wordings(phrases.tokens(text), rewording.Around(text, ("Rates of the ECB", text[:200])))
    ),
    "text.rewording.readings": lambda text: _all(
        rewording.readings(phrases.tokens(text), text, rewording.Around(text, ("Rates of the ECB", text[:200])))
    ),
    "text.sentences.sentences": sentences.sentences,
    "text.shortfall.absent": lambda text: shortfall.absent(CLAIM, text),
    "text.shortfall.instead": lambda text: (shortfall.instead(CLAIM, text), shortfall.instead(text, text[1:])),
    "text.shortfall.nearest": lambda text: shortfall.nearest(CLAIM, text.split(".")),
    "text.skeletons.skeleton": skeletons.skeleton,
    "text.skeletons.folded": lambda text: skeletons.folded(text, "f"),
    "text.skeletons.agree": lambda text: skeletons.agree(skeletons.skeleton(text), skeletons.skeleton(f"{text} ")),
    "text.support.Evidence": lambda text: (
        found := support.Evidence.of(text),
        found.best(CLAIM),
        found.score(CLAIM),
        found.uncarried([text[:300]]),
    ),  # fmt: skip
    "text.tokens.estimate": tokens.estimate,
    "text.tokens.upper_bound": tokens.upper_bound,
    "text.urls.normalise_url": lambda text: urls.normalise_url(f"https://a.example/{text}"),
    "text.urls.host_of": lambda text: (urls.host_of(f"https://{text}"), urls.host_of(f"https://{text[:8_000]}")),
    "text.urls.site_of": lambda text: (urls.site_of(f"https://{text}"), urls.site_of(f"https://{text[:8_000]}")),
    "text.urls.in_domains": lambda text: urls.in_domains("https://a.example", [text]),
    "text.urls.addresses_in": urls.addresses_in,
    "text.urls.is_called": lambda text: (urls.is_called("a.save", text), urls.is_called(text, text)),
    "text.urls.typed_addresses": lambda text: (
        urls.typed_addresses("Model.save and www.a.example", text, text),
        urls.typed_addresses(text, CLAIM, text),
    ),
    "text.versions.lacking": lambda text: (
        versions.lacking("Django 3.2 is out", text, text),
        versions.lacking(text, "Django 3.2 is out", "Django 3.2.25 documentation"),
    ),
    "pipeline.choosing.choose_passages": lambda text: choosing.choose_passages(_asked(text), [document(text)], 900, 3),
    "pipeline.choosing.is_listing": lambda text: choosing.is_listing(text, text),
    "pipeline.holding.clean": lambda text: holding.strip_marks(text),
    "pipeline.reader.around": lambda text: reader.around(text, len(text) // 2, len(text) // 2 + 50),
    "pipeline.reader.locate_claim": lambda text: reader.locate_claim(
        ClaimDraft(text=CLAIM, quote=text[len(text) // 2 :][:200] or "a", passage_id="p1"),
        passage(text[:900]),
        document(text),
        _asked(text),
    ),  # fmt: skip
    "pipeline.screen.readable": lambda text: screen.readable(document(text), passages.pieces(text)),
    "pipeline.screen.is_clean": lambda text: screen.is_clean(document(text), 3, 9),
    "pipeline.screen.clean_around": lambda text: screen.clean_around(document(text), 3, 9),
    "pipeline.screen.is_beside_the_point": lambda text: screen.is_beside_the_point(text, [CLAIM]),
    "pipeline.screen.unwanted_in": lambda text: screen.unwanted_in([passage(text)], {"s1": document(text)}, [CLAIM]),
    "pipeline.screen.may_ask": lambda text: (screen.may_ask(CLAIM, [CLAIM], [text]), screen.may_ask(text, [text])),
    "pipeline.summaries.summarise": lambda text: summaries.summarise(document(text), [CLAIM], 200),
    "pipeline.verifier.by_machine": lambda text: verifier.by_machine(_claim(text, 0, 200), {"s1": document(text)}),
    "pipeline.witnesses.Witnesses": lambda text: witnesses.Witnesses({"s1": document(text)}).count(
        _claim(text, 0, 200)
    ),
    "web.charset.decode": lambda text: charset.decode(text.encode("utf-8", "replace")),
    "web.extract.extract": lambda text: extract.extract(
        text.encode("utf-8", "replace"), "https://a.example/b", "text/plain", "", 2_000_000, 20_000_000, TODAY
    ),
    "web.facts.title_of": lambda text: facts.title_of(_tree(text), {}, []),
    "web.facts.links_of": lambda text: facts.links_of(_tree(text), "https://a.example/b"),
    "web.facts.published_of": lambda text: facts.published_of(_tree(text), {}, [], TODAY),
    "web.hidden.comments": hidden.comments,
    "web.hidden.take_out": lambda text: hidden.take_out(_tree(text)),
    "web.hiding.rules_of": hiding.rules_of,
    "web.hiding.around": lambda text: _all(hiding.around(text, "/*", "*/")),
    "web.hiding.declared": hiding.declared,
    "web.html.parse_html": _read,
    "web.markdown.tidy": rendering.tidy,
    "web.site_names.titled": lambda text: site_names.titled(text, text),
    "web.sniff.sniff": lambda text: sniff.sniff(text.encode("utf-8", "replace"), "", "/a"),
    "web.text_files.parse_text": lambda text: (
        text_files.parse_text(text, "markdown", 2_000_000),
        text_files.parse_text(text, "xml", 2_000_000),
        text_files.parse_text(text, "json", 2_000_000),
    ),
    "web.tree.load": tree.load,
    "web.verdicts.verdict": lambda text: verdicts.verdict(text[:300], text, []),
    "web.verdicts.is_walled": lambda text: verdicts.is_walled(text, []),
    "web.whole.make_whole": lambda text: whole.make_whole(_tree(text)),
    "thinkers.extractive.prose.clean": prose.clean,
    "thinkers.extractive.prose.is_prose": prose.is_prose,
}
