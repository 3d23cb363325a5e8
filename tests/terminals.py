"""A terminal at which somebody sits: a command is run there, and a line typed at each prompt."""

import os
import pty
import re
import select
import subprocess
from collections.abc import Mapping, Sequence

from deepresearch_mcp.system_clock import SystemClock


def typed_at(command: Sequence[str], lines: Mapping[str, str], env: Mapping[str, str]) -> tuple[int, str]:
    """Type each line when its prompt ends what is shown; the exit code, and all that was shown."""
    master, terminal = pty.openpty()
    left = dict(lines)
    clock = SystemClock()
    began, shown = clock.monotonic(), ""
    with subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, env=dict(env), start_new_session=True
    ) as child:
        os.close(terminal)
        while clock.monotonic() - began < 60:
            if not select.select([master], [], [], 1.0)[0]:
                continue
            try:
                shown += os.read(master, 65_536).decode(errors="replace")
            except OSError:
                break
            plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)
            if prompt := next((prompt for prompt in left if plain.endswith(prompt)), None):
                os.write(master, f"{left.pop(prompt)}\n".encode())
        code = child.wait(timeout=30)
    os.close(master)
    return code, re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).replace("\r\n", "\n")
