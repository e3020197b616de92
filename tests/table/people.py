"""People who do anything at any time: random hands, keys, cards and rulings on a rig. Entry point: `play`.

Nothing here knows what is allowed. Whatever they do, the table must go on, its journal must fit the model, its books
must balance.
"""

from collections.abc import Callable
from random import Random

from sabot.rules import games
from sabot.rules.bets import bet_named
from sabot.rules.variants import configure, options
from sabot.table.deal import ALIEN, UNREAD
from sabot.wire import codes
from tests.table.on_board.rig import Rig

VALUES = (100, 500, 500, 1000, 1000, 1000, 5000, 20000, -2, -3)
KEYS = ("p1", "p2", "oui", "non", "fin", "devoiler", "devoiler", "abandon", "maldonne", "superviseur")
SAID = ("p1", "p2", "p1", "p2", "p3", "p5", "p6", "p7", "plus", "oui", "oui", "maldonne", "abandon", "non", "fin")
CONSEQUENCES = (
    ("exposed", ("burn", "go_on", "void_hand", "void_round")),
    ("misplaced", ("swap", "void_hand", "void_round")),
    ("foul_hand", ("void_hand", "void_round")),
    ("misdeal", ("void_round", "dealer")),
)
WORDS = ("valid", "refused", "cleared", "keyed", "void")


class People:
    """One random crowd at one table."""

    def __init__(self, seed: int, name: str = "three_card") -> None:
        self.random = Random(seed)
        game = games.load(name)
        chosen = {option: self.random.choice(words) for option, words in options(game)}
        self.rig = Rig(
            start=self.random.choice((1000000, (1 << 30) - 30000000)),
            game=configure(game, **chosen),
            gate_after=self.random.choice(("confirm", "key")),
            close_by=self.random.choice(("reveal", "key")),
            decks=self.random.choice(game.decks),
            payment_order=self.random.choice(("none", "left_to_right", "right_to_left")),
            losers_first=self.random.random() < 0.3,
            deal=self.random.choice(("cards", "cards", "packets")),
            sign_on=self.random.choice(("off", "off", "required")),
            consequences={kind: self.random.choice(words) for kind, words in CONSEQUENCES},
            shared=name == "bataille" and self.random.random() < 0.5,
        )
        self.rig.sign("dealer", 1)
        self.rig.key("fin")
        self.chips: list[int] = []
        self.pack: list[int] = []

    def step(self) -> None:
        """Somebody does something, and some time passes."""
        acts: tuple[Callable[[], None], ...] = (
            self.put,
            self.lift,
            self.stray,
            self.announce,
            self.key,
            self.rule,
            self.noise,
            self.move,
            self.void,
        )
        acts += (self.say, self.say, self.sign)
        self.random.choice(acts + (self.go_on,) * 9)()
        self.rig.run(self.random.choice((0, 1, 5, 40, 150, 400, 1000, 6000)))

    def put(self) -> None:
        if len(self.chips) < 40:
            seat, bet = self.random.choice((1, 2)), self.random.choice(self.rig.bets)
            self.chips.append(self.rig.put(seat, bet, self.random.choice(VALUES)))

    def lay(self) -> None:
        """A seat makes the bets that the game asks for, as far as it has none."""
        seat = self.random.choice((1, 2))
        ante = 500 * self.random.randrange(1, 5)
        for bet in self.rig.game.bets:
            wanted = bet.name in self.random.choice(self.rig.game.openings) or self.random.random() < 0.4
            if wanted and bet.name != self.rig.game.decision.bet and not self.seen(seat, bet.name):
                cents = ante
                if bet.relation is not None:
                    cents = bet.relation.low * (self.seen(seat, bet.relation.base) or ante)
                self.chips.append(self.rig.put(seat, bet.name, cents))

    def seen(self, seat: int, bet: str) -> int:
        """Cents lying there."""
        return sum(max(0, self.rig.ports.chips.value(chip)) for chip in self.rig.on[self.rig.antenna(seat, bet)])

    def lift(self) -> None:
        if self.chips:
            self.rig.lift(self.chips.pop(self.random.randrange(len(self.chips))))

    def move(self) -> None:
        if self.chips:
            chip = self.random.choice(self.chips)
            self.rig.lift(chip)
            self.rig.run(self.random.choice((0, 200, 2000)))
            self.rig.put(self.random.choice((1, 2)), self.random.choice(self.rig.bets), 0, chip)

    def play(self) -> None:
        for seat in (1, 2):
            if self.rig.seat(seat) == "deciding":
                self.decide(seat)

    def decide(self, seat: int) -> None:
        """A seat makes the bet of its decision, or refuses where that costs only half."""
        game = self.rig.game
        if game.decision.bet is None or (game.id == "bataille" and self.random.random() < 0.3):
            self.rig.key("abandon")
            self.rig.key(f"p{seat}")
        else:
            relation = bet_named(game, game.decision.bet).relation
            times = self.random.choice((relation.low, relation.low, relation.high))
            cents = times * self.rig.locked(seat, relation.base) or 500
            self.chips.append(self.rig.put(seat, game.decision.bet, cents))

    def announce(self) -> None:
        if self.random.random() < 0.1:
            self.rig.table.glitch(self.rig.clock.ticks())
        self.rig.rnvp()

    def key(self) -> None:
        self.rig.key(self.random.choice(KEYS))

    def say(self) -> None:
        """Somebody keys something through the menu or at the desk, more or less to its end."""
        self.rig.key(self.random.choice(("plus", "plus", "plus", "superviseur")))
        for _ in range(self.random.randrange(9)):
            self.rig.key(self.random.choice(SAID))
            self.rig.run(self.random.choice((0, 30, 300)))

    def sign(self) -> None:
        role = self.random.choice(("dealer", "supervisor"))
        self.rig.sign(role, self.random.choice((1, 2)), self.random.random() < 0.8)

    def stray(self) -> None:
        """A card leaves when it should not, now and then."""
        if self.random.random() < 0.1:
            self.deal()

    def go_on(self) -> None:
        """Somebody does what comes next."""
        state = self.rig.state()
        if state in ("idle", "betting") and self.random.random() < 0.6:
            self.lay() if self.random.random() < 0.5 else self.put()
        elif state in ("betting", "last_bets"):
            self.rig.run(500)
            self.rig.rnvp()
        elif state in ("locked", "dealing"):
            self.packet()
        elif state == "deciding" and self.random.random() < 0.5:
            self.play()
        elif state in ("deciding", "revealing"):
            self.rig.key("devoiler")
            self.rig.rnvp()
        else:
            self.rule()
            self.rig.key("devoiler")
            self.rig.key("fin")

    def deal(self) -> None:
        if not self.pack or self.random.random() < 0.05:
            self.pack = list(range(52)) * self.rig.config.decks
            self.random.shuffle(self.pack)
        if self.rig.config.deal == "packets":
            self.shuffled()
            return
        code = self.pack.pop()
        if self.random.random() < 0.04:
            code = self.random.choice((UNREAD, ALIEN, self.random.randrange(52)))
        self.rig.table.card(code, self.rig.clock.ticks())

    def shuffled(self) -> None:
        """A packet leaves the shuffler, of a size that is right more often than not."""
        game = self.rig.game
        sizes = [step.count for step in game.deal] * 3 + [self.random.randrange(1, 7)]
        size = min(self.random.choice(sizes), len(self.pack))
        codes = [self.pack.pop() for _ in range(size)]
        if self.random.random() < 0.05:
            codes[0] = self.random.choice((UNREAD, ALIEN, self.random.randrange(52)))
        self.rig.table.packet(codes, int(self.random.random() < 0.03), self.rig.clock.ticks())

    def packet(self) -> None:
        for _ in range(20):
            if self.rig.ports.gate.open:
                self.deal()
                self.rig.run(200)

    def rule(self) -> None:
        for issue in self.rig.table.status()["issues"]:
            amount = self.random.choice((0, 500, 1000, self.random.randrange(52)))
            self.rig.table.resolve(
                issue["id"], codes.RESOLUTIONS.index(self.random.choice(WORDS)), amount, self.random.choice((1, 2, 2))
            )

    def noise(self) -> None:
        antenna = self.random.randrange(len(self.rig.on))
        self.rig.noisy = {} if self.random.random() < 0.6 else {antenna: True}
        self.rig.deaf = {} if self.random.random() < 0.6 or not self.chips else {self.random.choice(self.chips): True}

    def void(self) -> None:
        if self.random.random() < 0.1:
            self.rig.void()

    def settle_down(self) -> None:
        """Everybody becomes reasonable: the round is brought to its end."""
        rig = self.rig
        rig.noisy, rig.deaf = {}, {}
        rig.run(15000)
        for attempt in range(60):
            if rig.state() in ("idle", "betting", "last_bets", "closed"):
                return
            rig.sign("dealer", 1)
            for key in ("non",) * 9 + ("superviseur",) * 8:  # nothing is being keyed any more, whatever is open
                if rig.table.status()["menu"]:
                    rig.key(key)
            for issue in rig.table.status()["issues"]:
                if issue["kind"] == "unread_card":
                    rig.supervisor(issue["id"], "keyed", attempt % 52)
                    rig.key("oui")
                elif not rig.supervisor(issue["id"], "refused" if attempt < 20 else "void"):
                    rig.supervisor(issue["id"], "cleared")
            if [issue for issue in rig.table.status()["issues"] if issue["second"]]:
                rig.key("oui")
            self.packet()
            rig.key("devoiler")
            if rig.state() == "settling":
                rig.key("fin")
            if rig.state() == "deciding":
                rig.rnvp()
            rig.run(1000)
        raise AssertionError("the round cannot be ended: " + repr(rig.table.status()))


def play(seed: int, steps: int, game: str = "three_card") -> Rig:
    """Let a crowd play; returns its table after the last round has been ended."""
    people = People(seed, game)
    for _ in range(steps):
        people.step()
    people.settle_down()
    return people.rig
