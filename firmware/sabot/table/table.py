"""The table: its inputs are events, its outputs records, lamps, prompts and the gate. Entry point: `Table`.

It never waits and never touches a bus. `announce` is the hot path. `chip_in`, `chip_out`, `chip_unsure`, `visit_done`
are what `presence.Presence` tells its listener; they allocate nothing while bets are open.
"""

from sabot.table.advice import BETS_OPEN, Advice
from sabot.table.core import Core
from sabot.table.enclosure import Enclosure
from sabot.table.issues import Issues
from sabot.table.keys import Keys
from sabot.table.report import report
from sabot.table.round import Round
from sabot.table.staff import Staff
from sabot.table.ticks import since
from sabot.wire.codes import FAULTS, KEYS, LAMP_ATTENTION, RESOLUTIONS, VOID_REASONS, place_seat

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot.rules.game import Game
    from sabot.table.by_hand import ByHand
    from sabot.table.rulings import Rulings


class Table:
    """One table, closed at first.

    Args:
        config: the checked configuration, `sabot.settings.Settings`.
        game: the game in force, `sabot.rules.game.Game`.
        ports: see `core`.
        last_round: number of the last round in the journal, so that numbers go on; `rounds`: completed so far.
    """

    def __init__(self, config: "Any", game: "Game", ports: "Any", last_round: int = 0, rounds: int = 0) -> None:
        core = Core(config, game, ports, last_round, rounds)
        self._core = core
        self._issues = Issues(core)
        self._round = Round(core, self._issues)
        self._enclosure = Enclosure(core, self._issues)
        self._staff = Staff(core, self._issues)
        self._keys = Keys(self._round, self._rulings, self._staff, self.open, self.shut, self.last_call)
        self._advice = Advice(core)
        self.ports = ports

    @property
    def state(self) -> str:
        """Name of the table's state (`sabot.wire.states.TABLE_STATES`)."""
        return self._core.machine.name

    @property
    def rests(self) -> bool:
        """Whether no bet can be locked, and no card dealt, before the next FIN. Allocates nothing."""
        return self.state == "closed" or (self.state == "settling" and self._core.complete)

    @property
    def stopped(self) -> bool:
        """Whether the table is stopped for a reason that everybody may see. Allocates nothing."""
        return self._core.halted or (self._core.machine.name == "suspended" and self._issues.public_stop())

    @property
    def by_hand(self) -> "ByHand | None":
        """What people say of the cards, at a table that sees none (`by_hand`); None at any other."""
        return self._round.by_hand

    def _rulings(self) -> "Rulings":
        """What applies a ruling; it is loaded with the first of a round, and goes with the round (`Ending`)."""
        from sabot.table.rulings import Rulings

        return Rulings(self._round, self._issues, self._enclosure)

    # --- inputs: keys -------------------------------------------------------------------------------------------------

    def announce(self, edge: int) -> None:
        """The announcement's key: `edge` is the raw instant of the first edge of a press that counts."""
        self._core.now = self._core.ports.clock.ticks()
        self._keys.announcement(edge)
        self._round.proceed()

    def glitch(self, edge: int) -> None:
        """The announcement's key was down too briefly to count: recorded, and locks nothing."""
        self._keys.note("rnvp", "glitch", edge)

    def stuck(self, edge: int) -> None:
        """The announcement's key neither settles nor rests since `edge`: recorded."""
        self._keys.note("rnvp", "stuck", edge)

    def key(self, number: int, ticks: int) -> None:
        """A key of the panel (`codes.KEYS`), pressed at the raw instant `ticks`."""
        self._core.now = ticks
        self._core.ports.changed()
        name = KEYS[number]
        if name == "rnvp":
            self._keys.announcement(ticks)
        else:
            self._keys.press(name, ticks)
        self._round.proceed()
        self._advice.follow()

    # --- inputs: chips ------------------------------------------------------------------------------------------------

    def chip_in(self, antenna: int, chip: int, lo: int, hi: int) -> None:
        """A chip came to an antenna between the raw instants `lo` (may be `ticks.LONG_AGO`) and `hi`."""
        core = self._core
        spot = core.spot_of(antenna, chip)
        if spot < 0:
            return
        before = core.spots.seen[spot]
        item = core.ledger.arrive(spot, chip, lo, hi)
        if item < 0:
            self._no_room(antenna)
            return
        for confirmation in self._round.confirmations:
            if confirmation.judges(spot) and since(hi, confirmation.edge) <= 0:
                core.ledger.before[item] = 1  # it was heard before the lock; only its memory was read after it
        core.see(spot)
        core.stirred[core.spots.seat(spot)] = 1
        if core.machine.name in BETS_OPEN:
            if spot in core.spots.laid:
                core.spots.seat_machines.attempt("bet", core.spots.seat(spot))
                core.machine.attempt("first_bet")
        elif self._watched(spot):
            self._round.watch.came(item, spot, before)
        elif self._changes_lawfully(spot):
            self._round.watch.change(spot, before, lo, hi)
        elif core.in_round and not core.halted and core.spots.state(spot) == "settled":
            self._round.watch.around_settlement(item)

    def chip_out(self, antenna: int, chip: int, lo: int, hi: int) -> None:
        """A chip left an antenna between the raw instants `lo` and `hi`."""
        core = self._core
        spot = core.spot_of(antenna, chip)
        if spot < 0:
            return
        before = core.spots.seen[spot]
        item = core.ledger.depart(spot, chip, lo, hi)
        if item < 0:
            return
        core.see(spot)
        core.stirred[core.spots.seat(spot)] = 1
        if self._watched(spot):
            self._round.watch.left(item, spot, before)
        elif self._changes_lawfully(spot) or (spot in core.spots.laid and self._round.wholly_after(spot, lo)):
            self._round.watch.change(spot, before, lo, hi)

    def chip_unsure(self, antenna: int, chip: int, lo: int) -> None:
        """A chip did not answer in the visit that is ending and is not absent; its last answer came after `lo`."""
        spot = self._core.spot_of(antenna, chip)
        if spot >= 0:
            self._core.ledger.doubt(spot, chip, lo)

    def visit_done(self, antenna: int, begun: int, ended: int, clean: bool) -> None:
        """A visit to an antenna has ended; `clean`: everything there answered and no slot was left in doubt."""
        core = self._core
        spot = core.spots.of_antenna[antenna]
        if spot < 0:
            return
        core.now = ended
        self._visited(spot, begun, ended, clean)
        if core.spots.lodger[spot] >= 0:
            self._visited(core.spots.lodger[spot], begun, ended, clean)
        if self._round.confirming() and not core.halted:
            self._round.proceed()
            self._advice.follow()

    def _visited(self, spot: int, begun: int, ended: int, clean: bool) -> None:
        core = self._core
        core.ledger.visited(spot, begun, core.config.dwell_ms * 1000)
        seen = core.spots.seen[spot]
        core.see(spot)
        if seen != core.spots.seen[spot]:  # a chip has been identified meanwhile
            core.stirred[core.spots.seat(spot)] = 1
        if not core.halted:
            # What found no room in the ledger lies there all the same: such a spot is read by nobody, hence in doubt.
            sure = clean and not core.ledger.missed[spot]
            for confirmation in self._round.confirmations:
                if confirmation.active:
                    confirmation.visit_done(spot, begun, ended, sure)

    def _changes_lawfully(self, spot: int) -> bool:
        """Whether the spot is still open in a round: until the first card locks it (67.36)."""
        core = self._core
        return core.in_round and not core.halted and spot in core.spots.carded and core.spots.state(spot) == "open"

    def _watched(self, spot: int) -> bool:
        """Whether a change at the spot is one after a lock that has been judged."""
        core = self._core
        if core.halted or not core.in_round:
            return False
        return core.spots.state(spot) not in ("open", "settled") and not self._round.waits(spot)

    def _no_room(self, antenna: int) -> None:
        if not self._core.lost_chips:
            self._core.lost_chips = True
            self._core.append("fault", {"part": FAULTS.index("reader"), "index": antenna, "detail": "chips"})

    # --- inputs: the shoe, time, the supervisor -----------------------------------------------------------------------

    def leaving(self, edge: int) -> None:
        """A card breaks the beam at the raw instant `edge`, told at once: the first may lock. Allocates nothing."""
        if not self._core.halted:
            self._round.leaving(edge)

    def card(self, code: int, ticks: int) -> None:
        """A card has left the shoe at the raw instant `ticks`: 0 to 51, or a code of `deal`."""
        self._core.now = ticks
        if not self._core.halted:
            self._round.card(code, ticks)
        self._round.proceed()

    def packet(self, codes: "list[int]", deck: int, ticks: int) -> None:
        """A packet of cards has left the shuffler at the raw instant `ticks`: each as in `card`, all of deck `deck`."""
        self._core.now = ticks
        packets = self._round.packets
        if packets is not None and not self._core.halted:
            packets.packet(codes, deck, ticks, self._round.gate, self._round.judged)
        self._round.proceed()

    def discarded(self, codes: bytes) -> None:
        """These cards have come to the discard since the round began: 0 to 51, 255 for one of no deck."""
        self._round.ending.discard.report(codes, self._core.ports.clock.ticks())  # type: ignore[union-attr]

    def tick(self, ticks: int) -> None:
        """Time passes; to be called about every 50 ms."""
        core = self._core
        core.now = ticks
        if core.halted:
            return
        self._keys.tick(ticks)
        self._enclosure.tick()
        core.ledger.age(ticks, self._round.confirming())
        for confirmation in self._round.confirmations:
            confirmation.tick(ticks)
        if core.in_round:
            self._round.watch.tick(self._round.waits)
            self._round.ending.tick()
        self._round.proceed()
        self._advice.follow()
        if core.machine.name in BETS_OPEN:
            self._advice.tick()

    def contact(self, name: str, is_open: bool, ticks: int) -> None:
        """The `lid` of the shoe, or the `case`, has been opened or shut at the raw instant `ticks`."""
        self._core.now = self._core.ports.clock.ticks()
        self._enclosure.moved(name, is_open, ticks)
        self._round.proceed()

    def reader(self, antennas: "tuple[int, ...]", dead: bool) -> None:
        """The reader of these antennas (their numbers) has failed, or is back."""
        self._core.now = self._core.ports.clock.ticks()
        self._round.reader(antennas, dead)
        self._round.proceed()

    def stands(self, what: str) -> None:
        """Something outlives the power (`recovery.standing`): it has to be cleared before the table is opened."""
        now = self._core.ports.clock.ticks()
        if what == "case":
            self._enclosure.tampered(now)
        else:
            self._issues.raise_closed(what, now)

    def resolve(self, number: int, resolution: int, amount: int, by: int) -> bool:
        """End an irregularity: `codes.RESOLUTIONS`, cents or a card's code, `codes.ROLES`; False: it does not fit."""
        self._core.now = self._core.ports.clock.ticks()
        if self._core.halted:
            return False
        done = self._rulings().rule(number, RESOLUTIONS[resolution], amount, by)
        self._keys.tick(self._core.now)  # the desk leaves what is over before anything is shown of it
        self._round.proceed()
        self._advice.follow()
        return done

    def declare(self, kind: str, place: int, cents: int, by: int) -> bool:
        """What only people see at a spot (place byte): `declared`; by `codes.ROLES`. False when it cannot be said."""
        core = self._core
        core.now = core.ports.clock.ticks()
        if core.halted:
            return False
        from sabot.table.declared import Declared

        done = Declared(self._round).say(kind, core.spots.find(place), cents, by)
        core.ports.forget("sabot.table.declared")
        if not done:
            return False
        core.stirred[place_seat(place)] = 1
        self._round.proceed()
        self._advice.follow()
        return True

    def sign(self, role: int, number: int, on: bool) -> bool:
        """A dealer or supervisor (`codes.ROLES`) signs on or off; False when that cannot be now."""
        self._core.now = self._core.ports.clock.ticks()
        done = not self._core.halted and self._staff.sign(role, number, on)
        self._advice.follow()
        return done

    def void(self, reason: int, by: int) -> bool:
        """Void the running round: `codes.VOID_REASONS`, `codes.ROLES`. False when there is none."""
        self._core.now = self._core.ports.clock.ticks()
        if self._core.halted:
            return False
        done = self._round.ending.void(VOID_REASONS[reason], by)
        self._round.proceed()
        self._advice.follow()
        return done

    def withdraw(self, by: int) -> bool:
        """Withdraw the announcement, before the first card only. False when it is too late, or there is none."""
        self._core.now = self._core.ports.clock.ticks()
        done = self._round.ending.withdraw(by)
        self._round.proceed()
        self._advice.follow()
        return done

    # --- opening and closing ------------------------------------------------------------------------------------------

    def open(self, by: int) -> bool:
        """Open a closed table; False in any other state, and while the journal has no room for a round."""
        core = self._core
        if core.machine.name != "closed":
            return False
        if core.ports.journal.full or self._enclosure.blocks():
            core.prompt("call_supervisor")  # the status says why
            return False
        if self._staff.missing:
            core.prompt("sign_on")
            return False
        for trigger in ("open", "opened"):
            core.append("table", {"trigger": trigger, "by": by})
            core.machine.fire(trigger)
        for spot in core.spots.laid:
            core.spots.machines.fire("open", spot)
        self._advice.follow()
        return True

    def shut(self, by: int) -> bool:
        """Close a table on which no bet lies; False in any other state."""
        if self._core.machine.name != "idle":
            return False
        self._round.ending.shut_down(by)
        self._advice.follow()
        return True

    def halt(self) -> None:
        """A part of the controller has died: the table stops where it is until the controller starts again."""
        core = self._core
        core.halted = True
        self._round.shut_gate()
        if core.machine.can("suspend"):
            try:
                core.append("table", {"trigger": "suspend", "by": 0})
            finally:  # it can be the journal itself that has died, and no lamp may say then that bets are open
                core.machine.fire("suspend")
        self._round.proceed()

    def last_call(self, by: int) -> bool:
        """The dealer announces the last bets; False unless bets lie there."""
        core = self._core
        if core.machine.name != "betting":
            return False
        core.append("table", {"trigger": "last_call", "by": by})
        core.machine.fire("last_call")
        core.ports.lamps.bar(LAMP_ATTENTION)
        return True

    # --- what the link asks -------------------------------------------------------------------------------------------

    def view(self, silent: bool) -> bytearray:
        """What a monitor draws (`sabot.table.view`), never a card; `silent`: what players must not see, too."""
        from sabot.table.view import view

        payment = self._round.ending.payment
        paying = payment.status() if payment is not None and self._core.in_round else {}
        return view(self._core, self._issues, self._round.gate, paying, silent)

    def status(self) -> "dict[str, Any]":
        """What anyone may know: states, amounts, open irregularities. Never a card."""
        return report(self._round, self._staff, self._keys)
