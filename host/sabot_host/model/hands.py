"""Numbers of hands in a journal, as in `sabot.wire.records`: bits 2:0 the seat, 0 the dealer; bits 4:3 the part.

Entry points: `DEALER`, `SEAT`, `LATER`, `WAR`.
"""

DEALER = 0
SEAT = 7
"""mask of the bits that say whose it is"""
LATER = 8
"""added to a number: the cards dealt or shown after the first ones"""
WAR = 16
"""added to a seat's number: the dealer's card in the war with it"""
