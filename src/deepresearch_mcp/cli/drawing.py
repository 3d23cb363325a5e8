"""Renders a report for a terminal with rich: headings aligned left, tables that no line is lost of."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement, TableElement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.theme import Theme


class _Left(Heading):
    """A heading that is aligned left, not centred or boxed."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the heading with an empty line above."""
        del console, options
        self.text.justify = "left"
        if self.tag == "h1":
            self.text.stylize("bold")
        yield Text("")
        yield self.text


_THEME = Theme({"markdown.code": "cyan"})
_COLUMN = 18
"""Characters that a column needs at least, so that its cells are read as lines and not word by word."""


class _Table(TableElement):
    """A table with a line between its rows; one with more columns than fit is listed row by row."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the table, or, where a column would be too narrow, a list for each row."""
        heads = [cell.content for cell in self.header.row.cells] if self.header and self.header.row else []
        rows = [[cell.content for cell in row.cells] for row in (self.body.rows if self.body else ())]
        # Two columns fit beside each other at any width.
        if len(heads) > 2 and sum(map(_needed, zip(*rows, strict=False))) + 2 * len(heads) > options.max_width:
            yield from _listed(heads, rows)
            return
        table = Table(
            box=box.SIMPLE_HEAD, pad_edge=False, style="markdown.table.border", show_lines=any(map(_is_long, rows))
        )
        for head in heads:
            table.add_column(Text.assemble(head, style="markdown.table.header"), overflow="fold")
        for row in rows:
            table.add_row(*row)
        yield table


def _needed(column: Iterable[Text]) -> int:
    return min(_COLUMN, max(len(cell) for cell in column))


def _is_long(row: Iterable[Text]) -> bool:
    return any(len(cell) > 2 * _COLUMN for cell in row)


def _listed(heads: Sequence[Text], rows: Sequence[Sequence[Text]]) -> RenderResult:
    for row in rows:
        yield Text("")
        yield Text.assemble(row[0], style="bold")
        for head, cell in zip(heads[1:], row[1:], strict=False):
            yield Padding(Text.assemble((f"{head}: ", "markdown.table.header"), cell), (0, 0, 0, 2))
    yield Text("")


class _Report(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Left,
        "table_open": _Table,
    }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the report with code in a colour that suits light and dark terminals."""
        with console.use_theme(_THEME):
            yield from super().__rich_console__(console, options)


def drawn(text: str) -> Markdown:
    """Return the report ready to print, with hyperlinks for terminals that support them."""
    return _Report(text, hyperlinks=True)
