"""The functions that read strangers' text, and texts made to hurt each of them, to measure how their time grows."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

from deepresearch_mcp.cited_text import assigning, list_titles, own_judgement, references
from deepresearch_mcp.cited_text import citation_marks as marking
from deepresearch_mcp.cited_text import parse as cited
from deepresearch_mcp.cited_text.masked_text import CitationMark
from deepresearch_mcp.entailment import alignment as carrying
from deepresearch_mcp.entailment import (
    check,
    clauses,
    containment,
    coverage,
    denial,
    details,
    evidence,
    explain,
    phrases,
    rewording,
    ties,
    unknown_words,
    versions,
)
from deepresearch_mcp.injection import (
    about_reading,
    apart,
    ciphers,
    disguise,
    fitness,
    foreign,
    invisible,
    orders,
    reading_words,
    screen,
    screened,
)
from deepresearch_mcp.injection import detect as planted
from deepresearch_mcp.pipeline import machine_gate, witnesses
from deepresearch_mcp.pipeline.report import summaries
from deepresearch_mcp.pipeline.research import choosing, reader
from deepresearch_mcp.records.evidence import Claim, ClaimDraft, Quote
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.sources import Document, Hit, Passage, Screening
from deepresearch_mcp.text import (
    addresses,
    attributions,
    blocks,
    boundaries,
    chains,
    chunks,
    citations,
    copies,
    dates,
    entries,
    front_matter,
    identifiers,
    keywords,
    language,
    markdown,
    names,
    near_duplicates,
    normalise,
    number_words,
    numbers,
    passages,
    periods,
    quantities,
    quotes,
    ranking,
    redaction,
    reference_lists,
    reranking,
    sentences,
    skeletons,
    subjects,
    surroundings,
    tokens,
    topics,
    url_secrets,
    urls,
    utf8,
    wrapping,
)
from deepresearch_mcp.thinkers.extractive import prose
from deepresearch_mcp.web import charset, no_ai, sniff
from deepresearch_mcp.web.documents import (
    csv_files,
    data_series,
    emails,
    html_blocks,
    markdown_tables,
    notebooks,
    paragraphs,
    subtitles,
    text_files,
    words,
)
from deepresearch_mcp.web.fetching import robots_rules
from deepresearch_mcp.web.pages import (
    authors,
    block_heads,
    block_text,
    facts,
    hidden,
    hiding,
    hiding_styles,
    marked_dates,
    page_blocks,
    page_links,
    product_facts,
    site_names,
    style_sheet,
    traps,
    tree,
    variables,
    verdicts,
)
from deepresearch_mcp.web.pages import markdown as rendering

Work = Callable[[str], object]

CLAIM = "In 2018 Ann Lee of the ECB did not raise rates above five percent in Berlin"
COMMON = frozenset(("the", "is", "of", "and", "to"))
QUOTE = "the committee did not raise rates above five percent in 2018"
TODAY = date(2026, 1, 1)


def document(text: str) -> Document:
    return Document(
        source_id="s1",
        url="https://a.example/b",
        requested_url="https://a.example/b",
        title="Rates",
        text=text,
        read_at=datetime(2026, 1, 1, tzinfo=UTC),
        snapshot="0",
        length=len(text),
    )


TERMS = "A glossary with a foreign sentence in every entry"


def glossary(size: int) -> Document:
    """A page of about so many characters whose every entry has a heading and a sentence in another language."""
    entry = "The term means a rope of hemp that ties the ship to the quay of a harbour in the north of the land."
    strange = "Αυτή είναι μια πρόταση στα ελληνικά."
    parts = [f"## Term {at}\n\n{entry}\n\n{strange}\n\n" for at in range(size // 170 + 1)]
    text, stretches = "".join(parts), list[tuple[int, int, tuple[str, ...]]]()
    at = 0
    for part in parts:
        at += len(part)
        stretches.append((at - len(strange) - 2, at - 2, ("Greek",)))
    screening = Screening(version="1", foreign=tuple(stretches))
    return document(text).model_copy(update={"screening": screening})


def passage(text: str) -> Passage:
    return Passage(passage_id="p1", source_id="s1", start=0, end=len(text), text=text)


def _tree(page: str) -> Any:
    return tree.load_page(f"<html><body><div>{page}</div></body></html>")


def _with_heads(found: Sequence[page_blocks.Block]) -> list[bool]:
    return block_heads.with_heads(found, [at % 3 == 0 for at in range(len(found))])


def _fact(text: str, number: int) -> dict[str, object]:
    """Make an XBRL fact whose form is a stranger's text."""
    return {"start": "2022-01-01", "end": "2022-12-31", "val": number, "form": text, "filed": "2023-02-01"}


def _numbered(css: str) -> str:
    """A style sheet with the number of the rule, in pairs, for each `1`."""
    rules = css.split("}")
    return "}".join(rule.replace("1", str(number // 2)) for number, rule in enumerate(rules))


PAGE_SHEET = style_sheet.sheet_of(".w{color:#fff}.x{opacity:var(--o)}.y.z{color:red}:root{--o:1}", is_whole=True)


def _all(found: Iterator[object]) -> list[object]:
    return list(found)


def _claim(text: str, start: int, end: int) -> Claim:
    quote = Quote(source_id="s1", snapshot="0", start=start, end=end, text=text[start:end], context=text)
    return Claim(claim_id="c1", sub_question="q1", text=CLAIM, quotes=(quote,), verdict="supported")


def _asked(text: str) -> SubQuestion:
    return SubQuestion(id="q1", text="Did the committee raise rates?", queries=("rates committee",))


def _findings(statement: str, text: str) -> list[object]:
    """Every part of a finding."""
    known = check.Evidence(
        words=text,
        titles="Rates",
        page=check.PageNames(text),
        addresses=text,
        quotes=(text,),
        sentences=((text, check.Around(text[:200], ("Rates of the ECB",))),),
        pieces=(text,),
        claimed=(CLAIM,),
    )
    found = check.check(statement, known, "en")
    parts = [getattr(found, name) for name in dir(check.Finding) if not name.startswith("_") and name != "explained"]
    return [*parts, found.explained(partly=True)]


def _scattered(text: str) -> words.PageWords:
    """A page of the first words of a text, in lines of unlike length and with gaps as in tables."""
    found = text[:400_000].split()[: words.MOST_WORDS]
    return words.PageWords(
        [
            words.Word(word[:40], 40.0 * (at % 13), 40.0 * (at % 13) + 30, 12.0 * -(at // 13), 10.0)
            for at, word in enumerate(found)
        ],
        [],
    )


def _shop(text: str) -> dict[str, object]:
    offers = [{"price": one, "priceCurrency": one} for one in (text, *text.split()[:5_000])]
    return {"@type": "Product", "name": text, "offers": offers, "aggregateRating": {"ratingValue": text}}


_ADDRESS = "https://a.example/b"

WORK: dict[str, Work] = {
    "text.addresses.addresses": lambda text: _all(addresses.addresses(text)),
    "text.addresses.first_address": addresses.first_address,
    "text.identifiers.identifiers_in": identifiers.identifiers_in,
    "text.subjects.subjects_in": subjects.subjects_in,
    "text.keywords.discriminative_words": keywords.discriminative_words,
    "text.addresses.with_pages_named": addresses.with_pages_named,
    "text.addresses.without_addresses": addresses.without_addresses,
    "cited_text.assigning.table_rows": lambda text: _all(
        assigning.table_rows(text, blocks.Block("table", 0, len(text)))
    ),
    "cited_text.assigning.paragraphs": lambda text: _all(
        assigning.paragraphs(text, blocks.Block("prose", 0, len(text)))
    ),
    "cited_text.assigning.sentence_ends": lambda text: assigning.sentence_ends(
        text, text, [CitationMark("number", at, at + 3, "1") for at in range(0, len(text), 9)], unmarked=True
    ),
    "text.blocks.blocks": lambda text: _all(blocks.blocks(text)),
    "text.boundaries.is_whole": lambda text: boundaries.is_whole(text, len(text) // 3, len(text) // 2),
    "entailment.alignment.carries": lambda text: (carrying.carries(CLAIM, text), carrying.carries(text, text)),
    "text.chains.Chains": lambda text: (
        chains.Chains(CLAIM, [chains.TitledText("Rates", text), chains.TitledText(text[:200], text)]).worth
    ),
    "text.citations.marks": citations.marks,
    "text.citations.named_quotes": citations.named_quotes,
    "text.citations.strip_marks": citations.strip_marks,
    "text.citations.fragment_between": lambda text: citations.fragment_between(_ADDRESS, text.split(), text.split()),
    "text.citations.link_to_quotes": lambda text: citations.link_to_quotes([f"{_ADDRESS}#:~:text={text}", _ADDRESS]),
    "text.citations.text_fragment": lambda text: citations.text_fragment(_ADDRESS, text, text),
    "cited_text.own_judgement.tells_unmarked": own_judgement.tells_unmarked,
    "cited_text.own_judgement.without_judgements": lambda text: _all(
        own_judgement.without_judgements(text, (assigning.SentenceOrRow(at, at + 20) for at in range(0, len(text), 40)))
    ),
    "cited_text.parse.parse_cited_text": lambda text: (
        found := cited.parse_cited_text(text),
        found.uncited,
        found.dangling,
        found.unused,
    ),
    "entailment.check.Finding": lambda text: (_findings(CLAIM, text), _findings(text[:2_000], text)),
    "entailment.evidence.is_foreign": lambda text: evidence.is_foreign(text, text, "en"),
    "entailment.clauses.clauses_of": clauses.clauses_of,
    "entailment.containment.is_verbatim": lambda text: (
        containment.is_verbatim(CLAIM, text),
        containment.is_verbatim(text, text),
    ),
    "entailment.containment.repeats": lambda text: (
        containment.repeats(CLAIM, [text]),
        containment.repeats(text, [text]),
    ),
    "entailment.containment.restates": lambda text: (
        containment.restates(CLAIM, [text]),
        containment.restates(text, [CLAIM]),
    ),
    "entailment.coverage.covered": lambda text: (coverage.covered(CLAIM, text), coverage.covered(text, text)),
    "entailment.coverage.held_terms": lambda text: coverage.held_terms(text, text),
    "entailment.coverage.lost_words": lambda text: (coverage.lost_words(CLAIM, text), coverage.lost_words(text, CLAIM)),
    "entailment.details.details_missing_from": lambda text: details.details_missing_from(CLAIM, text),
    "entailment.details.missing_below": lambda text: details.missing_below(CLAIM, text, text),
    "entailment.details.PageWords": lambda text: details.PageWords(text, "https://a.example").names("Ann Lee"),
    "entailment.details.PageNames": lambda text: details.PageNames(text).names("Ann Lee"),
    "entailment.explain.shortfall": lambda text: explain.shortfall(CLAIM, (), [text, text[1:]], partly=True),
    "entailment.ties.untold_kind": lambda text: ties.untold_kind(text, ["estimate"]),
    "entailment.unknown_words.mostly_unknown": lambda text: (
        unknown_words.mostly_unknown(CLAIM, text),
        unknown_words.mostly_unknown(text, CLAIM),
    ),
    "entailment.unknown_words.unknown_clause": lambda text: (
        unknown_words.unknown_clause(CLAIM, text),
        unknown_words.unknown_clause(text, CLAIM),
    ),
    "text.numbers.read_details": lambda text: numbers.read_details(text, one=True),
    "entailment.ties.ties": ties.ties,
    "entailment.ties.untold_ties": lambda text: (ties.untold_ties(CLAIM, text), ties.untold_ties(text, "all")),
    "entailment.ties.lost_limits": lambda text: (ties.lost_limits(CLAIM, text), ties.lost_limits(text, CLAIM)),
    "entailment.ties.says_whose": ties.says_whose,
    "entailment.ties.without_samples": ties.without_samples,
    "text.copies.copied": lambda text: copies.copied(text, text[1:]),
    "text.copies.origins": copies.origins,
    "text.dates.dates": dates.dates,
    "text.dates.found_dates": dates.found_dates,
    "text.dates.months_named": lambda text: dates.months_named(text, ()),
    "text.entries.entries": entries.entries,
    "text.entries.enclosing": lambda text: entries.enclosing(entries.entries(text), len(text) // 2, len(text) // 2 + 9),
    "injection.invisible.without_unseen": invisible.without_unseen,
    "injection.invisible.holds_message": invisible.holds_message,
    "text.keywords.words": keywords.words,
    "text.keywords.stem": keywords.stem,
    "text.keywords.content_words": keywords.content_words,
    "text.keywords.keywords": keywords.keywords,
    "text.language.guess": language.guess,
    "cited_text.list_titles.heading_level": list_titles.heading_level,
    "cited_text.list_titles.announced": lambda text: list_titles.announced(text, text, opens=True),
    "text.markdown.without_markdown": markdown.without_markdown,
    "text.markdown.code_masked": markdown.code_masked,
    "text.markdown.visible": markdown.visible,
    "text.markdown.escape": markdown.escape,
    "text.markdown.inline": lambda text: (markdown.inline(text), markdown.inline(text, cell=True)),
    "text.markdown.section": lambda text: (markdown.section(text, "x"), markdown.section(text, text[:200])),
    "text.markdown.cut": lambda text: markdown.cut(text, len(text) // 3, len(text) // 2),
    "cited_text.citation_marks.marked": lambda text: marking.marked(text, references.listing(text).references, ()),
    "text.names.names_in": names.names_in,
    "text.names.name_runs": names.name_runs,
    "text.names.initials": names.initials,
    "text.names.name_words": names.name_words,
    "text.near_duplicates.sketch": near_duplicates.sketch,
    "entailment.denial.negations": denial.negations,
    "entailment.denial.contradicts": lambda text: denial.contradicts(CLAIM, text),
    "entailment.denial.denied": lambda text: (denial.denied(CLAIM, text), denial.denied(text, CLAIM)),
    "entailment.denial.flatly_denied": lambda text: denial.flatly_denied(CLAIM, text),
    "text.normalise.normalise": normalise.normalise,
    "text.normalise.link_marks": normalise.link_marks,
    "text.number_words.in_digits": lambda text: number_words.in_digits(text, one=True),
    "text.numbers.numbers": numbers.numbers,
    "entailment.details.missing_details": lambda text: (
        details.missing_details(CLAIM, text),
        details.missing_details(text, CLAIM),
    ),
    "injection.orders.is_order": orders.is_order,
    "injection.orders.is_code": orders.is_code,
    "injection.orders.asks_how": orders.asks_how,
    "text.passages.headings_at": lambda text: passages.headings_at(text, len(text) // 2, len(text) // 2 + 50),
    "text.passages.table_head": lambda text: passages.table_head(text, len(text)),
    "text.ranking.term_counts": ranking.term_counts,
    "text.passages.pieces": passages.pieces,
    "text.chunks.chunks": chunks.chunks,
    "text.front_matter.front_matter": lambda text: front_matter.front_matter(f"---\n{text}".encode()),
    "text.chunks.best_part": lambda text: chunks.best_part(text, passages.PassageSpan(0, len(text), ""), CLAIM),
    "entailment.phrases.tokens": phrases.tokens,
    "entailment.phrases.meant": lambda text: phrases.meant(phrases.tokens(text)),
    "entailment.phrases.settled": lambda text: phrases.settled(phrases.tokens(text)),
    "injection.detect.planted": planted.planted,
    "injection.detect.is_planted": planted.is_planted,
    "text.quantities.quantities": quantities.quantities,
    "text.quantities.differing": lambda text: quantities.differing(
        quantities.quantities(text), quantities.quantities(text[1:])
    ),
    "text.quantities.undated_stems": quantities.undated_stems,
    "text.quantities.undated_names": quantities.undated_names,
    "text.periods.asks_for_newest": periods.asks_for_newest,
    "text.periods.asks_for_several": periods.asks_for_several,
    "text.periods.found_quarters": periods.found_quarters,
    "text.periods.quarters": periods.quarters,
    "text.periods.years": periods.years,
    "text.quantities.apart": lambda text: quantities.apart(dates.dates(text), frozenset({"1066-10-14"})),
    "text.quotes.locate": lambda text: (
        quotes.locate(QUOTE, text),
        quotes.locate(text[:300], f" {text[1:]}"),
        quotes.locate(f"{text[:500]} zebra", text),
        quotes.locate(f"{text[:300]} zebra … {text[300:500]}", text),
        quotes.locate(f"{text[:40]} … {text[40:80]}", f"{text} x"),
    ),
    "text.attributions.unattributed": attributions.unattributed,
    "text.topics.is_another_topic": lambda text: topics.is_another_topic(CLAIM, text),
    "text.url_secrets.without_secrets": lambda text: url_secrets.without_secrets(f"https://a.example/?{text}"),
    "text.redaction.redacted": lambda text: redaction.redacted(text, redaction.KINDS),
    "text.urls.joined_url": lambda text: urls.joined_url("https://a.example/b/", text.replace("[", "")),
    "text.utf8.fitting": lambda text: utf8.fitting(text, len(text)),
    "text.utf8.shortened_to_bytes": lambda text: utf8.shortened_to_bytes(text, len(text) // 2),
    "text.wrapping.is_row": wrapping.is_row,
    "text.wrapping.is_title": wrapping.is_title,
    "injection.screen.without_planted": screen.without_planted,
    "injection.screen.screened_hit": lambda text: screen.screened_hit(
        Hit(url="https://a.example/", title=text[:300], snippet=text[:2_000]), CLAIM
    ),
    "injection.about_reading.is_about_reading": lambda text: about_reading.is_about_reading(text, CLAIM),
    "injection.fitness.is_fit": lambda text: fitness.is_fit(_claim(text, 0, len(text)), document(text), [CLAIM]),
    "injection.fitness.fit_around": lambda text: fitness.fit_around(glossary(len(text)), 100, 200, [CLAIM]),
    "injection.reading_words.letters_only": reading_words.letters_only,
    "injection.apart.backwards": lambda text: list(apart.backwards(text)),
    "injection.apart.parted": lambda text: list(apart.parted(text)),
    "injection.apart.set_apart": lambda text: list(apart.set_apart(text)),
    "injection.ciphers.codes": lambda text: list(ciphers.codes(text)),
    "injection.ciphers.is_cipher": lambda text: ciphers.is_cipher(text, COMMON),
    "injection.disguise.disguised": disguise.disguised,
    "injection.disguise.plainly": disguise.plainly,
    "injection.foreign.foreign_stretches": foreign.foreign_stretches,
    "injection.screened.is_screened": screened.is_screened,
    "injection.screened.screened": screened.screened,
    "text.reference_lists.is_reference_list": lambda text: reference_lists.is_reference_list(text, text),
    "text.ranking.query_coverage": lambda text: ranking.query_coverage(CLAIM, text),
    "text.reranking.rerank": lambda text: reranking.rerank(
        CLAIM, [reranking.Candidate(text[:400], text, 1.0)], dict.fromkeys(CLAIM.casefold().split(), 1.0)
    ),
    "text.ranking.Ranker": lambda text: ranking.Ranker([text, text[1:]]).top(text[:2_000], 1),
    "cited_text.references.listing": references.listing,
    "entailment.rewording.moved": lambda text: _all(rewording.moved(phrases.tokens(text))),
    "entailment.rewording.wordings": lambda text: _all(
        rewording.wordings(phrases.tokens(text), rewording.Around(text, ("Rates of the ECB", text[:200])))
    ),
    "entailment.rewording.readings": lambda text: _all(
        rewording.readings(phrases.tokens(text), text, rewording.Around(text, ("Rates of the ECB", text[:200])))
    ),
    "text.sentences.sentences": sentences.sentences,
    "entailment.explain.absent": lambda text: explain.absent(CLAIM, text),
    "entailment.explain.instead": lambda text: (explain.instead(CLAIM, text), explain.instead(text, text[1:])),
    "entailment.explain.nearest_sentence": lambda text: explain.nearest_sentence(CLAIM, text.split(".")),
    "text.skeletons.skeleton": skeletons.skeleton,
    "text.skeletons.folded": lambda text: skeletons.folded(text, "f"),
    "text.skeletons.agree": lambda text: skeletons.agree(skeletons.skeleton(text), skeletons.skeleton(f"{text} ")),
    "entailment.coverage.SentenceIndex": lambda text: (
        found := coverage.SentenceIndex.of(text),
        found.best(CLAIM),
        found.score(CLAIM),
        found.uncarried([text[:300]]),
    ),
    "text.tokens.estimate": tokens.estimate,
    "text.tokens.first_fitting": lambda text: tokens.first_fitting(text.splitlines(), len(text)),
    "text.tokens.upper_bound": tokens.upper_bound,
    "text.urls.normalise_url": lambda text: urls.normalise_url(f"https://a.example/{text}"),
    "text.urls.short_hash": lambda text: urls.short_hash(f"https://a.example/{text}"),
    "text.urls.host_of": lambda text: (urls.host_of(f"https://{text}"), urls.host_of(f"https://{text[:8_000]}")),
    "text.urls.site_of": lambda text: (urls.site_of(f"https://{text}"), urls.site_of(f"https://{text[:8_000]}")),
    "text.urls.in_domains": lambda text: urls.in_domains("https://a.example", [text]),
    "text.urls.addresses_in": urls.addresses_in,
    "text.urls.is_called": lambda text: (urls.is_called("a.save", text), urls.is_called(text, text)),
    "text.urls.may_be_called": urls.may_be_called,
    "text.urls.typed_addresses": lambda text: (
        urls.typed_addresses("Model.save and www.a.example", text, text),
        urls.typed_addresses(text, CLAIM, text),
    ),
    "entailment.versions.without_titled": lambda text: (
        versions.without_titled("Django 3.2 is out", text, text),
        versions.without_titled(text, "Django 3.2 is out", "Django 3.2.25 documentation"),
    ),
    "pipeline.research.choosing.choose_passages": lambda text: choosing.choose_passages(
        (_asked(text).text, text[:200]), [document(text)], 1_000
    ),
    "text.surroundings.surroundings": lambda text: surroundings.surroundings(
        text, len(text) // 2, len(text) // 2 + 50, 160
    ),
    "pipeline.research.reader.locate_claim": lambda text: reader.locate_claim(
        ClaimDraft(text=CLAIM, quote=text[len(text) // 2 :][:200] or "a", passage_id="p1"),
        passage(text[:900]),
        document(text),
        _asked(text),
    ),
    "injection.screen.readable": lambda text: (
        screen.readable(found := glossary(len(text)), passages.pieces(found.text), [CLAIM])
        if text.startswith(TERMS)
        else screen.readable(document(text), passages.pieces(text))
    ),
    "injection.screen.readable_heading": lambda text: screen.readable_heading(document(text), text[:2_000], [CLAIM]),
    "injection.screen.is_clean": lambda text: screen.is_clean(document(text), 3, 9),
    "injection.screen.clean_around": lambda text: screen.clean_around(document(text), 3, 9),
    "injection.screen.is_beside_the_point": lambda text: screen.is_beside_the_point(text, [CLAIM]),
    "injection.screen.unwanted_in": lambda text: screen.unwanted_in([passage(text)], {"s1": document(text)}, [CLAIM]),
    "injection.screen.may_ask": lambda text: screen.may_ask(CLAIM, [CLAIM], [text]),
    "pipeline.report.summaries.summarise": lambda text: summaries.summarise(document(text), [CLAIM], 200),
    "pipeline.machine_gate.by_machine": lambda text: machine_gate.by_machine(
        _claim(text, 0, 200), {"s1": document(text)}
    ),
    "pipeline.witnesses.Witnesses": lambda text: witnesses.Witnesses({"s1": document(text)}).count(
        _claim(text, 0, 200)
    ),
    "web.charset.decode": lambda text: charset.decode(text.encode("utf-8", "replace")),
    "web.pages.facts.page_title": lambda text: facts.page_title(_tree(f"<h1>{text}</h1>"), {}, []),
    "web.pages.facts.metas": lambda text: facts.metas(_tree(text)),
    "web.pages.facts.json_ld": lambda text: facts.json_ld(_tree(text)),
    "web.pages.facts.refresh_of": lambda text: facts.refresh_of(
        _tree(f'<meta http-equiv="refresh" content="{text}">'), "https://a.example/b"
    ),
    "web.pages.facts.base_of": lambda text: facts.base_of(
        _tree(f"<base href='{text[:4_000]}'>"), "https://a.example/b"
    ),
    "web.pages.page_links.canonical_of": lambda text: page_links.canonical_of(_tree(text), "https://a.example/b"),
    "web.pages.product_facts.product_of": lambda text: product_facts.product_of({"og:title": text}, [_shop(text)]),
    "web.pages.authors.author_of": lambda text: authors.author_of(_tree(text), {}, []),
    "web.pages.page_links.next_of": lambda text: page_links.next_of(_tree(text), "https://a.example/b"),
    "web.pages.facts.links_of": lambda text: facts.links_of(_tree(text), "https://a.example/b"),
    "web.pages.facts.published_of": lambda text: facts.published_of(_tree(text), {}, [], TODAY),
    "web.pages.hidden.comments": hidden.comments,
    "web.pages.hidden.take_out": lambda text: hidden.take_out(_tree(text)),
    "web.pages.style_sheet.sheet_of": lambda text: (style_sheet.sheet_of(text), style_sheet.sheet_of(_numbered(text))),
    "web.pages.style_sheet.outside_of": lambda text: _all(style_sheet.outside_of(text, "/*", "*/")),
    "web.pages.style_sheet.declared": style_sheet.declared,
    "web.pages.variables.used_in": variables.used_in,
    "web.pages.variables.resolved": lambda text: variables.resolved({"color": text}, {"--a": "0"}.get),
    "web.pages.hiding_styles.is_hidden": lambda text: [
        hiding_styles.is_hidden({name: text})
        for name in ("width", "font", "filter", "color", "transform", "clip", "mask", "translate", "rotate", "opacity")
    ],
    "web.pages.hiding.hides": lambda text: [
        (hiding.hides(one), hiding.hides(one, PAGE_SHEET)) for one in _tree(text).iter("b", "div")
    ],
    "web.pages.markdown.tidy": rendering.tidy,
    "web.pages.site_names.site_name_of": lambda text: site_names.site_name_of(
        _tree(f'<a href="/">{text}</a>'), {}, [], "Ice", "https://a.example/b"
    ),
    "web.pages.site_names.titled": lambda text: site_names.titled(text, text),
    "web.fetching.robots_rules.Rules": lambda text: robots_rules.Rules.parse(
        f"User-agent: *\nDisallow: /{text}".encode(), "bot"
    ).allow(f"/{text}"),
    "web.fetching.robots_rules.path_of": robots_rules.path_of,
    "web.no_ai.headers_say_no": lambda text: no_ai.headers_say_no({"x-robots-tag": text}, "bot"),
    "web.no_ai.metas_say_no": lambda text: no_ai.metas_say_no({"robots": text}, "bot"),
    "web.sniff.sniff": lambda text: sniff.sniff(text.encode("utf-8", "replace"), "", "/a"),
    "web.documents.csv_files.parse_csv": lambda text: csv_files.parse_csv(text, 2_000_000),
    "web.documents.csv_files.separator_of": lambda text: csv_files.separator_of(text[:8_000]),
    "web.documents.emails.parse_email": lambda text: emails.parse_email(
        f"Subject: x\n\n{text}".encode("utf-8", "replace"), 2_000_000, TODAY
    ),
    "web.documents.html_blocks.html_blocks": html_blocks.html_blocks,
    "web.documents.markdown_tables.markdown_table": lambda text: _all(
        markdown_tables.markdown_table([[cell] for cell in text.split("\n")])
    ),
    "web.documents.notebooks.notebook_of": lambda text: notebooks.notebook_of(f'"nbformat"{text}'),
    "web.documents.notebooks.parse_notebook": lambda text: notebooks.parse_notebook(
        {"cells": [{"source": text}]}, 2_000_000, TODAY
    ),
    "web.documents.paragraphs.blocks_of": lambda text: paragraphs.blocks_of(
        _scattered(text), 10.0, paragraphs.Vocabulary([])
    ),
    "web.documents.subtitles.is_subtitles": lambda text: subtitles.is_subtitles(text[:1_000]),
    "web.documents.subtitles.parse_subtitles": lambda text: subtitles.parse_subtitles(
        f"00:00:01.000 --> 00:00:02.000\n{text}", 2_000_000
    ),
    "web.documents.data_series.data_series": lambda text: data_series.data_series(
        {"tag": text, "entityName": text, "units": {text: [_fact(text, number) for number in range(len(text) // 20)]}}
    ),
    "web.documents.text_files.parse_text": lambda text: (
        text_files.parse_text(text, "markdown", 2_000_000),
        text_files.parse_text(text, "xml", 2_000_000),
        text_files.parse_text(text, "json", 2_000_000),
    ),
    "web.pages.tree.load_page": tree.load_page,
    "web.pages.verdicts.verdict": lambda text: verdicts.verdict(text[:300], text, []),
    "web.pages.traps.is_trap": lambda text: traps.is_trap(
        f"https://a.example/b/{text[:2_000]}", text, [("https://a.example/b/c/d", "e")] * 9
    ),
    "web.pages.verdicts.is_walled": lambda text: verdicts.is_walled(text, []),
    "web.pages.marked_dates.scripted_date": lambda text: marked_dates.scripted_date(text, TODAY),
    "web.pages.marked_dates.marked_date": lambda text: marked_dates.marked_date(_tree(f"<h1>{text}</h1>"), TODAY),
    "web.pages.marked_dates.pictured_date": lambda text: marked_dates.pictured_date(text, TODAY),
    "web.pages.page_blocks.page_blocks": lambda text: page_blocks.page_blocks(_tree(text)),
    "web.pages.block_heads.with_heads": lambda text: _with_heads(page_blocks.page_blocks(_tree(text))),
    "web.pages.block_text.to_markdown": lambda text: block_text.to_markdown(page_blocks.page_blocks(_tree(text))),
    "thinkers.extractive.prose.clean": prose.clean,
    "thinkers.extractive.prose.is_prose": prose.is_prose,
}

READ = (
    "web.charset",
    "web.pages.facts",
    "web.pages.hidden",
    "web.fetching.rehearsal",
    "web.fetching.robots_rules",
    "web.no_ai",
    "web.pages.hiding",
    "web.pages.hiding_styles",
    "web.pages.style_sheet",
    "web.pages.variables",
    "web.pages.markdown",
    "web.pages.authors",
    "web.pages.page_links",
    "web.pages.product_facts",
    "web.pages.site_names",
    "web.sniff",
    "web.documents.csv_files",
    "web.documents.emails",
    "web.documents.html_blocks",
    "web.documents.markdown_tables",
    "web.documents.notebooks",
    "web.documents.subtitles",
    "web.documents.data_series",
    "web.documents.text_files",
    "web.pages.traps",
    "web.pages.tree",
    "web.pages.verdicts",
    "pipeline.research.choosing",
    "pipeline.report.summaries",
    "pipeline.witnesses",
)
"""Modules beside the rooms whose every function may see a page, that do the work on a whole one.

Each public function of all of them is in `WORK` or in `SPARED`.
"""

_BOUNDED = "it looks at a number, a word or a row of stretches that another function has found"
_OURS = "it reads no stranger's text"
_SENTENCE = "it looks at one sentence of a report or a claim, whose length is bounded"
_FOREIGN = "the work is lxml's, on a tree that a parser process has built and is killed with"
SPARED = {
    "text.question_words.by_asking": "part of text.language.guess, which reads 4,000 characters",
    "web.sniff.is_locked": "looks for one run of bytes, once",
    "injection.detect.merged_stretches": _BOUNDED,
    "entailment.check.check": "it only makes the finding, whose parts are measured as entailment.check.Finding",
    "entailment.explain.what_is_wrong": "it joins the details of one claim, whose length is bounded",
    "entailment.rules.threshold": _OURS,
    "entailment.rules.whole_threshold": _OURS,
    "text.numbers.Number": _BOUNDED,
    "text.quantities.rounds": _BOUNDED,
    "injection.marks.all_marks": _OURS,
    "injection.marks.read_marks": _OURS,
    "injection.reading_words.english": _OURS,
    "injection.reading_words.languages": _OURS,
    "injection.reading_words.words_by_kind": _OURS,
    "injection.screen.foreign_in": "it is measured by way of injection.screen.readable",
    "text.identifiers.without_version": "it looks at the end of one number that was found",
    "text.library_urls.library_url": "it quotes one path",
    "text.library_urls.split_library_url": "it takes one address apart",
    "text.word_lists.WordLists": _OURS,
    "text.word_lists.read_sections": _OURS,
    "text.common_words.common_words": _OURS,
    "text.common_words.language_name": _OURS,
    "text.common_words.short_words": _OURS,
    "injection.foreign.not_wanted": "it looks at stretches that were found and at the question",
    "text.page_language.PageLanguage": "it is measured by way of injection.foreign.foreign_stretches",
    "text.page_language.script_of": "it looks at one character",
    "web.pages.style_sheet.Rule": _BOUNDED,
    "web.pages.product_facts.Product": _BOUNDED,
    "web.pages.facts.absolute": "it looks at one address",
    "web.pages.style_sheet.Sheet": "it is measured by way of web.hiding.hides",
    "web.pages.variables.Definition": _BOUNDED,
    "web.pages.variables.Variables": "it is measured by way of sheet_of and hides",
    "web.fetching.rehearsal.rehearse": "it calls measured functions in the killable process, against its clock",
    "text.suffixes.registrable": "it is measured by way of text.urls.site_of",
    "text.url_secrets.holds_secret": "it is measured by way of text.url_secrets.without_secrets",
    "text.utf8.size": _BOUNDED,
    "text.wrapping.goes_on": "it is measured by way of text.sentences.sentences",
    "text.wrapping.is_full": "it is measured by way of text.sentences.sentences",
    "text.wrapping.width_around": "it is measured by way of text.sentences.sentences",
    "text.ages.age": _OURS,
    "cited_text.own_judgement.OwnJudgement": "it is measured by way of cited_text.own_judgement.without_judgements",
    "cited_text.own_quotes.is_own_quote": "it is measured by way of cited_text.references.listing",
    "cited_text.own_quotes.own_quotes": "it is measured by way of cited_text.references.listing",
    "cited_text.assigning.Assigning": "it is measured by way of cited_text.parse.parse_cited_text",
    "cited_text.masked_text.ReferenceIndex": "it is measured by way of cited_text.citation_marks.marked",
    "cited_text.masked_text.MaskedText": "it is measured by way of cited_text.citation_marks.marked",
    "text.near_duplicates.is_near_duplicate": _BOUNDED,
    "text.near_duplicates.similarity": _BOUNDED,
    "text.normalise.Normalised": _BOUNDED,
    "text.number_words.ending": _BOUNDED,
    "text.passages.beneath": _BOUNDED,
    "text.passages.headings_of": _BOUNDED,
    "text.passages.path_of": _BOUNDED,
    "text.skeletons.Skeleton": "it is measured by way of text.skeletons.agree",
    "text.stopwords.word_set": _OURS,
    "web.pages.facts.language_of": "one anchored pattern of three letters",
    "web.pages.facts.words_of": "its texts come one by one from a list of at most some hundred objects",
    "web.sniff.inflated": "zlib, with a bound on what comes out",
    "web.sniff.is_built_in": "it looks one media type up",
    "web.pages.tree.drop": _FOREIGN,
    "web.pages.tree.inner_text": _FOREIGN,
    "web.pages.tree.open_all": _FOREIGN,
    "web.pages.tree.replace_inside": _FOREIGN,
    "web.pages.tree.serialised": _FOREIGN,
    "web.pages.tree.load_xml": "it is measured by way of web.text_files.parse_text",
    "pipeline.report.summaries.summaries": "it is measured by way of pipeline.report.summaries.summarise",
    "injection.screen.planted_in": "it is measured by way of injection.screen.readable",
    "pipeline.witnesses.publisher": "it is measured by way of text.urls.site_of",
    "pipeline.witnesses.are_copies": "the sketches that it compares have one size, and text.urls.site_of is measured",
}
"""Why a function is not measured."""

COMMON = ("a", " ", "a. ", "[")
"""Units that every function is tried with, repeated."""

_BLANKS = ("\n", "\t")
_QUOTED = ('"a ', "“a ", "`", "'")
_LINKS = ("[a](", "](", "[1][1]", "http://", "www.a.bc ", "a@a.")
_DIGITS = ("1", "1,", "1.", "1 111 ", "2024-")
_LINES = ("- a\n", "| a ", "# a\n", "```\n", "> ", "a\n---\n")
_MARKS = (
    "~[INST]",
    "[INST]\n\n",
    "[INST]:\n\n",
    "<important>\n\n```\n\n",
    "your new task is\n\n",
    '"[INST]" injection ',
    "todo |  ",
    "decode and and ",
    "system ###",
    "ai \n\n\n",
)
_RUNS = tuple(
    (f"todo ai system 你的回答 your answer instead. do this http [INST] {stop}", run, "x")
    for stop in (".", "\n")
    for run in (" ", "\n", "#", "| ", ":")
)
_NAMES = ("Ab ", "Ann of ", "U.S.", "A-b", "é")
_SAID = (
    "and ",
    "no ",
    "(no) ",
    "if ",
    "in 2018 ",
    "because ",
    "was built by ",
    "rates ",
    "five percent ",
    "hundred ",
    "May 5, 2018 ",
)

Hurt = str | tuple[str, str, str]
"""A unit to repeat, or what stands before it, the unit, and what stands behind it."""

HURTS: dict[str, tuple[Hurt, ...]] = {
    "text.addresses.addresses": (*_LINKS, ("http://", ")", ""), "<http://", "doi:10.1234/"),
    "text.identifiers.identifiers_in": (
        "10.1234/",
        "10.1234/a<1:",
        "10.1000/a ",
        ("10.1000/", ").", ""),
        ("10.1000/a", "/full", ""),
        "arXiv ",
        ("arXiv ", "2401.12345 ", ""),
        "arxiv:",
        "a-b/1234567",
        "arxiv:ab.",
        "PMID 1",
        "PMC",
        "pubmed id ",
        "%31",
        "1",
    ),
    "text.addresses.with_pages_named": (*_LINKS, "[a"),
    "text.addresses.without_addresses": (*_LINKS, "[a"),
    "cited_text.assigning.table_rows": (("|", " ", "x"), "|-", "| a ", "|--|\n"),
    "cited_text.assigning.paragraphs": (*_LINES, *_BLANKS),
    "cited_text.assigning.sentence_ends": ("a lake. `b`", "3. `a` ", (". ", "`", "x")),
    "text.blocks.blocks": (*_LINES, "*a", "_a b", ("a" * 9_000 + "\n", "b\n", ""), ("# ", " ", "x"), "# #"),
    "entailment.alignment.carries": (*_SAID, "of "),
    "text.chains.Chains": (*_NAMES, *_SAID[:3]),
    "text.citations.marks": ("[1]", "[1,", "[a][1]", "`a", "[1]: ", *_LINKS),
    "text.citations.strip_marks": ("[1]", "[1,", "[a][1]", "`a", *_LINKS),
    "text.citations.named_quotes": ("[1a]", "[1a,b,", "[a][1b]", "`a", *_LINKS),
    "cited_text.own_judgement.tells_unmarked": (
        "*A sentence without a mark, or with cf., ",
        "\n*∴ marks",
        "\n*–: not found",
    ),
    "cited_text.own_judgement.without_judgements": (
        "*Our assessment:* a b c [1]. ",
        "*Our assessment, from [1]:* a b c [1].\n",
        "*Our assessment, from [1]:*\n\n- a b c\n\n",
        "*Our assessment is set in italics.*\n",
        "*In italics: our assessment, from the sources named.*\n",
        "Ice floats [∴ 1, 2a] [∴] [∴ ",
        "Ice floats [cf. 1, 2] [cf. ",
        "*∴ marks our own assessment, from the sources it names.*\n\n",
        "a b c [1]. a b c. *A sentence without a mark, or with cf., is our own assessment: it rests on what is cited "
        "around it and on the sources named.*\n\n",
        "*a b* [1]. ",
        "*a \\*",
        "**a:** *b",
    ),
    "cited_text.parse.parse_cited_text": (
        "[1][2]",
        ", ",
        "; ",
        "a b c. [1] ",
        "[1]\n",
        "Source [1]\n\n",
        "Sources: [1]\n",
        "[1] http://a.bc\n",
        "[a](http://b.cd) ",
        "- a b c [1]\n",
        "| a [1] ",
        "| a b | c d [1] |\n",
        ("| a | b |\n|--|--|\n", "| a b c [1] | *a b c* [1] |\n", "\n*Our assessment is set in italics.*"),
        "<a href=",
        "<sup>1",
        "<!--",
        "\\[1\\]",
        "¹",
        "【1",
        "(Smith, 2020",
        ("a b c. ", "d e f. ", "[1]" * 500),
        ("## References\n[1] http://a.bc\n", "a b\n", ""),
        ("[", "a", ""),
        ("", "[[a](b)", "](b)" * 50),
        "`a` ",
    ),
    "entailment.clauses.clauses_of": (*_SAID, *_BLANKS, "( ", "– ", "et et et "),
    "entailment.ties.ties": ("the most ", "than ", "led to "),
    "entailment.ties.untold_ties": ("the most ", "than ", "because "),
    "entailment.ties.lost_limits": ("up to ", "some "),
    "entailment.ties.says_whose": ("study and ", "researchers a ", "~"),
    "entailment.ties.without_samples": ("12 people ", "10,000 ", "a study of ", "hundreds of "),
    "text.copies.copied": ("a b c d e f g h ", "中"),
    "text.copies.origins": ("according to ", "Ann of ", "source : ", "(AP ", "- "),
    "text.dates.dates": (*_DIGITS, "march ", "May 5, 2018 ", "first quarter ", "q1 "),
    "text.dates.found_dates": (*_DIGITS, "march ", "may 5, 2018 ", "10 to 12 "),
    "text.dates.months_named": ("march ",),
    "text.periods.asks_for_newest": ("latest ", "each each ", "10-"),
    "text.periods.asks_for_several": ("each ", "between 2022 and ", "over the "),
    "text.periods.found_quarters": (*_DIGITS, "q1 2023 ", "first quarter of the ", "2023 q"),
    "text.periods.quarters": (*_DIGITS, "q1 2023 ", "first quarter of the ", "2023 q"),
    "text.periods.years": (*_DIGITS, "2023 ", "2023."),
    "text.entries.entries": ("* a\n: b\n", "* a\n", ": a\n", "  * a\n  : b\n", "```\n", "\n"),
    "text.entries.enclosing": ("* a\n: b\n", "  * a\n  : b\n"),
    "injection.invisible.without_unseen": ("\u200b", "a\u200b", "\u200d", "\ufe00", "\u200dé"),
    "injection.invisible.holds_message": ("\u200b", "a\u200b", "\u200d", "\ufe00", ("a", "\u00ad", "b"), "a\u200b "),
    "text.keywords.words": ("a'", "中", "é"),
    "text.keywords.content_words": ("中", "et "),
    "text.keywords.keywords": ("中", '"ab'),
    "text.language.guess": ("é", "中", "et "),
    "cited_text.list_titles.heading_level": (("**a**", " ", "x"), ("", " ", "#"), "**a"),
    "cited_text.list_titles.announced": ("references ", "#"),
    "text.markdown.without_markdown": (
        *_LINES,
        *_LINKS,
        ("", "[[1](b)", ""),
        "*a",
        "_a",
        "~~",
        ("a\n```\n", "`", "x"),
        "|-",
        "`a",
    ),
    "text.markdown.visible": ("\x00",),
    "text.markdown.escape": ("_", "*", "~", "//", "a@", "&a", "www.", "a.com", "\n ", "1", "\\"),
    "text.markdown.inline": ("`", "`a` ", "``a", "`[1]` ", "`https://a` ", "a@", "\\`"),
    "text.markdown.section": (*_LINES, *_LINKS[:2]),
    "text.markdown.cut": ("\n",),
    "cited_text.citation_marks.marked": (
        "[1,",
        "[a](",
        "<a href=",
        ("<a href=", "href=", ""),
        "¹",
        "(Smith, 2020; ",
        "Ab ",
        "[1-200]",
    ),
    "text.names.names_in": (*_NAMES, ("", "a", "")),
    "text.names.name_runs": (*_NAMES, ("A", "a", ""), "a.", "Aa'"),
    "text.names.initials": _NAMES,
    "text.names.name_words": (*_NAMES, "a\u0301\u0323"),
    "text.near_duplicates.sketch": ("a b ", "中"),
    "entailment.denial.negations": ("no ", "ne ", "not ", "no or "),
    "entailment.denial.contradicts": ("no ", "(no) ", "no rates "),
    "entailment.denial.denied": ("no rates ", "(no rates) ", "rates it is not ", "not "),
    "entailment.denial.flatly_denied": ("no rates. ", "rates "),
    "text.normalise.normalise": (
        *_LINKS,
        *_BLANKS,
        "*",
        "_a",
        "`",
        "~",
        "> ",
        "- ",
        "-\n",
        "-  ",
        "\\*",
        "é",
        "a\u0301\u0323",
        "\u0301\u0323",
        "½",
        "ﬁ",
        "１",
        "“a”",
    ),
    "text.normalise.link_marks": (*_LINKS, "](<a", '[a](b "', ("", "[a](b)", "")),
    "text.number_words.in_digits": ("one ", "hundred ", "million ", "twenty-", "a hundred and "),
    "text.numbers.numbers": (*_DIGITS, "$5 million ", "one ", "5%"),
    "entailment.details.missing_details": (*_DIGITS, *_NAMES[:2], "in 2018 ", "Berlin ", "five percent ", "not "),
    "injection.orders.is_order": (*_BLANKS, "please ", "you ", "?", "now. ", ("use", " ", "x")),
    "injection.orders.is_code": (
        ("a(", ",", ""),
        ("import ", "(", " a b"),
        ("for ", ":", ". a"),
        "a(",
        "{ ",
        "a = ",
        ("", " ", "a ="),
        "from a(",
    ),
    "injection.orders.asks_how": ("how ", "comment a"),
    "text.passages.headings_at": (*_LINES, *_BLANKS, "* a\n: b\n", "# a\n", "| a\n"),
    "text.passages.table_head": ("| a\n", "|a|", "\n"),
    "text.ranking.term_counts": ("a b ", "中"),
    "text.front_matter.front_matter": ("a: b\n", "a: [", ",", "'"),
    "text.chunks.chunks": (*_LINES, *_BLANKS, "* a\n: b\n", "a\n\n", "# a\nb\n"),
    "text.chunks.best_part": (*_LINES, *_BLANKS, "* a\n: b\n", "a\n\n", "# a\nb\n"),
    "text.passages.pieces": (*_LINES, *_BLANKS, "* a\n: b\n", "  * a\n  : b\n", "a\n\n"),
    "entailment.phrases.tokens": (*_DIGITS, *_SAID, "a.", ("", "1,", "1a"), "at least 5 "),
    "entailment.phrases.meant": ("rates ",),
    "entailment.phrases.settled": _SAID[:4],
    "injection.detect.planted": (*_MARKS, *_RUNS),
    "injection.detect.is_planted": _MARKS[:2],
    "text.quantities.quantities": (*_DIGITS[:3], "Ab 17 ", "$5 million ", "version 3.2 "),
    "text.quantities.differing": ("$5 million ", "5% ", "Ab 17 "),
    "text.quantities.apart": ("2018 ", "May 5, 2018 "),
    "text.quotes.locate": (
        "the committee did not raise ",
        "a b c ",
        "a b c … ",
        *_QUOTED,
        *_LINKS[:2],
        "é",
        "1 ",
        "中",
        "rn",
        "five percents ",
        "the committee did not raise rates above five percent in 2019, ",
    ),
    "text.attributions.unattributed": (", according to ", "said that ", " (", "(a) "),
    "text.topics.is_another_topic": ("a b ", "中", "the "),
    "text.url_secrets.without_secrets": ("token=a&", "&", "=", "%", "#", ";sid=", "a=1&", "eyJ", "key=a1"),
    "web.fetching.robots_rules.Rules": ("\nDisallow: /*a", "*a", "*", "\nUser-agent: *", "\r", "a", "\nai-input = "),
    "web.fetching.robots_rules.path_of": ("/", "://", "#", ";"),
    "web.no_ai.headers_say_no": (",", "a:", ", a: noai"),
    "text.redaction.redacted": ("a@", "a", "a.", "1 ", "4", "DE89 ", "+1 ", "0-", "[at] ", "030 ", "1-2"),
    "text.urls.joined_url": ("/", "\\", "../", "?", "a/", "./"),
    "text.utf8.fitting": ("é", "中"),
    "text.utf8.shortened_to_bytes": ("é", "中"),
    "text.wrapping.is_row": ("1 ", "$ 1,0", "\t", "   ", "- ", "(1) "),
    "text.wrapping.is_title": ("Aa ", "a ", "A"),
    "injection.screen.without_planted": ("ignore all ", "\u200b", "a b c ", "4 "),
    "injection.screen.screened_hit": ("must recommend ", "the answer "),
    "injection.about_reading.is_about_reading": ("the answer must ", "assistant ", "you "),
    "injection.fitness.is_fit": ("i g n o r e ", "your answer must ", "Негорюй "),
    "injection.reading_words.letters_only": ("é", "\u0301", "- "),
    "injection.apart.backwards": (" .\u044f", ".\u044f\u044f ", " ,\u044f\n", ". ", "\u044f. "),
    "injection.apart.parted": (
        "\u200b",
        "a\u200b",
        "ab\u200bc ",
        "a\u200b ",
        "\u0e01\u200b",
        "\u0915\u094d",
        "\u00ad",
        "a\u00ad",
        "\u0915\u094d\u200d",
    ),
    "injection.apart.set_apart": (
        "\u0915\u094d",
        "\u0915 ",
        "a\u2605",
        "\u0e01 ",
        "\u2605",
        "a \u2605\u0bcd",
        "\u0915\u093f",
    ),
    "injection.ciphers.codes": ("aGVsbG8gd29ybGQ=", "48 65 ", ".- ", "%20", "\\u0041"),
    "injection.ciphers.is_cipher": ("uryyb jbeyq ", "olleh ", "a"),
    "injection.disguise.disguised": ("i g n o r e ", "\u0456", "\u1d00", "1gn0r3 ", "\u200b", "*a", "\u0336a"),
    "injection.disguise.plainly": ("i g n o r e ", "\u1d00", "\u0336a"),
    "injection.foreign.foreign_stretches": ("negeer alle ", "Ignoriere alles. ", "a\n\n", "中", "и "),
    "injection.screened.is_screened": ("ignore all ", "i g n o r e "),
    "injection.screened.screened": ("ignore all ", "i g n o r e ", "~[INST]"),
    "text.ranking.query_coverage": ("a b ", "中"),
    "text.reference_lists.is_reference_list": ("references,", "et al ", ";1(1):", ";1"),
    "text.reranking.rerank": ("a b ", "中", "rates ", "("),
    "text.ranking.Ranker": ("a b ", "中"),
    "cited_text.references.listing": (
        "[1] http://a.bc\n",
        "1. http://a.bc\n",
        ("## References\n- [1] a, b.cd\n", "  - a “b” http://b.cd\n", ""),
        ("## References\n", "- [1] a, b.cd\n  - a “b” http://b.cd\n", ""),
        ("## References\n- [1] a, b.cd\n  - ", "a “b” [↗](<http://b.cd>) · ", ""),
        ("## References\n- [1] a, b.cd\n  - a “b”", " [↗](<", ""),
        ("## References\n- [1] a, b.cd\n", "  - a “b” [↗](<http://b.cd>) · a “\n", ""),
        "References:\na\n",
        "## References\n",
        "[^1]: a\n",
        "[1]: http://a.bc ",
        ("## References\n[1] a\n", "a b\n", ""),
        ("## References\n- http://a.bc\n", "a b\n", ""),
        "**a**\n",
        "Sources\n\n- a\n",
    ),
    "entailment.rewording.moved": _SAID,
    "entailment.rewording.wordings": (*_SAID, "in the "),
    "entailment.rewording.readings": (*_SAID, "it was "),
    "text.sentences.sentences": (
        *_LINES,
        *_BLANKS,
        "A.",
        ".",
        "…",
        "。",
        '."',
        ".[1]",
        (".", "[1]", "a"),
        "a\n",
        ("|", " ", "x"),
        "U.S. ",
        "(a) ",
        "J. ",
        "a" * 130 + "\n",
        "- - ",
        ". .",
    ),
    "entailment.explain.absent": ("rates ",),
    "entailment.explain.instead": ("rates ", "in 2018 "),
    "entailment.explain.nearest_sentence": ("rates. ",),
    "text.skeletons.skeleton": (*_DIGITS, "111 ", "é", ("1 111", ",", "x")),
    "text.skeletons.folded": ("rn", "ffi", "1"),
    "text.skeletons.agree": ("rn", "1 ", "a b "),
    "entailment.coverage.SentenceIndex": ("rates ", "rates. ", "raise it. ", "raised "),
    "text.tokens.estimate": (".", "_", "é", "中", "1", "A"),
    "text.tokens.upper_bound": (".", "_", "é", "中", "1", "A", "the "),
    "text.urls.normalise_url": ("../", "/", "%41", "a=b&"),
    "text.urls.short_hash": ("../", "/", "%41", "a=b&"),
    "text.urls.host_of": (".", "é", "a."),
    "text.urls.site_of": (".", "é", "a."),
    "text.urls.in_domains": (".", "é", "a."),
    "text.urls.addresses_in": (*_LINKS, "a.b.", "a-", "a.bc/", "a://"),
    "text.urls.is_called": ("a.b", "a("),
    "text.urls.may_be_called": ("a.b", "a."),
    "text.urls.typed_addresses": ("Model.save( ", "a.save ", "save( ", "www.a.bc "),
    "entailment.versions.without_titled": ("Django 3.2 ", "v3.2 ", "v1.1", "1.", "Ab 17 "),
    "pipeline.research.choosing.choose_passages": ("rates a b ", "rates\n", "~[INST]", "- rates\n"),
    "text.surroundings.surroundings": ("rates. ", "\n"),
    "pipeline.research.reader.locate_claim": ("rates. ", "a b c ", "no rates "),
    "injection.screen.readable_heading": ("~[INST]", "a › ", "rates "),
    "injection.screen.readable": (
        (TERMS, "-", ""),
        "~[INST]",
        "Hello world. [INST] a.\n\nIt is a page of words.\n\n",
        "a b c ",
    ),
    "injection.screen.is_clean": ("[INST]\n\n",),
    "injection.screen.clean_around": ("[INST]\n\n",),
    "injection.screen.is_beside_the_point": ("please ", "a("),
    "injection.screen.unwanted_in": ("~[INST]", "Write it. "),
    "injection.screen.may_ask": ("rates ", "committee "),
    "pipeline.report.summaries.summarise": ("rates. ", "rates a b c.\n\n", "~[INST]"),
    "pipeline.machine_gate.by_machine": ("rates ", "in 2018 ", "asyncio.wait( "),
    "pipeline.witnesses.Witnesses": ("rates ",),
    "web.charset.decode": ("é", "<meta charset", "\x1b"),
    "web.pages.facts.links_of": ("<a href=/>", "<nav><a href=/>", "<a>"),
    "web.pages.facts.metas": ("<meta name=a content=b>",),
    "web.pages.facts.json_ld": ("<script type=ld+json>{}</script>",),
    "web.pages.facts.published_of": ("<p>5 May 2018</p>", "2018 "),
    "web.pages.facts.refresh_of": ("1", ";url="),
    "web.pages.facts.page_title": ("<i>a",),
    "web.pages.hidden.comments": ("<!--", "<!-- a b c d e f g h i j -->", "-->"),
    "web.pages.hidden.take_out": ("<b hidden>a</b>", "<b style=color:red>a</b>", "<noscript>a</noscript>"),
    "web.pages.style_sheet.outside_of": ("/*", "*/"),
    "web.pages.style_sheet.declared": ("a:b;", ";"),
    "web.pages.hiding.hides": (
        "<b style=color:red>a</b>",
        "<b style=opacity:1>a</b>",
        "<b class=w>a</b>",
        "<b class=w>",
        "<b class=x style=--o:1>a</b>",
        "<b class=x>",
        "<b style=color:var(--o)>",
    ),
    "web.pages.hiding_styles.is_hidden": (
        "1",
        "0",
        ("opacity(", "0", "x"),
        "rgba(",
        "translate(",
        ("rgba(", ",", ""),
        "calc(",
        "-1px ",
    ),
    "web.pages.style_sheet.sheet_of": (
        "{",
        "}",
        ".a{display:none}",
        ".a,",
        "a{width:1",
        "@media screen{",
        "/*",
        ("a{filter:opacity(", "0", "x}"),
        ".a1{opacity:var(--v1)}:root{--v1:1}",
        ".a1{opacity:var(--v)}:root{--v:1}",
        ".a{color:var(--v1)}.b1{--v1:red}",
        ".a.b1{color:#fff}.a.b1{background:#1}",
        ".a{--v1:var(--v)}.a .b1{color:red}",
        "a,.b1 ",
    ),
    "web.pages.variables.resolved": ("var(--a", "var(--a,", "var(--a)", "(", "()"),
    "web.pages.variables.used_in": ("var(--a", "var( "),
    "web.pages.markdown.tidy": ("\n", "\r", "\x00", "\u200b"),
    "web.pages.site_names.site_name_of": ("home ", ("a", " ", "b"), " logo\n"),
    "web.pages.site_names.titled": ("ice ",),
    "web.documents.csv_files.parse_csv": ('"', ",", '"a,', "a\n", '""'),
    "web.documents.emails.parse_email": ("a: b\n", "=?utf-8?q?", "--b\n"),
    "web.documents.html_blocks.html_blocks": ("<div>", "<table><tr><td>", "<li>", "<a><p>"),
    "web.documents.notebooks.notebook_of": ("[", '{"a":'),
    "web.documents.paragraphs.blocks_of": ("12 ", "a ", "($ ", "- "),
    "web.documents.subtitles.parse_subtitles": ("<", "{\\", "00:00:01.000 --> ", "1\n"),
    "web.sniff.sniff": ("<", "\x00"),
    "web.documents.data_series.data_series": ("|", " ", "\n"),
    "web.documents.text_files.parse_text": ("# #", ("# a", " #", "x\n"), "title:a\n", "<a>", "<"),
    "web.pages.tree.load_page": ("<p>", "&#1;", "<a b="),
    "web.pages.facts.base_of": ("a/", "../"),
    "web.pages.page_links.canonical_of": ("<link rel=canonical href=/b?c>", "<link rel=canonical href=b"),
    "web.pages.product_facts.product_of": ("1", "1,", "<", "&amp;", "1–"),
    "web.pages.authors.author_of": (
        "<b class=author>",
        "<b class=author>by </b>",
        "<a class=username></a>",
        "<b itemprop=author><b itemprop=name>",
        "by ",
    ),
    "web.pages.page_links.next_of": ("<a href=/b?page=2>next</a>", "<a rel=next href=/b/2>", "<a href=/b>next "),
    "web.pages.traps.is_trap": ("a/", "a b c. ", "A sentence that is long enough to count.\n", "qx "),
    "web.pages.verdicts.is_walled": ("subscribe to ",),
    "web.pages.verdicts.verdict": ("404 ",),
    "web.pages.marked_dates.scripted_date": ("published_at: ", "\\", "created"),
    "web.pages.marked_dates.marked_date": ("<time>", "<b itemprop=x>a"),
    "web.pages.marked_dates.pictured_date": ("2020", "20201007"),
    "web.pages.page_blocks.page_blocks": ("<code>a</code> ", "<p>a", "<a>a</a>", "<br>", "<div>a</div>"),
    "web.pages.block_heads.with_heads": (
        "<h2>a</h2>",
        "<dl><dt>a<dd>b",
        "<dt>a",
        "<table><tr><th>a<td>b</table>",
        "<header><h3>a</h3>",
    ),
    "web.pages.block_text.to_markdown": ("<li>a", "<ol><li>a", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "<br>"),
    "thinkers.extractive.prose.clean": (*_LINKS, *_BLANKS, "*", "`"),
    "thinkers.extractive.prose.is_prose": (*_BLANKS, "1 ", "A "),
}
"""What is made to hurt each of them: what its patterns could read again and again."""


def hurting(name: str) -> Iterator[Hurt]:
    """Yield what a function is tried with."""
    yield from dict.fromkeys((*COMMON, *HURTS.get(name, ())))


def text_of(hurt: Hurt, size: int) -> str:
    """Make a text of about `size` characters."""
    before, unit, behind = (hurt, hurt, "x") if isinstance(hurt, str) else hurt
    return f"{before}{unit * (size // len(unit))}{behind}"
