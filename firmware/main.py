"""Started by the board after boot.py: first of all the interrupt character goes, so that no prompt can be reached.

While modules load and parts are made, garbage is collected early: what stays would else come to lie between it, and a
full heap would be one of small holes. ``app`` ends that when it serves.
"""

import gc

import micropython

micropython.kbd_intr(-1)
gc.threshold(16384)

from sabot import app  # noqa: E402
from sabot.boards import pico2  # noqa: E402

app.run(pico2)
