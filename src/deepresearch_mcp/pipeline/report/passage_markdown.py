"""The passages of a digest as Markdown: quotations in the page's own words, each with its mark."""

from collections.abc import Iterator, Sequence

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.records.report import Block
from deepresearch_mcp.text.markdown import escape


def passages(blocks: Sequence[Block], numbering: Numbering) -> Iterator[str]:
    """Yield the Markdown of each block of kind `passage`: its title, then its words as a quotation."""
    for block in blocks:
        if block.kind != "passage":
            continue
        if block.title:
            yield f"### {escape(' '.join(block.title.split()))}"
        for row in block.rows:
            text = numbering.paragraph(row)
            yield "\n".join(f"> {line}".rstrip() for line in text.splitlines())
