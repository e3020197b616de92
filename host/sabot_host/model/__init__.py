"""The reference model: the three state machines of a round, built with `transitions` from the firmware's own tables.

Entry points: `machines.build` (one machine), `replay.Model` and `replay.replay` (a whole journal; the first record that
does not fit is named).
"""
