"""Words of the dealer's display that are seldom said, in English. Entry point: ``GROUPS``, see `words`."""

# Phases of the table and of the round
_PH = """
cut|CUT
decided|DECISIONS CLOSED
deal2|SECOND DEAL
war|WAR
resume|RESUMING
"""

# Bets and spots
_B = """
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
_W = """
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
_D = """
war|WAR S{p}
surr|SURRENDER S{p}
wd7|WITHDRAW 7 S{p}
"""

# Results
_R = """
win|WINS
lose|LOSES
push|PUSH
open|DEALER QUALIFIES
noopen|DEALER DOES NOT OPEN
equal|TIE
"""

# Hands
_H = """
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
_P = """
verify|CHECK THE CARDS
burn|BURN {k} CARDS
confirm|S{p} HAND CORRECT?
wait|WAIT FOR SUPERVISOR
stub|COUNT THE STUB
keycard|KEY IN THE CARD
cancel|CALL WITHDRAWN
"""

# Irregularities
_I = """
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
_F = """
power|POWER LOST IN PLAY
batt|LOW BATTERY
"""

# Staff, float and shift
_S = """
on|ON: {id}
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
_M = """
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

GROUPS = {"ph": _PH, "b": _B, "w": _W, "d": _D, "r": _R, "h": _H, "p": _P, "i": _I, "f": _F, "s": _S, "m": _M}
