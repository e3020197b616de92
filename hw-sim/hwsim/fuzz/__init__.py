"""People who play and cheat at a whole simulated table, and a bookkeeper who knows what really happened there.

Entry points: :class:`hwsim.fuzz.game.Play` (rounds from a seed), :class:`hwsim.fuzz.bookkeeper.Bookkeeper` (judges the
journal). Nothing here imports the firmware, its rules or its tables: paytables and procedure are written out again.
"""
