"""The hardware of a Sabot table, byte for byte, in front of the unmodified firmware.

Entry points: ``hwsim.core`` (clock, event queue, lines: what every chip model builds on), ``hwsim.chips`` (one chip
model a module, written from data-sheet facts alone), ``hwsim.fabric`` (the far end of the firmware's ``machine``
module), ``hwsim.table`` (a whole table, wired).
"""
