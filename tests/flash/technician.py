"""A technician at a simulated table who does what `sabot diag` asks for. Entry point: :func:`act`."""

from __future__ import annotations

import re

from hwsim.table import SimTable

KEYS = {"RIEN NE VA PLUS": "rnvp", "DÉVOILER": "devoiler"}
CENTS = 2500


def act(table: SimTable, words: str) -> None:
    """Do what the words ask for."""
    if laid := re.match(r"seat (\d): lay one chip on each of: (.*)", words):
        for bet in laid[2].split(", "):
            table.place(int(laid[1]), bet, CENTS)
    elif taken := re.match(r"seat (\d): take the chips away", words):
        for seat, bet in table.spots:
            if seat == int(taken[1]):
                table.clear(seat, bet)
    elif pressed := re.match("press ([^:]*)", words):
        table.press(KEYS.get(pressed[1], pressed[1].lower()))
