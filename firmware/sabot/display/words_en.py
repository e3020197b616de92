"""Words of the dealer's display in English. Entry point: ``GROUPS``, searched by `words.say`; see there."""

# Phases of the table and of the round
_PH = """
closed|TABLE CLOSED
opening|OPENING TABLE
closing|CLOSING TABLE
idle|TABLE WAITING
shuffle|SHUFFLE
shoe|SHOE CHANGE
bet|PLACE YOUR BETS
last|LAST BETS
lock|NO MORE BETS
deal|DEALING
decide|DECISIONS
reveal|SHOW DEALER HAND
show_p|SHOW S{p}
settle|TAKE AND PAY
end|END OF ROUND
susp|ROUND SUSPENDED
void|VOID: RETURN BETS
last_hand|LAST ROUND
maint|MAINTENANCE
"""

# People, places, things
_W = """
round|ROUND No {n}
"""

# Decisions
_D = """
play|PLAYS S{p}
fold|FOLD S{p}
"""

# Prompts to the dealer, one action each
_P = """
sign|YOUR BADGE PLEASE
deal|CARD TO S{p}
dealb|CARD TO DEALER
pay|S{p} {b} PAY {m}
take|S{p} {b} TAKE
leave|S{p} {b} PUSH
half|S{p} {b} TAKE HALF
fix_ratio|S{p} PLAY = {m}
fix_max|S{p} {b} MAX {m}
fix_min|S{p} {b} MIN {m}
missing|S{p} {b} MISSING
next|S{p} NEXT ROUND
early|S{p} TOO EARLY
back|S{p} PUT BET BACK
doubt|S{p} {b} DOUBT {m}
yesno|YES=VALID NO=REFUSE
sup|CALL SUPERVISOR
nopay|S{p} DO NOT PAY
reason|REASON?
"""

# Irregularities
_I = """
swap|S{p} {b} CHANGED
amb|S{p} {b} AMBIGUOUS
noante|S{p} PLAY NO ANTE
foreign|S{p} UNKNOWN CHIP
unread|S{p} {b} UNREADABLE
early_card|CARD BEFORE CALL
noread|CARD NOT READ
two|TWO CARDS
back|CARD PUSHED BACK
exposed|EXPOSED CARD
wrongseat|CARD MISPLACED
alien|ALIEN CARD
dup|DUPLICATE CARD
count|WRONG CARD COUNT
overpay|S{p} {b} OVERPAID
underpay|S{p} {b} UNDERPAID
left|S{p} {b} NOT TAKEN
took|S{p} {b} GIVE BACK
"""

# Faults of the equipment
_F = """
reader|READER {k} FAULT
seat|S{p} OUT OF SERVICE
shoe|SHOE JAM
lid|LID OPEN
case|CASE OPEN
clock|CLOCK INVALID
jhalf|JOURNAL AT 50 %
jfull|JOURNAL FULL
link|LINK LOST
integ|INTEGRITY FAILED
key|STUCK KEY
"""

# Staff, float and shift
_S = """
relief|DEALER RELIEF
"""

# Of the pages themselves: short forms for cells of ten characters, and what the other groups have no words for
_X = """
surrender|S{p} HALF
return|S{p} RETURN {m}
ratio|S{p} {b} = {m}
limit|S{p} {b} OFF LIMITS
internal|INTERNAL FAULT
next|FIN=NEXT
french|FRANÇAIS
english|ENGLISH
discard|CHECK THE DISCARDS
"""

GROUPS = {"ph": _PH, "w": _W, "d": _D, "p": _P, "i": _I, "f": _F, "s": _S, "x": _X}
