"""Words of the dealer's display that are seldom said, in French. Entry point: ``GROUPS``, see `words`."""

# Phases of the table and of the round
_PH = """
cut|COUPE
decided|DÉCISIONS FERMÉES
deal2|2e DISTRIBUTION
war|BATAILLE
resume|REPRISE EN COURS
"""

# Bets and spots
_B = """
ante|INITIALE
play|ADDITIONNELLE
pair_plus|PAIRE OU PLUS
aces_up|PAIRE D'AS OU +
queens_up|PAIRE DE DAMES OU +
super|SUPER BONUS
ante_bonus|BONUS SUR INITIALE
initial|INITIALE
tie|SUPPL. ÉGALITÉ
war|MISE DE BATAILLE
first|1re ADDITIONNELLE
second|2e ADDITIONNELLE
bonus|BONUS
three|MAIN DE 3 CARTES
five|MAIN DE 5 CARTES
seven|MAIN DE 7 CARTES
toke|POURBOIRE P{p}
promo|COUPON/PROMO P{p}
manual|MISE SAISIE P{p}
"""

# People, places, things
_W = """
dealer|CROUPIER
bank|BANQUE
sup|SUPERVISEUR
pit|ÎLOT
mgr|CHEF DE QUART
surv|SURVEILLANCE
sec|SÉCURITÉ
tech|TECHNICIEN
aud|VÉRIFICATEUR
seat|PLACE {p}
spot|CASE
chip|JETON
plaque|PLAQUE
tray|ENCAISSE
drop|BOÎTE DE DÉPÔT
layout|TAPIS
shoe|SABOT
shuf|MÉLANGEUR
deck|PAQUET
stub|TALON
disc|DÉFAUSSE
cutcard|CARTE DE COUPE
burn|CARTE BRÛLÉE
badge|BADGE
limits|MIN {m} MAX {m}
"""

# Decisions
_D = """
war|BATAILLE P{p}
surr|RETRAIT 1/2 P{p}
wd7|RETRAIT M7 P{p}
"""

# Results
_R = """
win|GAGNE
lose|PERD
push|NULLE
open|LA BANQUE OUVRE
noopen|BANQUE N'OUVRE PAS
equal|ÉGALITÉ
"""

# Hands
_H = """
royal|QUINTE ROYALE
sf5|QUINTE
sf|SUITE COULEUR
quads|CARRÉ
full|MAIN PLEINE
flush|COULEUR
str|SÉQUENCE
trips|BRELAN
2p|DOUBLE PAIRE
pair|PAIRE
high|CARTE HAUTE
"""

# Prompts to the dealer, one action each
_P = """
verify|VÉRIFIER LES CARTES
burn|BRÛLER {k} CARTES
confirm|P{p} MAIN CONFORME?
wait|ATTENDRE SUPERVISEUR
stub|COMPTER LE TALON
keycard|SAISIR LA CARTE
cancel|ANNONCE ANNULÉE
"""

# Irregularities
_I = """
late|P{p} {b} TARDIVE
cap|P{p} {b} AUGMENTÉE
pinch|P{p} {b} RÉDUITE
wd|P{p} {b} RETIRÉE
moved|P{p} {b} DÉPLACÉE
over3|P{p} ADD TROP ÉLEVÉE
clone|P{p} JETON SUSPECT
dead|P{p} JETON ILLISIBLE
foul|P{p} MAIN IRRÉGULIÈRE
misdeal|MALDONNE
switch|P{p} MAIN DIFFÉRENTE
dispute|LITIGE P{p}
left_player|P{p} JOUEUR ABSENT
"""

# Faults of the equipment
_F = """
power|PANNE EN PARTIE
batt|PILE FAIBLE
"""

# Staff, float and shift
_S = """
on|EN POSTE: {id}
sup|SUPERV.: {id}
denied|NON AUTORISÉ
fill|REMPLISSAGE {m}
credit|CRÉDIT {m}
count|DÉCOMPTE ENCAISSE
buyin|ACHAT {m}
color|ÉCHANGE JETONS
mystery|REVOIR PARTIES
"""

# The menu and the desk (`menu_page`): names of items fit beside their digit in half a line
_M = """
seen_late|VUE TARD
toke|POURBOIR
keyed_bet|SAISIE
change|CHANGE
misplaced|ÉCHANGÉE
dispute|LITIGE
withdrawn|ANNULER
language|ENGLISH
last_bets|DERNIÈR.
absent|ABSENT
exposed|EXPOSÉE
foul_hand|IRRÉGUL.
buy_in|ACHAT
close|FERMER
hand|MAIN
judge|RÉSULTAT
ruling|DÉCISION
menu|MENU
more|PLUS=SUITE NON=FIN
ask_seat|PLACE?
ask_hand|PLACE? BANQUE=0
ask_spot|CASE?
ask_amount|MONTANT?
ask_cards|CARTES?
ask_confirm|OUI=CONFIRMER
ask_choice|RÉSULTAT?
refused|IMPOSSIBLE
take|OUI=FIN NON=CORRIGER
rule1|OUI=VALIDE NON=REFUS
rule2|FIN=RIEN PLUS=SAISIR
rule3|MALDONNE=REMETTRE
rule0|PLUS=MENU
about|No {n} P{p} {b}
stop|No {n} TABLE
second|P{p} {b} CONFIRMER?
"""

GROUPS = {"ph": _PH, "b": _B, "w": _W, "d": _D, "r": _R, "h": _H, "p": _P, "i": _I, "f": _F, "s": _S, "m": _M}
