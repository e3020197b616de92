"""Started by the board after boot.py: first of all the interrupt character goes, so that no prompt can be reached.

A board that has no configuration has no key and no table either: main.py ends there, and the prompt that the board then
shows is what it is provisioned through. From the first start with a configuration on nothing shows it again but a
technician's command (``sabot.boards.pico2.prompt``), which no sealed controller obeys: once, until the next start.

While modules load and parts are made, garbage is collected early: what stays would else come to lie between it, and a
full heap would be one of small holes. ``app`` ends that when it serves.
"""

import gc
import os

import micropython

micropython.kbd_intr(-1)

files = os.listdir()
if "prompt" in files:
    os.remove("prompt")
elif "config.json" in files:
    gc.threshold(16384)
    from sabot import app
    from sabot.boards import pico2

    app.run(pico2)
