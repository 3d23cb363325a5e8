"""A report in a terminal: Markdown drawn by rich, with headings at the left where the eye looks for them."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement
from rich.text import Text


class _Left(Heading):
    """A heading that stands where a line starts, not in the middle and in no box."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it, with room above."""
        del console, options
        self.text.justify = "left"
        if self.tag == "h1":
            self.text.stylize("bold")
        yield Text("")
        yield self.text


class _Report(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "heading_open": _Left}


def drawn(text: str) -> Markdown:
    """The report, ready to print; links can be followed where the terminal knows how."""
    return _Report(text, hyperlinks=True)
