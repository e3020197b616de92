"""A release: what is installed on a board, as one file.

Entry points: :mod:`.bundle` (the file), :mod:`.manifest` (what is in it), :mod:`.image` (the board's file system),
:mod:`.join` (MicroPython's UF2 with that file system in it), :mod:`.make` (all of it from the sources).
"""
