"""The dealer: keys, cards, and the chips of the payment. Entry point: :class:`Dealer`.

He goes by lamps, gate and what the host's screen says, and answers the questions that are his to answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from hwsim.core import NS_PER_MS
from hwsim.fuzz.crew import Script, Stuck, Until
from hwsim.fuzz.floor import Floor, Open, shown
from hwsim.fuzz.player import Player
from hwsim.scenario.claims import Entry, Row
from hwsim.scenario.values import dollars
from hwsim.world.cards import Card
from hwsim.world.shoe import DEALT, GATE_HELD

_SPEAKS_NS = 600 * NS_PER_MS  # from the word to the key
_FIN_NS = 1_500 * NS_PER_MS  # after so long in vain he presses FIN again
_CARD_EVERY_MS = 220
_CARD_SPEED = 1200
_PULL_MS = 110  # a card at that speed, from rest into the hand
_FALLS_MS = 120  # a finger on its way to a key is not called back
_DEALERS = ("foreign", "equal_swap", "ambiguous", "relation", "transit", "limit", "missing", "play_without_ante")


class Dealer:
    """The dealer at ``floor``; ``players`` by seat."""

    def __init__(self, floor: Floor, players: Mapping[int, Player]) -> None:
        self.floor = floor
        self.players = players
        self.playing: list[int] = []
        """seats that were dealt cards in this round"""
        self.hand: list[str] = []
        """his own cards"""
        self.staying: list[int] = []
        """seats that went on"""
        self.paid: set[int] = set()
        """numbers of the settlements that have been paid"""
        self.over = False
        """the round is over"""
        self.began = 0
        """number of the record before the round"""

    def begins(self) -> None:
        """Another round begins."""
        self.playing, self.staying, self.hand, self.paid = [], [], [], set()
        self.over = False
        self.began = self.floor.newest

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, *keys: str) -> Script:
        """Press keys one after the other."""
        for key in keys:
            self.floor.press(key)
            yield self.floor.rng.uniform(140, 220)

    def answers(self) -> Script:
        """Beside everything else: answer the questions that the display puts to the dealer."""
        floor = self.floor
        prompts = floor.stage.host.prompts
        seen = len(prompts)

        def second() -> int:
            """How many prompts there are up to the first ruling to second that he has not answered; 0: none."""
            return next((at for at, heard in enumerate(prompts[seen:], 1) if heard.prompt == "second"), 0)

        while not self.over:
            if second():
                seen += second()
                yield floor.rng.uniform(250, 700)
                yield from self.press("oui")
                continue
            seen = len(prompts)
            mine = self._asked()
            if mine:
                yield floor.rng.uniform(250, 700) - _FALLS_MS
                if mine[0] not in self._asked()[:1] or second():
                    continue  # another question has come meanwhile, or this one has gone
                yield _FALLS_MS
                word = floor.rng.choice(("oui", "non"))
                yield from self.press(word)
                if word == "non" and mine[0].kind == "ambiguous":
                    yield from floor.busy(self.players[mine[0].seat].put_right(mine[0].bet, mine[0].uids))
                yield 150
            yield 100

    def _asked(self) -> list[Open]:
        """What the display asks of the dealer, the oldest question first."""
        return [one for one in self.floor.open_questions(self.began) if one.severity == 1 and one.kind in _DEALERS]

    # --- cards --------------------------------------------------------------------------------------------------------

    def draw(self) -> Script:
        """Draw one card; the caller finds it last in the shoe's dealt cards."""
        floor = self.floor
        yield Until(lambda: floor.table.hardware.gate.open, "the gate")
        seen = len(floor.table.truth.facts)
        floor.table.draw(speed=_CARD_SPEED)
        yield _PULL_MS
        acts = [fact.act for fact in floor.table.truth.facts[seen:]]
        if GATE_HELD in acts or DEALT not in acts:
            raise Stuck("a card stayed in the shoe: the gate was shut when the dealer drew")
        yield _CARD_EVERY_MS - _PULL_MS

    def packet(self, count: int) -> Script:
        """Draw ``count`` cards for one place."""
        for _ in range(count):
            yield from self.draw()

    def dealt(self, count: int) -> list[Card]:
        """The last ``count`` cards that left the shoe."""
        return self.floor.table.shoe.dealt[-count:]

    # --- a round ------------------------------------------------------------------------------------------------------

    def round(self) -> Script:
        """One whole round, by the game's course."""
        law = self.floor.law
        yield from self.open_round()
        yield from self.deal()
        if law.equal_only:
            yield from self.pay()
        yield Until(lambda: not any(self.players[seat].deciding for seat in self.playing), "the players' decisions")
        yield from self._said_aloud()
        for step in law.course:
            yield from getattr(self, step)()
        yield from self.pay()
        yield from self.end()
        self.over = True

    def announce_bets(self) -> Script:
        """Press the announcement's key, a moment after the word."""
        floor = self.floor
        floor.announces_at = floor.now + _SPEAKS_NS
        floor.say("dealer", '"Rien ne va plus"')
        yield _SPEAKS_NS / NS_PER_MS
        yield from self.press("rnvp")

    def open_round(self) -> Script:
        """Wait until the players have done, announce, and see whose bets stand."""
        floor = self.floor
        yield Until(lambda: not any(player.betting for player in self.players.values()), "the players' bets")
        yield floor.rng.uniform(50, 200)
        yield floor.hands_off()
        yield from self.announce_bets()
        yield floor.bar("red")
        yield floor.told("confirmed_part" if floor.law.carded else "confirmed", self.began)
        yield 60

    def deal(self) -> Script:
        """Cards to every seat whose bets stand, by its lamps, then to oneself.

        Where the first card locks the bets, it goes to the first seat that has one, and the lamps then tell the others.
        """
        floor, law = self.floor, self.floor.law
        if law.carded:
            first = next((seat for seat in floor.seats if all(floor.cents(seat, bet) for bet in law.main)), 0)
            yield from self.draw()
            yield floor.told("confirmed", self.began)
            yield 60
            self.playing = self._standing()
            if first not in self.playing:
                raise Stuck(f"the first card went to seat {first}, whose bet does not stand")
        else:
            self.playing = self._standing()
        for seat in self.playing:
            yield from self.packet(law.cards_each - (1 if law.carded and seat == self.playing[0] else 0))
            self.players[seat].held = self.dealt(law.cards_each)
            if not law.equal_only and floor.cents(seat, law.asks):
                self._asks(seat)
        yield from self.packet(law.cards_dealer)
        self.hand = [card.code for card in self.dealt(law.cards_dealer)]
        if law.equal_only:
            for seat in self.playing:
                if law.decides(self.players[seat].cards, self.hand):
                    self._asks(seat)

    def _standing(self) -> list[int]:
        floor = self.floor
        return [
            seat for seat in floor.seats if any(floor.lamp(seat, bet) in ("red", "amber") for bet in floor.law.laid)
        ]

    def _asks(self, seat: int) -> None:
        player = self.players[seat]
        player.deciding = player.asked = True
        self.floor.crew.start(player.name, player.decides())

    def _said_aloud(self) -> Script:
        """Key what was said aloud; again where half a bet could not be taken before a ruling."""
        folding = [seat for seat in self.playing if self.players[seat].folds]
        for seat in folding:
            yield from self.press("abandon", f"p{seat}")
        if self.floor.law.at_once:
            yield 300
            yield from self.pay()
            taken = [int(row["seat"]) for entry in self._settled() for row in entry.rows if row["result"] == "forfeit"]
            for seat in folding:
                if seat not in taken:
                    yield from self.press("abandon", f"p{seat}")
                    yield 300
                    yield from self.pay()

    # --- after the decisions ------------------------------------------------------------------------------------------

    def close(self) -> Script:
        """Show one's cards; this closes the decisions."""
        yield self.floor.rng.uniform(200, 500)
        yield self.floor.hands_off()
        self.floor.ending = True
        yield from self.reveal()

    def reveal(self) -> Script:
        """Show a hand."""
        before = len(self._records("reveal"))
        yield from self.press("devoiler")
        yield Until(lambda: len(self._records("reveal")) > before or self._nothing_left(), "a hand that is shown")
        yield from self.pay()

    def announce(self) -> Script:
        """The second announcement, when anybody can still decide: a fold that took nothing yet may be taken back."""
        floor = self.floor
        self.staying = []
        if any(player.asked and not (player.folds and floor.law.at_once) for player in self.players.values()):
            yield floor.rng.uniform(200, 500)
            yield floor.hands_off()
            floor.ending = True
            yield from self.press("rnvp")
        floor.ending = True
        yield floor.told("decisions", self.began)
        for entry in self._records("decisions"):
            self.staying = [int(row["seat"]) for row in entry.rows if row.get("decision") in (floor.law.taken, "none")]

    def second(self) -> Script:
        """The second deal, to those who stay and to oneself."""
        law = self.floor.law
        if self.staying:
            for seat in self.staying:
                yield from self.packet(law.more_each)
                self.players[seat].held += self.dealt(law.more_each)
            yield from self.packet(law.more_dealer)
            self.hand += [card.code for card in self.dealt(law.more_dealer)]

    def war(self) -> Script:
        """Seat by seat: three burned, one to the seat, three burned, one to oneself."""
        for _seat in self.staying:
            yield from self.packet(8)
        if self.staying:
            yield Until(lambda: len(self._records("deal")) > 1, "the wars")

    def _records(self, name: str) -> list[Entry]:
        return [entry for entry in self.floor.entries(self.began) if entry.name == name]

    def _settled(self) -> list[Entry]:
        return self._records("settlement")

    def _nothing_left(self) -> bool:
        """Whether no bet waits for another hand."""
        return bool(self._settled()) and not self.floor.open_questions(self.began)

    # --- payment ------------------------------------------------------------------------------------------------------

    def pay(self) -> Script:
        """Take and pay what the display says, as it says it, until nothing is asked any more."""
        floor = self.floor
        while True:
            for entry in self._settled():
                if entry.sequence not in self.paid:
                    self.paid.add(entry.sequence)
                    yield floor.rng.uniform(100, 250)
                    yield from self._pay(entry)
            waiting = [one for one in floor.open_questions(self.began) if one.severity > 1 or one.kind == "ambiguous"]
            if not waiting:
                yield 120
                if all(entry.sequence in self.paid for entry in self._settled()):
                    return
            yield 100

    def _pay(self, entry: Entry) -> Script:
        for seat in sorted({int(row["seat"]) for row in entry.rows}, reverse=True):
            rows = [row for row in entry.rows if int(row["seat"]) == seat]
            yield from self.floor.busy(self._pay_seat(self.players[seat], rows))

    def _pay_seat(self, player: Player, rows: list[Row]) -> Script:
        floor, rng = self.floor, self.floor.rng
        self._take_cards(player)
        won = 0
        for row in rows:
            bet = str(row["bet"])
            lying = player.on(bet) if bet in floor.law.bets else []
            if lying and int(row["returned"]) < int(row["stake"]):
                floor.say("dealer", f"takes {shown(lying)} from seat {player.seat} {bet}")
                floor.lift(lying)
                floor.take(lying)
                yield rng.uniform(60, 140)
                won += int(row["returned"])
            won += int(row["paid"])
        if won:
            yield rng.uniform(60, 160)
            floor.say("dealer", f"pays {dollars(won)} to seat {player.seat}")
            player.takes(floor.tray.pay(won))
        settled = [str(row["bet"]) for row in rows if row["bet"] in floor.law.bets]
        floor.crew.start(player.name, floor.busy(player.collect(settled)))

    def _take_cards(self, player: Player) -> None:
        """Pull his cards from under his chips."""
        for card in player.tucked:
            self.floor.table.felt.remove(card, self.floor.now)
        player.tucked = []

    # --- the end ------------------------------------------------------------------------------------------------------

    def end(self) -> Script:
        """End the round; again when the table wants something first."""
        floor = self.floor
        for player in self.players.values():  # of a seat that was settled before he tucked them
            self._take_cards(player)
        for _ in range(5):
            yield floor.rng.uniform(150, 350)
            yield floor.hands_off()
            yield from self.press("fin")
            yield self._ended(floor.now + _FIN_NS)
            if any(entry.name == "round_end" for entry in floor.entries(self.began)):
                yield floor.bar("green")
                return
        raise Stuck("FIN does not end the round")

    def _ended(self, patience: int) -> Until:
        floor = self.floor

        def seen() -> bool:
            return floor.now > patience or any(entry.name == "round_end" for entry in floor.entries(self.began))

        return Until(seen, "the end of the round")
