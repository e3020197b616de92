"""The fuzz of the whole table, and firmware that it must not pass."""
