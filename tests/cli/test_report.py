import json
import os
import subprocess
import sys


def test_a_report_comes_as_markdown_page_or_object(after_demo, shown):
    run_id = shown.run["run_id"]

    page = after_demo("report", run_id, "--format", "html").out

    assert after_demo("report", run_id).out == shown.run["report"]
    assert after_demo("report", run_id, "--format", "json").json == shown.run
    assert after_demo("report", run_id, "--json").json == shown.run
    assert page.startswith("<!doctype html>")
    assert '"texts":{' in page
    assert "color-scheme: light dark" in page
    # Its own script alone, known by its hash; nothing is loaded from anywhere.
    assert "script-src 'sha256-" in page
    assert "default-src 'none'" in page
    assert " src=" not in page.split("<body", 1)[0]


def test_a_report_is_written_in_the_form_of_its_file(after_demo, shown, tmp_path):
    run_id = shown.run["run_id"]
    places = {name: tmp_path / f"r.{name}" for name in ("md", "html", "json", "docx", "pdf", "bib")}

    said = [after_demo("report", run_id, "-o", str(place)) for place in places.values()]
    object_ = after_demo("report", run_id, "-o", str(places["md"]), "--json").json

    assert [one.out for one in said] == [""] * 6
    assert f"Written to {places['md']}" in said[0].err
    assert places["md"].read_text(encoding="utf-8") == shown.run["report"]
    assert places["html"].read_text(encoding="utf-8").startswith("<!doctype html>")
    assert json.loads(places["json"].read_text(encoding="utf-8")) == shown.run
    assert object_ == {"run_id": run_id, "format": "md", "path": str(places["md"])}
    assert places["docx"].read_bytes().startswith(b"PK")
    assert places["pdf"].read_bytes().startswith(b"%PDF-")
    assert places["bib"].read_text(encoding="utf-8").startswith("@misc{")


def test_a_place_that_cannot_be_written_is_bad_input(after_demo, shown, tmp_path):
    for place in (tmp_path, tmp_path / "nowhere" / "r.md"):
        said = after_demo("report", shown.run["run_id"], "--output", str(place))
        assert said.code == 2
        assert "cannot be written" in said.err


def test_a_report_is_opened_as_a_page_in_the_browser(shown, tmp_path):
    seen, place = tmp_path / "seen", tmp_path / "report.html"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    browser.chmod(0o700)
    command = [sys.executable, "-m", "deepresearch_mcp", "report", "last", "--open", "-o", str(place)]
    env = os.environ | {"DEEPRESEARCH_HOME": str(shown.home), "BROWSER": f"{browser} %s"}

    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    assert seen.read_text().strip() == place.as_uri()
    assert place.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_only_a_page_can_be_opened(after_demo, shown, tmp_path):
    said = after_demo("report", shown.run["run_id"], "--open", "--format", "md")

    assert said.code == 2
    assert "--open shows a page" in said.err
