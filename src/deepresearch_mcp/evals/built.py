"""Builds cited texts from a known structure, which a parser of citations must recover."""

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.references import references
from deepresearch_mcp.pipeline.report_frame import markdown
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.report import Section, Sentence
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.urls import normalise_url


@dataclass(frozen=True, slots=True)
class Built:
    """A text and the structure from which it was built."""

    form: str
    """The form of its marks and its list, for messages."""
    text: str
    statements: tuple[tuple[str, tuple[str, ...]], ...]
    """Each statement with the addresses that it cites; an empty address stands for a mark without a reference."""
    unused: frozenset[str]
    """Addresses of references that no mark cites."""


def found_again(built: Built) -> bool:
    """Whether the parser recovers exactly the structure from which the text was built."""
    found = parse_cited_text(built.text)
    statements = tuple(
        (one.text, tuple(normalise_url(mark.url) if mark.url else "" for mark in one.marks)) for one in found.statements
    )
    wanted = tuple((text, tuple(normalise_url(url) if url else "" for url in urls)) for text, urls in built.statements)
    unused = {normalise_url(one.url) for one in found.unused}
    return statements == wanted and unused == {normalise_url(url) for url in built.unused}


_SAID: Mapping[str, Sequence[str]] = {
    "en": (
        "The lake of {name} held {n} boats in {year}.",
        "In {year} the town of {name} counted {n} houses with gardens.",
    ),
    "de": (
        "Der See bei {name} trug im Jahr {year} genau {n} Boote.",
        "Die Stadt {name} zählte {year} etwa {n} Häuser.",
    ),
    "fr": ("Le lac de {name} portait {n} bateaux en {year}.", "La ville de {name} comptait {n} maisons en {year}."),
    "zh": ("{year}年{name}湖上共有{n}艘小船停靠。", "{year}年{name}镇统计了{n}座带花园的房屋。"),
}
_NAMES = {"zh": ("安宁", "长河", "平川", "东石"), "": ("Arvald", "Benholm", "Corrin", "Dunmore", "Elsby")}
_HEADINGS = {
    "en": ("## References", "### Sources", "**Sources:**", "## 7. Works cited", "References:"),
    "de": ("## Quellen", "## Literaturverzeichnis"),
    "fr": ("## Références", "### Sources"),
    "zh": ("## 参考文献", "## 六、参考资料", "**来源：**"),
}
_MARKS: Mapping[str, Callable[[Sequence[str]], str]] = {
    "[1][2]": lambda keys: "".join(f"[{key}]" for key in keys),
    "[1, 2]": lambda keys: f"[{', '.join(keys)}]",
    "[1] [2]": lambda keys: " ".join(f"[{key}]" for key in keys),
    "【1】": lambda keys: "".join(f"【{key}】" for key in keys),
    "【1†source】": lambda keys: "".join(f"【{key}†source】" for key in keys),
    "[^1]": lambda keys: "".join(f"[^{key}]" for key in keys),
    "<sup>1</sup>": lambda keys: "".join(f"<sup>{key}</sup>" for key in keys),
    "\\[1\\]": lambda keys: "".join(f"\\[{key}\\]" for key in keys),
}
_ENTRIES: Mapping[str, str] = {
    "[1] T, U": "[{key}] {title}, {url}",
    "[1] U - T": "[{key}] {url} - {title}",
    "[1]: U": "[{key}]: {url}",
    "1. T U": "{key}. {title} {url}",
    "1. [T](U)": "{key}. [{title}]({url})",
    "- [1] T: U": "- [{key}] {title}: {url}",
    "[1] T / U": "[{key}] {title}\n{url}",
    "(1) T. U": "({key}) {title}. {url}",
    "【1】T：U": "【{key}】{title}：{url}",
}
_PLACES = ("inside", "behind", "item", "row")
"""Position of the marks: before the full stop, after it, at the end of a list item, in the last cell of a row."""


def constructed(seed: int = 7) -> Iterator[Built]:
    """Yield texts in every mark form × entry form × language, with the places of marks in turn; fixed by `seed`."""
    dice = random.Random(seed)  # noqa: S311 - nothing here is secret
    turn = 0
    for mark_form, mark in _MARKS.items():
        for entry_form, entry in _ENTRIES.items():
            for language in _SAID:
                turn += 1
                yield _text(dice, language, (mark_form, mark), (entry_form, entry), _PLACES[turn % len(_PLACES)])


def linked(seed: int = 11) -> Iterator[Built]:
    """Yield texts that cite only by links, in five forms."""
    dice = random.Random(seed)  # noqa: S311 - nothing here is secret
    forms = ("([{site}]({url}))", "[[{n}]]({url})", "[{n}]({url})", "({url})", '<a href="{url}">[{n}]</a>')
    for form in forms:
        for language in _SAID:
            statements: list[tuple[str, tuple[str, ...]]] = []
            lines: list[str] = []
            for n in range(1, 7):
                said, url = _sentence(dice, language), _url(n)
                cited = n % 3 != 0
                link = form.format(site=f"s{n}.example", url=url, n=n)
                lines.append(_with(said, f" {link}" if cited else "", "inside"))
                statements.append((said, (url,) if cited else ()))
            yield Built(f"{form} {language}", "\n\n".join(lines), tuple(statements), frozenset())


def _text(
    dice: random.Random,
    language: str,
    mark: tuple[str, Callable[[Sequence[str]], str]],
    entry: tuple[str, str],
    place: str,
) -> Built:
    references = {str(n): _url(n) for n in range(1, 9)}
    listed = list(references)
    unused = set(listed)
    statements: list[tuple[str, tuple[str, ...]]] = []
    lines: list[str] = []
    for n in range(8):
        said = _sentence(dice, language)
        keys = sorted(dice.sample(listed, dice.choice((1, 1, 2))), key=int) if n % 3 else []
        if n == 4 and mark[0] not in {"<sup>1</sup>", "\\[1\\]"}:
            # The other two forms cannot dangle: they count only if a reference has their number.
            keys = [*keys, "77"]
        unused -= set(keys)
        lines.append(_with(said, mark[1](keys) if keys else "", place))
        statements.append(
            (said.rstrip("。.") if place == "row" else said, tuple(references.get(key, "") for key in keys))
        )
    title = {"item": "- ", "row": ""}.get(place, "")
    body = ("\n" if place in {"item", "row"} else "\n\n").join(f"{title}{line}" for line in lines)
    if place == "row":
        body = f"| A | B |\n|---|---|\n{body}"
    entries = "\n".join(entry[1].format(key=key, title=f"Page {key}", url=url) for key, url in references.items())
    text = f"# A\n\n{body}\n\n{dice.choice(_HEADINGS[language])}\n\n{entries}\n"
    form = f"{mark[0]} · {entry[0]} · {place} · {language}"
    return Built(form, text, tuple(statements), frozenset(references[key] for key in unused))


def _with(said: str, marks: str, place: str) -> str:
    stop = said[-1]
    if place == "row":
        return f"| {said[:-1]} | {marks} |"
    if not marks:
        return said
    # Without a blank: a mark separated from the stop would also close earlier sentences of its paragraph.
    return f"{said}{marks}" if place == "behind" else f"{said[:-1]}{marks if marks[0] == ' ' else f' {marks}'}{stop}"


def _sentence(dice: random.Random, language: str) -> str:
    name = dice.choice(_NAMES.get(language, _NAMES[""]))
    form = dice.choice(_SAID[language])
    return form.format(name=name, n=dice.randint(20, 900), year=dice.randint(1801, 1999))


def _url(n: int) -> str:
    return f"https://s{n}.example/{'p' * n}?q={n}"


def own_reports(seed: int = 3, number: int = 20) -> Iterator[Built]:
    """Yield reports made by our own renderer from sentences, claims and documents."""
    dice = random.Random(seed)  # noqa: S311 - nothing here is secret
    for turn in range(number):
        language = list(_SAID)[turn % len(_SAID)]
        claims: dict[str, Claim] = {}
        documents: dict[str, Document] = {}
        sections: list[Section] = []
        said = [_sentence(dice, language) for _ in range(9)]
        for n, sentence in enumerate(said):
            document = _document(n % 5, sentence, documents)
            claims[f"c{n}"] = _claim(n, sentence, document)
        written = [Sentence(text=one, claim_ids=(f"c{n}",)) for n, one in enumerate(said)]
        numbering = Numbering(claims, documents, written)
        cites: dict[str, tuple[str, ...]] = {}
        for first in range(0, len(said), 3):
            text = numbering.paragraph(written[first : first + 3])
            sections.append(Section(heading=f"Part {first}", markdown=text))
        citations = numbering.citations()
        for citation in citations:
            cites[citation.claim_ids[0]] = (citation.link,)
        sections.append(references(citations, documents))
        text = markdown("A report", sections, "Evidence: none  \nCost: $0.00")
        statements = tuple((sentence, cites[f"c{n}"]) for n, sentence in enumerate(said))
        yield Built(f"our own report · {language}", text, statements, frozenset())


def _document(n: int, sentence: str, documents: dict[str, Document]) -> Document:
    name = f"s{n:012d}"
    before = documents.get(name)
    text = f"{before.text}\n\n{sentence}" if before else sentence
    documents[name] = Document(
        source_id=name,
        url=_url(n + 1),
        requested_url=_url(n + 1),
        title=f"Page {n} [draft] *new*",
        site="s.example",
        snapshot=hashlib.sha256(name.encode()).hexdigest(),
        length=len(text),
        read_at=datetime(2026, 1, 2, tzinfo=UTC),
        text=text,
    )
    return documents[name]


def _claim(n: int, sentence: str, document: Document) -> Claim:
    start = document.text.rindex(sentence)
    quote = Quote(
        source_id=document.source_id,
        snapshot=document.snapshot,
        start=start,
        end=start + len(sentence),
        text=sentence,
    )
    return Claim(claim_id=f"c{n}", sub_question="q1", text=sentence, quotes=(quote,), verdict="supported")
