"""Knows what really happened at the table, and judges what the journal says of it.

Entry point: :class:`hwsim.fuzz.bookkeeper.books.Bookkeeper`. It sees motions, presses and cards as they were, the
instants at which antennas were visited, and the journal's records by name; it shares no code with the firmware.
"""
