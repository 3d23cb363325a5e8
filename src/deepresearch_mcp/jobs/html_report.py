"""A finished report as one HTML page that loads nothing and runs nothing."""

from html import escape

from deepresearch_mcp.records.run import Run

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
body { overflow-wrap: break-word; }
h1, h2 { line-height: 1.25; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8888; padding: .2rem .6rem; text-align: left; }
hr { border: 0; border-top: 1px solid #8888; }
"""


def page_of(run: Run) -> str:
    """The page; whatever a source wrote stays text, as raw HTML is switched off and scripts are forbidden."""
    from markdown_it import MarkdownIt

    body: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(run.report)
    language = run.provenance.request.get("language", "") if run.provenance else ""
    return (
        f"<!doctype html>\n<html{f' lang={chr(34)}{escape(str(language))}{chr(34)}' if language else ''}>\n<head>\n"
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(run.question[:200])}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
