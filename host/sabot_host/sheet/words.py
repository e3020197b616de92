"""Everything that a rule sheet says, in French and in English. Entry points: :class:`Words`, :data:`LANGUAGES`.

The names of bets, combinations and results are the by-law's own in French (67.22 to 67.87). A text is looked up by the
name that the games' data give it; one that is missing is a KeyError, never a blank.
"""

from __future__ import annotations

LANGUAGES = ("fr", "en")

Pair = tuple[str, str]

GAMES: dict[str, Pair] = {
    "three_card": ("Poker 3 cartes", "Three Card Poker"),
    "bataille": ("Bataille", "Casino War"),
    "poker_357": ("Poker 3-5-7", "3-5-7 Poker"),
    "boston": ("Poker de Boston", "Boston Poker"),
    "four_card": ("Poker 4 cartes", "Four Card Poker"),
    "crazy_four": ("Fou du poker", "Crazy 4 Poker"),
}

BETS: dict[str, Pair] = {
    "ante": ("mise initiale", "ante"),
    "play": ("mise additionnelle", "play bet"),
    "pair_plus": ("mise « paire ou plus »", "pair plus"),
    "aces_up": ("mise « paire d'as ou plus »", "aces up"),
    "queens_up": ("mise « paire de dames ou plus »", "queens up"),
    "super_bonus": ("mise « super bonus »", "super bonus"),
    "initial": ("mise initiale", "initial bet"),
    "tie": ("mise supplémentaire (égalité)", "tie bet"),
    "additional": ("mise additionnelle (Bataille)", "war bet"),
    "first": ("première mise additionnelle", "first bet"),
    "second": ("deuxième mise additionnelle", "second bet"),
    "bonus": ("mise supplémentaire « Bonus »", "bonus bet"),
    "three": ("mise de la main de trois cartes", "three-card bet"),
    "five": ("mise de la main de cinq cartes", "five-card bet"),
    "seven": ("mise de la main de sept cartes", "seven-card bet"),
    "ante_bonus": ("bonus sur la mise initiale", "ante bonus"),
}

# By number of `sabot.rules.ranking`; a straight flush of five cards has a name of its own in French.
KINDS: tuple[Pair, ...] = (
    ("carte haute", "high card"),
    ("paire", "pair"),
    ("double paire", "two pair"),
    ("brelan", "three of a kind"),
    ("séquence", "straight"),
    ("couleur", "flush"),
    ("main pleine", "full house"),
    ("carré", "four of a kind"),
    ("suite couleur", "straight flush"),
    ("quinte royale", "royal flush"),
)
STRAIGHT_FLUSH_OF_FIVE: Pair = ("quinte", "straight flush")

# By rank, from the two: "de deux", and the plural that English takes.
RANKS: tuple[Pair, ...] = (
    ("de deux", "twos"),
    ("de trois", "threes"),
    ("de quatre", "fours"),
    ("de cinq", "fives"),
    ("de six", "sixes"),
    ("de sept", "sevens"),
    ("de huit", "eights"),
    ("de neuf", "nines"),
    ("de dix", "tens"),
    ("de valets", "jacks"),
    ("de dames", "queens"),
    ("de rois", "kings"),
    ("d'as", "aces"),
)
CARDS: tuple[Pair, ...] = (
    ("un deux", "a two"),
    ("un trois", "a three"),
    ("un quatre", "a four"),
    ("un cinq", "a five"),
    ("un six", "a six"),
    ("un sept", "a seven"),
    ("un huit", "an eight"),
    ("un neuf", "a nine"),
    ("un dix", "a ten"),
    ("un valet", "a jack"),
    ("une dame", "a queen"),
    ("un roi", "a king"),
    ("un as", "an ace"),
)
COUNTS: tuple[Pair, ...] = (
    ("aucune", "no"),
    ("une", "one"),
    ("deux", "two"),
    ("trois", "three"),
    ("quatre", "four"),
    ("cinq", "five"),
    ("six", "six"),
    ("sept", "seven"),
    ("huit", "eight"),
)

LOCKS: dict[str, Pair] = {
    "announcement": ("« Rien ne va plus »", '"Rien ne va plus"'),
    "first_card": ("la première carte distribuée", "the first card dealt"),
    "decisions": ("la fermeture des décisions", "the close of decisions"),
}

RESULTS: dict[str, Pair] = {
    "win": ("gagnante, payée {pays} à {per}", "wins, paid {pays} to {per}"),
    "lose": ("perdante", "loses"),
    "push": ("nulle, remise au joueur", "push, returned"),
    "forfeit": ("perdue", "lost"),
    "forfeit_part": ("perdue pour {pays}/{per}, le reste remis", "{pays}/{per} lost, the rest returned"),
}

ENDS: dict[str, Pair] = {
    "no_contest": ("sans comparaison", "nothing compared"),
    "refused": ("le joueur renonce", "the player declines"),
    "not_open": ("le croupier n'ouvre pas", "the dealer does not open"),
    "higher": ("{hand} du joueur supérieure", "the player's {hand} is higher"),
    "equal": ("{hand}s égales", "equal {hand}s"),
    "lower": ("{hand} du joueur inférieure", "the player's {hand} is lower"),
    "war_higher": ("Bataille : carte du joueur supérieure", "war: the player's card is higher"),
    "war_equal": ("Bataille : cartes égales", "war: equal cards"),
    "war_lower": ("Bataille : carte du joueur inférieure", "war: the player's card is lower"),
    "always": ("autrement", "otherwise"),
}

DECISIONS: dict[str, Pair] = {
    "play": ("suivre", "play"),
    "fold": ("abandonner", "fold"),
    "stay": ("laisser la mise", "leave the bet"),
    "withdraw": ("retirer la mise", "withdraw the bet"),
    "war": ("faire une Bataille", "go to war"),
    "surrender": ("se retirer", "surrender"),
}

# The steps of a game's course; those of a deal take their cards from the deal plan.
STEPS: dict[str, Pair] = {
    "deal": ("Distribution : {cards}.", "Deal: {cards}."),
    "deal_second": ("Deuxième distribution : {cards}.", "Second deal: {cards}."),
    "war": (
        "Bataille, pour chaque place qui la fait : {cards}.",
        "War, for each seat that goes to war: {cards}.",
    ),
    "war_common": (
        "Bataille, une fois pour toutes les places qui la font : {cards}.",
        "War, once for all seats that go to war: {cards}.",
    ),
    "decide": ("Décisions des joueurs.", "The players decide."),
    "close": ("Les décisions sont fermées.", "Decisions are closed."),
    "reveal_dealer": ("Le croupier dévoile sa main.", "The dealer shows his hand."),
    "reveal_dealer_two": (
        "Le croupier dévoile ses deux premières cartes.",
        "The dealer shows his first two cards.",
    ),
    "reveal_dealer_rest": ("Le croupier dévoile ses deux autres cartes.", "The dealer shows his other two cards."),
    "reveal_seats": ("Les joueurs dévoilent leurs cartes.", "The players show their cards."),
    "settle": ("Règlement des mises.", "Bets are settled."),
    "settle_unequal": (
        "Règlement des places qui ne sont pas à égalité, et de toutes les mises d'égalité.",
        "Seats that are not equal are settled, and every tie bet.",
    ),
    "settle_three": (
        "Règlement de la mise de la main de trois cartes.",
        "The three-card bet is settled.",
    ),
    "settle_five": ("Règlement de la mise de la main de cinq cartes.", "The five-card bet is settled."),
    "settle_seven": ("Règlement de la mise de la main de sept cartes.", "The seven-card bet is settled."),
}
RECEIVERS: dict[str, Pair] = {
    "seats": ("{n} à chaque joueur", "{n} to each player"),
    "seats_in": ("{n} à chaque joueur qui reste", "{n} to each player still in"),
    "dealer": ("{n} au croupier", "{n} to the dealer"),
    "burn": ("{n} brûlées", "{n} burned"),
}
FACES: dict[str, Pair] = {
    "down": ("face cachée", "face down"),
    "up": ("face visible", "face up"),
}

OPTIONS: dict[str, Pair] = {
    "fold_side_bets": (
        "Mises supplémentaires d'un joueur qui abandonne",
        "Side bets of a player who folds",
    ),
    "half_stakes": ("Mises dont la moitié peut être perdue", "Bets of which half can be lost"),
    "initial_lock": ("Fermeture de la mise initiale", "What locks the initial bet"),
    "war_dealer_card": ("Carte du croupier en Bataille", "The dealer's card in a war"),
}
CHOICES: dict[str, Pair] = {
    "live": ("restent en jeu", "stay in play"),
    "forfeit": ("perdues", "are lost"),
    "any": ("tout montant ; la part remise est arrondie au cent supérieur", "any; what is returned is rounded up"),
    "even": ("montants pairs seulement", "even amounts only"),
    "first_card": ("la première carte distribuée", "the first card dealt"),
    "announcement": ("« Rien ne va plus »", '"Rien ne va plus"'),
    "own": ("une par place", "one for each seat"),
    "common": ("une pour toutes les places", "one for all seats"),
}

PHRASES: dict[str, Pair] = {
    # headings
    "sheet": ("Règles du jeu", "Rules of the game"),
    "cards": ("Cartes et joueurs", "Cards and players"),
    "combinations": (
        "Combinaisons de {n} cartes, de la plus forte à la plus faible",
        "Hands of {n} cards, from the highest to the lowest",
    ),
    "one_card": ("Ordre des cartes", "Order of the cards"),
    "bets": ("Mises", "Bets"),
    "course": ("Déroulement de la partie", "Course of a round"),
    "decision": ("Décision", "Decision"),
    "dealer": ("Main du croupier", "The dealer's hand"),
    "settlement": ("Règlement : {bet}", "Settlement: {bet}"),
    "paytable": ("Table de paiement : {bet}", "Paytable: {bet}"),
    "options": ("Options en vigueur", "Options in force"),
    "identity": ("Identité de ces règles", "Identity of these rules"),
    # columns
    "col_bet": ("mise", "bet"),
    "col_amount": ("montant", "amount"),
    "col_lock": ("fermée par", "locked by"),
    "col_limits": ("limites", "limits"),
    "col_article": ("article", "article"),
    "col_hand": ("combinaison", "hand"),
    "col_pays": ("paie", "pays"),
    "col_end": ("cas", "case"),
    "col_result": ("résultat", "result"),
    "col_option": ("option", "option"),
    "col_force": ("en vigueur", "in force"),
    "col_others": ("autre choix", "other choice"),
    # sentences
    "packs_one": ("Un paquet de 52 cartes.", "One pack of 52 cards."),
    "packs_many": ("{n} paquets de 52 cartes en jeu.", "{n} packs of 52 cards in play."),
    "packs_allowed": ("Le règlement permet {choices} paquets.", "The by-law allows {choices} packs."),
    "or": ("{some} ou {last}", "{some} or {last}"),
    "players_most": ("Au plus {n} joueurs.", "At most {n} players."),
    "players_places": (
        "Autant de joueurs que d'emplacements pour les mises.",
        "As many players as there are places for bets.",
    ),
    "rank_order": (
        "Valeur des cartes : as, roi, dame, valet, 10, 9, 8, 7, 6, 5, 4, 3, 2.",
        "Rank of the cards: ace, king, queen, jack, 10, 9, 8, 7, 6, 5, 4, 3, 2.",
    ),
    "suits_ignored": ("Les couleurs ne comptent pas.", "Suits do not count."),
    "ace_low": (
        "L'as peut aussi compléter la séquence {run} ; il n'est jamais au milieu.",
        "The ace may also complete the straight {run}; it is never in the middle.",
    ),
    "equality": (
        (
            "De deux mains de même combinaison, la plus haute valeur de la combinaison l'emporte, puis les autres "
            "cartes, de la plus haute à la plus basse ; autrement elles sont égales."
        ),
        (
            "Of two hands of the same kind the higher rank of its cards wins, then the other cards from the highest "
            "down; otherwise they are equal."
        ),
    ),
    "opening": ("Il faut : {bets}.", "A player must make: {bets}."),
    "opening_either": ("{one} ou {other}", "{one} or {other}"),
    "opening_both": ("{one} et {other}", "{one} and {other}"),
    "free": ("libre", "free"),
    "equal_to": ("égale à la {bet}", "equal to the {bet}"),
    "times": ("{low} × la {bet}", "{low} × the {bet}"),
    "from_to": ("de {low} à {high} × la {bet}", "{low} to {high} × the {bet}"),
    "right_above": (
        "plus de {free} × seulement avec {hand} ou mieux",
        "above {free} × only with {hand} or better",
    ),
    "limits": ("{low} à {high}", "{low} to {high}"),
    "decides_all": ("Décide chaque joueur qui a fait la {bet}.", "Every player with the {bet} decides."),
    "decides_equal": (
        "Décide chaque joueur dont la carte égale celle du croupier.",
        "Every player whose card equals the dealer's decides.",
    ),
    "choice_taken": ("faire la {bet}, {amount}.", "make the {bet}, {amount}."),
    "choice_stay": ("la {bet} reste en jeu.", "the {bet} stays in play."),
    "loss": ("{bet} {result}", "{bet} {result}"),
    "no_dealer": (
        "Pas de main du croupier et pas de comparaison : chaque mise est payée par sa table.",
        "No dealer's hand and no comparison: each bet is paid by its table.",
    ),
    "compared": (
        "Le joueur et le croupier comparent : {player} contre {dealer}.",
        "Player and dealer compare: {player} against {dealer}.",
    ),
    "best_of": ("les {size} meilleures de {cards} cartes", "the best {size} of {cards} cards"),
    "all_of": ("{cards} cartes", "{cards} cards"),
    "one_of": ("une carte", "one card"),
    "hand": ("main", "hand"),
    "card": ("carte", "card"),
    "opens_high": ("Le croupier ouvre avec {card} ou mieux.", "The dealer opens with {card} high or better."),
    "opens_kind": ("Le croupier ouvre avec {hand} ou mieux.", "The dealer opens with {hand} or better."),
    "opens_always": ("Le croupier joue toujours.", "The dealer always plays."),
    "war_settles": (
        "La Bataille se règle par une carte de plus pour chacun.",
        "A war is settled by one more card each.",
    ),
    "table_first": (
        "D'abord selon la table de paiement ; les cas suivants valent pour les autres mains.",
        "By the paytable first; the cases below are for the other hands.",
    ),
    "on_player": ("Sur {cards} du joueur.", "On {cards} of the player."),
    "on_pooled": (
        "Sur {cards} : les {own} du joueur et les {dealer} premières du croupier.",
        "On {cards}: the player's {own} and the dealer's first {dealer}.",
    ),
    "taken_only": (
        "Seulement si le joueur a choisi de {choice} ; quelle que soit la main du croupier.",
        "Only when the player chose to {choice}; whatever the dealer holds.",
    ),
    "whatever": ("Quelle que soit la main du croupier.", "Whatever the dealer holds."),
    "paid_on": (
        "Payé sur le montant de la {bet}, sans mise de plus.",
        "Paid on the amount of the {bet}, no bet of its own.",
    ),
    "pays": ("{pays} à {per}", "{pays} to {per}"),
    "and_up": ("{hand} et plus", "{hand} or better"),
    "of_rank": ("{kind} {rank}", "{kind}, {rank}"),
    "pair_of": ("{kind} {rank}", "{kind} of {rank}"),
    "colon": ("{what} : {which}", "{what}: {which}"),
    "besides": ("{what} ; {more}", "{what}; {more}"),
    "no_options": ("Ce jeu n'a pas d'option.", "This game has no option."),
    "game_id": ("Jeu {id}, version {version}.", "Game {id}, version {version}."),
    "table_id": ("Table {id}, version {version}.", "Paytable {id}, version {version}."),
    "hash": ("Empreinte {hash}, inscrite dans chaque partie du journal.", "Hash {hash}, in the record of every round."),
    "articles": ("Articles {first} et suivants du règlement.", "Articles {first} and following of the by-law."),
    "edge": (
        (
            "Ces règles donnent l'avantage au joueur ({bets}) : une table les refuse tant que deux autorités ne les "
            "ont pas acceptées."
        ),
        "These rules give the player the edge ({bets}): a table refuses them until two authorities have accepted them.",
    ),
    "edge_unknown": (
        "L'avantage de la maison n'a pas été calculé pour ces règles.",
        "The house edge has not been counted for these rules.",
    ),
    "article": ("art.\N{NO-BREAK SPACE}{article}", "art.\N{NO-BREAK SPACE}{article}"),
}


_BOUND = tuple((sign, sign.replace(" ", "\N{NO-BREAK SPACE}")) for sign in ("« ", " »", " :", " ;", " ×", "× "))


class Words:
    """One language: ``fr`` or ``en``."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._at = LANGUAGES.index(language)

    def of(self, pair: Pair) -> str:
        """The text of a pair; in French, what belongs to a sign stays in its line."""
        text = pair[self._at]
        if self.language == "fr":
            for sign, bound in _BOUND:
                text = text.replace(sign, bound)
        return text

    def __call__(self, phrase: str, **values: object) -> str:
        """A phrase with its values."""
        return self.of(PHRASES[phrase]).format(**values)

    def money(self, cents: int) -> str:
        """An amount: ``7,50 $`` or ``$7.50``."""
        if self.language == "fr":
            return f"{cents // 100:_},{cents % 100:02d}_$".replace("_", "\N{NO-BREAK SPACE}")
        return f"${cents // 100:,}.{cents % 100:02d}"
