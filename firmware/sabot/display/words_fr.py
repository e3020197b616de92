"""Words of the dealer's display in French. Entry point: ``GROUPS``, searched by `words.say`; see there."""

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
"""

# Faults of the equipment
_F = """
reader|LECTEUR {k} EN PANNE
seat|P{p} HORS SERVICE
shoe|SABOT BLOQUÉ
lid|COUVERCLE OUVERT
case|BOÎTIER OUVERT
clock|HORLOGE INVALIDE
jhalf|JOURNAL À 50 %
jfull|JOURNAL PLEIN
link|LIAISON PERDUE
integ|INTÉGRITÉ: ÉCHEC
key|TOUCHE BLOQUÉE
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
