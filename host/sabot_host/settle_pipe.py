"""Settle rounds on the controller's interpreter. Not imported: `settle_device` runs it with MicroPython.

One line on standard input, one answer on standard output, by the same `sabot.rules.wireform` as the host's.
"""

import sys

from sabot.rules.wireform import answer


def main() -> None:
    """Answer line by line until the input ends."""
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            return
        text, _ = answer(line.rstrip(b"\n"))
        sys.stdout.write(text + "\n")


main()
