"""Reads the report templates of this package, and those that a user keeps in a folder."""

from deepresearch_mcp.named_files import NamedFiles
from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.records.specs import TEMPLATE_NAMES

_TEMPLATES = NamedFiles(
    "report template", "research.templates_dir", "deepresearch_mcp.report_templates", TEMPLATE_NAMES, ReportTemplate
)


def open_template(name: str, folder: str = "") -> ReportTemplate:
    """Return a template: the file NAME.toml of the user's folder if it has one, else the package's own.

    The empty name is that of no template.

    Raises:
        InvalidRequest: There is no template of this name.
        SettingsError: The file cannot be read or used; the error names the wrong key and what to do.
    """
    return _TEMPLATES.open(name, folder) if name else ReportTemplate()
