"""Words of the dealer's display in French. Entry points: ``GROUPS`` and, seldom said, ``MORE``; see `words`."""

# Phases of the table and of the round
_PH = """
closed|TABLE FERMÉE
opening|OUVERTURE TABLE
closing|FERMETURE TABLE
idle|TABLE EN ATTENTE
shuffle|MÉLANGE
shoe|CHANGEMENT SABOT
bet|FAITES VOS MISES
last|DERNIÈRES MISES
lock|RIEN NE VA PLUS
deal|DISTRIBUTION
decide|DÉCISIONS
reveal|DÉVOILER LA BANQUE
show_p|DÉVOILER P{p}
settle|PAIEMENTS
end|FIN DE PARTIE
susp|PARTIE SUSPENDUE
void|ANNULÉE: REMETTRE
last_hand|DERNIÈRE PARTIE
maint|ENTRETIEN
"""

# People, places, things
_W = """
round|PARTIE No {n}
"""

# Decisions
_D = """
play|JOUE P{p}
fold|ABANDON P{p}
"""

# Prompts to the dealer, one action each
_P = """
sign|VOTRE BADGE SVP
deal|CARTE À P{p}
dealb|CARTE À LA BANQUE
pay|P{p} {b} PAYER {m}
take|P{p} {b} RAMASSER
leave|P{p} {b} NULLE
half|P{p} {b} PRENDRE 1/2
fix_ratio|P{p} ADD = {m}
fix_max|P{p} {b} MAX {m}
fix_min|P{p} {b} MIN {m}
missing|P{p} {b} MANQUANTE
next|P{p} PROCHAINE PARTIE
early|P{p} TROP TÔT
back|P{p} REPLACER MISE
doubt|P{p} {b} DOUTE {m}
yesno|OUI=VALIDE NON=REFUS
sup|APPELER SUPERVISEUR
nopay|P{p} NE PAS PAYER
reason|MOTIF?
"""

# Irregularities
_I = """
swap|P{p} {b} ÉCHANGÉE
amb|P{p} {b} DOUTEUSE
noante|P{p} ADD SANS INIT
foreign|P{p} JETON INCONNU
unread|P{p} {b} ILLISIBLE
early_card|CARTE AVANT ANNONCE
noread|CARTE NON LUE
two|DEUX CARTES
back|CARTE REPOUSSÉE
exposed|CARTE EXPOSÉE
wrongseat|CARTE MAL PLACÉE
alien|CARTE ÉTRANGÈRE
dup|CARTE EN DOUBLE
count|COMPTE DE CARTES FAUX
overpay|P{p} {b} TROP PAYÉE
underpay|P{p} {b} PAS ASSEZ
left|P{p} {b} À RAMASSER
took|P{p} {b} À REMETTRE
unruled|COUPURE: À TRANCHER
"""

# Faults of the equipment
_F = """
reader|LECTEUR {k} EN PANNE
shoe_unsteady|SABOT INSTABLE
reader_unsteady|LECTEUR {k} INSTABLE
seat|P{p} HORS SERVICE
shoe|SABOT BLOQUÉ
lid|COUVERCLE OUVERT
case|BOÎTIER OUVERT
clock|HORLOGE INVALIDE
journal_half|JOURNAL À 50 %
journal_full|JOURNAL PLEIN
link|LIAISON PERDUE
configuration|INTÉGRITÉ: ÉCHEC
key|TOUCHE BLOQUÉE
task|PANNE INTERNE
"""

# Staff, float and shift
_S = """
relief|RELÈVE CROUPIER
"""

# Of the pages themselves: short forms for cells of ten characters, and what the other groups have no words for
_X = """
surrender|P{p} RETRAIT
return|P{p} REMETTRE {m}
ratio|P{p} {b} = {m}
limit|P{p} {b} HORS LIMITE
internal|PANNE INTERNE
next|FIN=SUIVANT
french|FRANÇAIS
english|ENGLISH
discard|VÉRIFIER LA DÉFAUSSE
"""

GROUPS = {"ph": _PH, "w": _W, "d": _D, "p": _P, "i": _I, "f": _F, "s": _S, "x": _X}

# --- what is seldom said ----------------------------------------------------------------------------------------------

# Phases of the table and of the round
_MORE_PH = """
cut|COUPE
decided|DÉCISIONS FERMÉES
deal2|2e DISTRIBUTION
war|BATAILLE
resume|REPRISE EN COURS
"""

# Bets and spots
_MORE_B = """
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
_MORE_W = """
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
_MORE_D = """
war|BATAILLE P{p}
surr|RETRAIT 1/2 P{p}
wd7|RETRAIT M7 P{p}
"""

# Results
_MORE_R = """
win|GAGNE
lose|PERD
push|NULLE
open|LA BANQUE OUVRE
noopen|BANQUE N'OUVRE PAS
equal|ÉGALITÉ
"""

# Hands
_MORE_H = """
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
_MORE_P = """
verify|VÉRIFIER LES CARTES
burn|BRÛLER {k} CARTES
confirm|P{p} MAIN CONFORME?
wait|ATTENDRE SUPERVISEUR
stub|COMPTER LE TALON
keycard|SAISIR LA CARTE
cancel|ANNONCE ANNULÉE
"""

# Irregularities
_MORE_I = """
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
_MORE_F = """
badge_reader|PANNE LECTEUR BADGE
badge_reader_unsteady|LECT. BADGE INSTABLE
expander|TOUCHES: PANNE
power|PANNE EN PARTIE
batt|PILE FAIBLE
"""

# Staff, float and shift
_MORE_S = """
on|EN POSTE: {id}
off|FIN POSTE: {id}
unknown|BADGE INCONNU
random|BADGE SANS IDENTITÉ
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
_MORE_M = """
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
