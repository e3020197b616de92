"""The power goes at each byte that a whole round of a game stores: what is left, opened, must be whole.

Entry points: :mod:`tests.cuts.life` (a round and everything it wrote), :mod:`tests.cuts.images` (the journal's own
recovery of what a cut leaves, and of a cut in that recovery), :mod:`tests.cuts.boots` (the whole firmware's),
:mod:`tests.cuts.long` (all of it, by hand, into results/power_cuts.json).
"""
