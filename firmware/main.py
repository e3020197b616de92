"""Started by the board after boot.py: first of all the interrupt character goes, so that no prompt can be reached."""

import micropython

micropython.kbd_intr(-1)

from sabot import app  # noqa: E402
from sabot.boards import pico2  # noqa: E402

app.run(pico2)
