import json
import subprocess
import sys

SCRIPT = """
import logging
from deepresearch_mcp.mcp_server.logs import to_stderr

to_stderr("info")
logging.getLogger("deepresearch_mcp").info("of ours")
logging.getLogger("httpx2").info("of a library")
logging.getLogger("httpx2").warning("worth knowing")
"""


def test_the_log_goes_to_standard_error_and_libraries_chatter_nowhere(child_env: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=child_env, capture_output=True, text=True, check=True)

    assert done.stdout == ""
    assert "INFO deepresearch_mcp: of ours" in done.stderr
    assert "of a library" not in done.stderr
    assert "WARNING httpx2: worth knowing" in done.stderr


JSON = """
import logging
from deepresearch_mcp.mcp_server.logs import as_set, to_stderr
from deepresearch_mcp.settings.schema import Settings

to_stderr("info")
as_set(Settings.model_validate({"logs": {"format": "json"}, "model": {"openai_key": "sk-planted"}}))
logging.getLogger("deepresearch_mcp").info("asked with %s", "sk-planted")
"""


def test_with_the_setting_each_line_is_an_object_and_the_keys_of_the_settings_are_in_none(
    child_env: dict[str, str],
) -> None:
    done = subprocess.run([sys.executable, "-c", JSON], env=child_env, capture_output=True, text=True, check=True)

    assert json.loads(done.stderr)["message"] == "asked with ***"
