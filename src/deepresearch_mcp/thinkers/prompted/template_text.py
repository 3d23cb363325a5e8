"""How a report template is told to those who plan and write."""

from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.report_template import ReportTemplate


def for_planner(template: ReportTemplate) -> str:
    """The kind of report and what its sections hold, so that it is researched; empty without a template."""
    if not template.name:
        return ""
    parts = "; ".join(
        f"{one_line(one.heading)} ({one_line(one.holds).rstrip(' .')})" if one.holds else one_line(one.heading)
        for one in template.sections
    )
    return f"{one_line(template.title) or template.name}{f', whose sections are: {parts}' if parts else ''}"


def for_writers(template: ReportTemplate) -> list[str]:
    """The form of the report, a line each; none without a template."""
    if not template.name:
        return []
    title = one_line(template.title) or template.name
    lines = [f"Form of the report: the user wants a {title}. {one_line(template.note)}".rstrip()]
    if template.sections:
        lines.append(
            "Its sections, in this order and under these headings in the language of the report, which goes before what"
            " is said elsewhere on number and order of sections; one for which there is no fact is left out:"
        )
    for number, one in enumerate(template.sections, 1):
        form = f" [{one.form}]" if one.form else ""
        lines.append(f"{number}. {one_line(one.heading)}{form}{f': {one_line(one.holds)}' if one.holds else ''}")
    return lines
