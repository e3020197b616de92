"""Every word of the dealer's display, in French and English.

Entry points: `say`, ``GROUPS``, ``SEAT``, ``FRENCH``, ``ENGLISH``, ``LANGUAGES``. One line an entry: key, French,
English. The groups are searched as they stand: a table of objects would take four times the memory. What is seldom
said is in `more_words`, which is loaded when it is.

Placeholders: ``{p}`` seat 1 to 7, ``{b}`` code of a bet spot (at most 4 characters), ``{m}`` money (at most 7; see
`pages.fit` for more), ``{k}`` one digit, ``{n}`` at most 6 digits, ``{id}`` at most 8 characters. No text is wider than
21 characters then. The names of bets and hands, and of what is announced, are the by-law's own (67.22 to 67.88).
What players may read names no cheating; "RIEN NE VA PLUS" is never shortened.
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


FRENCH = const(0)
ENGLISH = const(1)
LANGUAGES = const(2)

SEAT = "PS"  # before a seat's number, by language

# Phases of the table and of the round
_PH = """
closed|TABLE FERMÉE|TABLE CLOSED
opening|OUVERTURE TABLE|OPENING TABLE
closing|FERMETURE TABLE|CLOSING TABLE
idle|TABLE EN ATTENTE|TABLE WAITING
shuffle|MÉLANGE|SHUFFLE
cut|COUPE|CUT
shoe|CHANGEMENT SABOT|SHOE CHANGE
bet|FAITES VOS MISES|PLACE YOUR BETS
last|DERNIÈRES MISES|LAST BETS
lock|RIEN NE VA PLUS|NO MORE BETS
deal|DISTRIBUTION|DEALING
decide|DÉCISIONS|DECISIONS
decided|DÉCISIONS FERMÉES|DECISIONS CLOSED
deal2|2e DISTRIBUTION|SECOND DEAL
war|BATAILLE|WAR
reveal|DÉVOILER LA BANQUE|SHOW DEALER HAND
show_p|DÉVOILER P{p}|SHOW S{p}
settle|PAIEMENTS|TAKE AND PAY
end|FIN DE PARTIE|END OF ROUND
susp|PARTIE SUSPENDUE|ROUND SUSPENDED
void|ANNULÉE: REMETTRE|VOID: RETURN BETS
last_hand|DERNIÈRE PARTIE|LAST ROUND
maint|ENTRETIEN|MAINTENANCE
resume|REPRISE EN COURS|RESUMING
"""

# Of people and things, and of staff: see also `more_words`
_W = "\nround|PARTIE No {n}|ROUND No {n}\n"
_S = "\nrelief|RELÈVE CROUPIER|DEALER RELIEF\n"

# Decisions
_D = """
play|JOUE P{p}|PLAYS S{p}
fold|ABANDON P{p}|FOLD S{p}
war|BATAILLE P{p}|WAR S{p}
surr|RETRAIT 1/2 P{p}|SURRENDER S{p}
wd7|RETRAIT M7 P{p}|WITHDRAW 7 S{p}
"""

# Prompts to the dealer, one action each
_P = """
sign|VOTRE BADGE SVP|YOUR BADGE PLEASE
verify|VÉRIFIER LES CARTES|CHECK THE CARDS
burn|BRÛLER {k} CARTES|BURN {k} CARDS
deal|CARTE À P{p}|CARD TO S{p}
dealb|CARTE À LA BANQUE|CARD TO DEALER
pay|P{p} {b} PAYER {m}|S{p} {b} PAY {m}
take|P{p} {b} RAMASSER|S{p} {b} TAKE
leave|P{p} {b} NULLE|S{p} {b} PUSH
half|P{p} {b} PRENDRE 1/2|S{p} {b} TAKE HALF
confirm|P{p} MAIN CONFORME?|S{p} HAND CORRECT?
fix_ratio|P{p} ADD = {m}|S{p} PLAY = {m}
fix_max|P{p} {b} MAX {m}|S{p} {b} MAX {m}
fix_min|P{p} {b} MIN {m}|S{p} {b} MIN {m}
missing|P{p} {b} MANQUANTE|S{p} {b} MISSING
next|P{p} PROCHAINE PARTIE|S{p} NEXT ROUND
early|P{p} TROP TÔT|S{p} TOO EARLY
back|P{p} REPLACER MISE|S{p} PUT BET BACK
doubt|P{p} {b} DOUTE {m}|S{p} {b} DOUBT {m}
yesno|OUI=VALIDE NON=REFUS|YES=VALID NO=REFUSE
sup|APPELER SUPERVISEUR|CALL SUPERVISOR
wait|ATTENDRE SUPERVISEUR|WAIT FOR SUPERVISOR
nopay|P{p} NE PAS PAYER|S{p} DO NOT PAY
reason|MOTIF?|REASON?
stub|COMPTER LE TALON|COUNT THE STUB
keycard|SAISIR LA CARTE|KEY IN THE CARD
cancel|ANNONCE ANNULÉE|CALL WITHDRAWN
"""

# Irregularities
_I = """
late|P{p} {b} TARDIVE|S{p} {b} LATE BET
cap|P{p} {b} AUGMENTÉE|S{p} {b} INCREASED
pinch|P{p} {b} RÉDUITE|S{p} {b} REDUCED
wd|P{p} {b} RETIRÉE|S{p} {b} WITHDRAWN
swap|P{p} {b} ÉCHANGÉE|S{p} {b} CHANGED
moved|P{p} {b} DÉPLACÉE|S{p} {b} MOVED
amb|P{p} {b} DOUTEUSE|S{p} {b} AMBIGUOUS
over3|P{p} ADD TROP ÉLEVÉE|S{p} PLAY TOO HIGH
noante|P{p} ADD SANS INIT|S{p} PLAY NO ANTE
foreign|P{p} JETON INCONNU|S{p} UNKNOWN CHIP
clone|P{p} JETON SUSPECT|S{p} SUSPECT CHIP
dead|P{p} JETON ILLISIBLE|S{p} CHIP UNREADABLE
unread|P{p} {b} ILLISIBLE|S{p} {b} UNREADABLE
early_card|CARTE AVANT ANNONCE|CARD BEFORE CALL
noread|CARTE NON LUE|CARD NOT READ
two|DEUX CARTES|TWO CARDS
back|CARTE REPOUSSÉE|CARD PUSHED BACK
exposed|CARTE EXPOSÉE|EXPOSED CARD
wrongseat|CARTE MAL PLACÉE|CARD MISPLACED
foul|P{p} MAIN IRRÉGULIÈRE|S{p} FOUL HAND
misdeal|MALDONNE|MISDEAL
alien|CARTE ÉTRANGÈRE|ALIEN CARD
dup|CARTE EN DOUBLE|DUPLICATE CARD
count|COMPTE DE CARTES FAUX|WRONG CARD COUNT
switch|P{p} MAIN DIFFÉRENTE|S{p} HAND DIFFERS
overpay|P{p} {b} TROP PAYÉE|S{p} {b} OVERPAID
underpay|P{p} {b} PAS ASSEZ|S{p} {b} UNDERPAID
left|P{p} {b} À RAMASSER|S{p} {b} NOT TAKEN
took|P{p} {b} À REMETTRE|S{p} {b} GIVE BACK
dispute|LITIGE P{p}|DISPUTE S{p}
left_player|P{p} JOUEUR ABSENT|S{p} PLAYER ABSENT
"""

# Faults of the equipment
_F = """
reader|LECTEUR {k} EN PANNE|READER {k} FAULT
seat|P{p} HORS SERVICE|S{p} OUT OF SERVICE
shoe|SABOT BLOQUÉ|SHOE JAM
lid|COUVERCLE OUVERT|LID OPEN
case|BOÎTIER OUVERT|CASE OPEN
power|PANNE EN PARTIE|POWER LOST IN PLAY
clock|HORLOGE INVALIDE|CLOCK INVALID
jhalf|JOURNAL À 50 %|JOURNAL AT 50 %
jfull|JOURNAL PLEIN|JOURNAL FULL
link|LIAISON PERDUE|LINK LOST
integ|INTÉGRITÉ: ÉCHEC|INTEGRITY FAILED
key|TOUCHE BLOQUÉE|STUCK KEY
batt|PILE FAIBLE|LOW BATTERY
"""

# Of the pages themselves: short forms for cells of ten characters, and what the other groups have no words for
_X = """
surrender|P{p} RETRAIT|S{p} HALF
return|P{p} REMETTRE {m}|S{p} RETURN {m}
ratio|P{p} {b} = {m}|S{p} {b} = {m}
limit|P{p} {b} HORS LIMITE|S{p} {b} OFF LIMITS
internal|PANNE INTERNE|INTERNAL FAULT
next|FIN=SUIVANT|FIN=NEXT
french|FRANÇAIS|FRANÇAIS
english|ENGLISH|ENGLISH
discard|VÉRIFIER LA DÉFAUSSE|CHECK THE DISCARDS
"""

GROUPS = {"ph": _PH, "w": _W, "d": _D, "p": _P, "i": _I, "f": _F, "s": _S, "x": _X}


def say(key: str, language: int, **values: object) -> str:
    """Text of an entry, named GROUP_NAME as in ``ph_lock``, its placeholders filled.

    Raises:
        KeyError: there is no such entry, or a placeholder's value is missing.
    """
    group, name = key.split("_", 1)
    table = GROUPS.get(group, "")
    at = table.find("\n" + name + "|")
    if at < 0:
        from sabot.display import more_words

        table = more_words.GROUPS.get(group, "")
        at = table.find("\n" + name + "|")
    if at < 0:
        raise KeyError(key)
    at += len(name) + 2
    for _ in range(language):
        at = table.find("|", at) + 1
    end = table.find("|" if language < LANGUAGES - 1 else "\n", at)
    text = table[at:end]
    return text.format(**values) if "{" in text else text
