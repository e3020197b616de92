"""Words of the dealer's display in English. Entry points: ``GROUPS`` and, seldom said, ``MORE``; see `words`."""

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
unruled|POWER CUT: TO RULE
"""

# Faults of the equipment
_F = """
reader|READER {k} FAULT
shoe_unsteady|SHOE UNSTEADY
reader_unsteady|READER {k} UNSTEADY
seat|S{p} OUT OF SERVICE
shoe|SHOE JAM
lid|LID OPEN
case|CASE OPEN
clock|CLOCK INVALID
journal_half|JOURNAL AT 50 %
journal_full|JOURNAL FULL
link|LINK LOST
configuration|INTEGRITY FAILED
key|STUCK KEY
task|INTERNAL FAULT
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

# --- what is seldom said ----------------------------------------------------------------------------------------------

# Phases of the table and of the round
_MORE_PH = """
cut|CUT
decided|DECISIONS CLOSED
deal2|SECOND DEAL
war|WAR
resume|RESUMING
"""

# Bets and spots
_MORE_B = """
ante|ANTE
play|PLAY
pair_plus|PAIR PLUS
aces_up|ACES UP
queens_up|QUEENS UP
super|SUPER BONUS
ante_bonus|ANTE BONUS
initial|INITIAL BET
tie|TIE BET
war|WAR BET
first|FIRST BET
second|SECOND BET
bonus|BONUS
three|THREE-CARD BET
five|FIVE-CARD BET
seven|SEVEN-CARD BET
toke|DEALER TIP S{p}
promo|PROMO/COUPON S{p}
manual|KEYED BET S{p}
"""

# People, places, things
_MORE_W = """
dealer|DEALER
bank|BANK
sup|SUPERVISOR
pit|PIT
mgr|SHIFT MANAGER
surv|SURVEILLANCE
sec|SECURITY
tech|TECHNICIAN
aud|AUDITOR
seat|SEAT {p}
spot|SPOT
chip|CHIP
plaque|PLAQUE
tray|FLOAT
drop|DROP BOX
layout|LAYOUT
shoe|SHOE
shuf|SHUFFLER
deck|DECK
stub|STUB
disc|DISCARDS
cutcard|CUT CARD
burn|BURN CARD
badge|BADGE
limits|MIN {m} MAX {m}
"""

# Decisions
_MORE_D = """
war|WAR S{p}
surr|SURRENDER S{p}
wd7|WITHDRAW 7 S{p}
"""

# Results
_MORE_R = """
win|WINS
lose|LOSES
push|PUSH
open|DEALER QUALIFIES
noopen|DEALER DOES NOT OPEN
equal|TIE
"""

# Hands
_MORE_H = """
royal|ROYAL FLUSH
sf5|STRAIGHT FLUSH
sf|STRAIGHT FLUSH
quads|FOUR OF A KIND
full|FULL HOUSE
flush|FLUSH
str|STRAIGHT
trips|THREE OF A KIND
2p|TWO PAIR
pair|PAIR
high|HIGH CARD
"""

# Prompts to the dealer, one action each
_MORE_P = """
verify|CHECK THE CARDS
burn|BURN {k} CARDS
confirm|S{p} HAND CORRECT?
wait|WAIT FOR SUPERVISOR
stub|COUNT THE STUB
keycard|KEY IN THE CARD
cancel|CALL WITHDRAWN
"""

# Irregularities
_MORE_I = """
late|S{p} {b} LATE BET
cap|S{p} {b} INCREASED
pinch|S{p} {b} REDUCED
wd|S{p} {b} WITHDRAWN
moved|S{p} {b} MOVED
over3|S{p} PLAY TOO HIGH
clone|S{p} SUSPECT CHIP
dead|S{p} CHIP UNREADABLE
foul|S{p} FOUL HAND
misdeal|MISDEAL
switch|S{p} HAND DIFFERS
dispute|DISPUTE S{p}
left_player|S{p} PLAYER ABSENT
"""

# Faults of the equipment
_MORE_F = """
badge_reader|BADGE READER FAULT
badge_reader_unsteady|BADGES UNSTEADY
expander|KEYS: LINE FAULT
power|POWER LOST IN PLAY
batt|LOW BATTERY
"""

# Staff, float and shift
_MORE_S = """
on|ON: {id}
off|OFF: {id}
unknown|UNKNOWN BADGE
random|BADGE HAS NO IDENTITY
sup|SUPERV.: {id}
denied|NOT AUTHORISED
fill|FILL {m}
credit|CREDIT {m}
count|COUNT FLOAT
buyin|BUY-IN {m}
color|COLOUR UP
mystery|RECALL ROUNDS
"""

# The menu and the desk (`menu_page`): names of items fit beside their digit in half a line
_MORE_M = """
seen_late|SEEN
toke|TIP
keyed_bet|KEY BET
change|CHANGE
misplaced|SWAPPED
dispute|DISPUTE
withdrawn|WITHDRAW
language|FRANÇAIS
last_bets|LAST
absent|ABSENT
exposed|EXPOSED
foul_hand|FOUL
buy_in|BUY-IN
close|CLOSE
hand|HAND
judge|RESULT
ruling|RULING
menu|MENU
more|PLUS=MORE NO=END
ask_seat|SEAT?
ask_hand|SEAT? DEALER=0
ask_spot|SPOT?
ask_amount|AMOUNT?
ask_cards|CARDS?
ask_confirm|YES=CONFIRM
ask_choice|RESULT?
refused|NOT POSSIBLE
take|YES=DONE NO=CORRECT
rule1|YES=VALID NO=REFUSE
rule2|FIN=NOTHING PLUS=KEY
rule3|MISDEAL=RETURN BETS
rule0|PLUS=MENU
about|No {n} S{p} {b}
stop|No {n} TABLE
second|S{p} {b} CONFIRM?
"""

MORE = {
    "ph": _MORE_PH,
    "b": _MORE_B,
    "w": _MORE_W,
    "d": _MORE_D,
    "r": _MORE_R,
    "h": _MORE_H,
    "p": _MORE_P,
    "i": _MORE_I,
    "f": _MORE_F,
    "s": _MORE_S,
    "m": _MORE_M,
}
