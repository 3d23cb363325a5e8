"""Check what was changed: `make check`, after format and lint. Types and tests of the changed files, in a minute.

Changed is what differs from the main branch; on the main branch itself, what differs from the last commit.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/deepresearch_mcp/"
ALWAYS = ("tests/test_house.py",)
"""Rules that any change can break."""
ELSEWHERE = {
    "tools/bench.py": "tests/test_bench.py",
    "tools/install.py": "tests/test_user_install.py",
    "tools/lock.py": "tests/test_locks.py",
    "tools/server_json.py": "tests/test_registry.py",
    "Makefile": "tests/test_check.py",
    "CONTRIBUTING.md": "tests/test_check.py",
    "Dockerfile": "tests/test_dockerfile.py",
}
"""Files whose test has another name."""
SECONDS = 50.0
"""For types and tests together; format and lint come before."""


def git(*arguments: str, root: Path = ROOT) -> list[str]:
    """The lines that git answers; none where it refuses."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607 - git, as the user has it
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed(root: Path = ROOT) -> list[str]:
    """Files that differ from the main branch, or from the last commit where they are the same, and new ones."""
    head = git("rev-parse", "HEAD", root=root)
    base = git("merge-base", "HEAD", "main", root=root) or head
    new = git("ls-files", "--others", "--exclude-standard", root=root)
    found = {*git("diff", "--name-only", "--diff-filter=d", *base, root=root), *new}
    if not found and base == head:
        found = set(git("diff", "--name-only", "--diff-filter=d", "HEAD~1", root=root))
    return sorted(found)


def modules_for(files: Iterable[str], root: Path = ROOT) -> list[str]:
    """The test modules of files, by their names: `src/deepresearch_mcp/llm/client.py` → `tests/llm/test_client.py`."""
    found = dict.fromkeys(ALWAYS)
    for file in files:
        path = Path(file)
        if path.name.startswith("test_") and file.startswith("tests/"):
            found[file] = None
        elif file in ELSEWHERE:
            found[ELSEWHERE[file]] = None
        elif file.startswith(PACKAGE) and path.suffix == ".py":
            found[f"tests/{path.parent.relative_to(PACKAGE).as_posix()}/test_{path.name}".replace("/./", "/")] = None
        elif path.suffix == ".py" and path.parts[0] in {"tools", "bundle"}:
            found[f"tests/test_{path.name}"] = None
        elif path.suffix == ".md" or path.parts[0] == ".github":
            found["tests/test_names.py"] = None
    return [file for file in found if (root / file).is_file()]


def run(title: str, command: list[str], seconds: float) -> int:
    """Run a program in view of the user; its exit code, or 0 where the time was up, which is then said."""
    print(f"==> {title}", flush=True)
    # A session of its own, so that what it has started ends with it.
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True) as started:  # noqa: S603 - tools of .venv
        try:
            return started.wait(max(1.0, seconds))
        except subprocess.TimeoutExpired:
            print(f"Not finished after {seconds:.0f} s: {title}. `make test` checks them all.", flush=True)
            return 0
        finally:
            end(started)


def end(started: subprocess.Popen[bytes]) -> None:
    """End a program with all that it has started."""
    if os.name == "nt":
        started.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(started.pid, signal.SIGKILL)


def main() -> int:
    """Check the changed files; the exit code."""
    until = monotonic() + SECONDS
    files = changed()
    typed = [file for file in files if file.startswith(PACKAGE) and file.endswith(".py")]
    tests = modules_for(files)
    programs = Path(sys.executable).parent
    if typed and (code := run(f"types of {len(typed)} files", [str(programs / "pyright"), *typed], SECONDS / 2)):
        return code
    command = [str(programs / "pytest"), "-q", "-x", *(["-n", "auto"] if len(tests) > 3 else []), *tests]
    return run(f"tests: {len(tests)} files", command, until - monotonic())


if __name__ == "__main__":
    sys.exit(main())
