"""The acceptance test of a table: what it says by itself, and what a technician does with it.

Entry points: `bench` (the table under test), `unattended`, `self_test`, `antennas`, `panel` (the tests), `report` (what
came out).
"""
