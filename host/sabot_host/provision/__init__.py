"""Commissioning a table: its settings, keys and deck, from a file of the house onto a board.

Entry points: :mod:`.house` (the file), :mod:`.template` and :mod:`.dialogue` (how it comes to be), :mod:`.keys` (key
files), :mod:`.deck` (the list of cards), :mod:`.board` (onto the board), :mod:`.sheet` (what is printed and signed).
"""
