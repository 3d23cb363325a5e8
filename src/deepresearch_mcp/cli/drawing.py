"""Renders a report for a terminal with rich, with headings aligned left."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement
from rich.text import Text


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


class _Report(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "heading_open": _Left}


def drawn(text: str) -> Markdown:
    """Return the report ready to print, with hyperlinks for terminals that support them."""
    return _Report(text, hyperlinks=True)
