"""Standard input and output, kept for the protocol before anything is imported that could print or read.

Nothing is imported here but what Python has loaded anyway.
"""

import os


def take_wire() -> int:
    """Keep standard output for the protocol: return a duplicate of it, and point descriptor 1 at standard error.

    From here on whatever prints, in this process or in a child of it, prints to standard error. Call it before
    anything is imported that could print.
    """
    wire = _above_standard(1)
    try:
        os.dup2(2, 1)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
    return wire


def take_input() -> int:
    """Keep standard input for the protocol: nothing else in this process, nor a child of it, reads from it."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    try:
        source = _above_standard(0)
    except OSError:  # Started without one: it has ended.
        return nowhere
    os.dup2(nowhere, 0)
    os.close(nowhere)
    return source


def _above_standard(descriptor: int) -> int:
    """A duplicate that has none of the numbers which mean something to others."""
    made, low = os.dup(descriptor), list[int]()
    while made < 3:  # We were started without standard input or error.
        low.append(made)
        made = os.dup(descriptor)
    for one in low:
        os.close(one)
    return made
