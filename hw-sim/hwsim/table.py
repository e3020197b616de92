"""A whole simulated table: hardware, firmware in its interpreter, chips, cards, keys, and the cable to a host.

Entry points: :class:`SimTable` (build it, :meth:`~SimTable.start` it, act on it, :meth:`~SimTable.run_for` time) and
:class:`VirtualCable` (the transport of ``sabot_host.link.client`` over the simulated USB port).

Instants are nanoseconds of the simulated world; acts without one happen now.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from hwsim import provisioning
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.compiled import compiled
from hwsim.controller import Controller
from hwsim.core import NS_PER_MS, Scheduler
from hwsim.fabric import Fabric
from hwsim.rf.antenna import Antenna, Tag
from hwsim.wiring import ANTENNAS_A_READER, Hardware
from hwsim.world.badges import Badge, BadgeUids, PhoneBadge
from hwsim.world.cards import CARD_AFI, CUT_CARD, Card, make_cut_card, make_pack, shuffled, stacked
from hwsim.world.chips import Chip, Felt, Mint
from hwsim.world.shoe import USUAL, Pull, Shoe
from hwsim.world.truth import Truth, WorldError
from hwsim.world.uids import UidSource

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = (REPOSITORY / "firmware", REPOSITORY / "drivers")
STARTERS = ("boot.py", "main.py")  # what the board runs by itself, from the root of its file system
HEAP = "512k"  # the board's 448 KiB, and 64 KiB for the overlay
ALIEN = "alien"
DISCARD = provisioning.DISCARD
BAR_LAMPS = 8
BEGINNING = 1_767_261_600  # 2026-01-01 10:00 UTC: what the table's clock says when the simulated world begins
PRESS_NS = 120 * NS_PER_MS
SHOW_NS = 1000 * NS_PER_MS
DENOMINATIONS = (100000, 50000, 10000, 2500, 500, 100, 50)  # cents: what a hand makes an amount of


def _make_tag(uid: bytes, afi: int, memory: bytes) -> Tag:
    return IcodeSlix2(uid, afi=afi, memory=memory)


class SimTable:
    """One table on one controller.

    Args:
        root: folder that is the board's file system; its files are written unless they are there.
        config: the table's configuration (default: two seats of Three Card Poker).
        seed: of UIDs, the cards' order, bounce, and the controller's entropy.
        image: content of the journal memory at power-up, None for a new one.
        flash: content of the flash with the journal's segments, None for an empty one.
        code: folders with the firmware and the drivers (default: the sources, compiled).
        clock: what the table's clock has been set to, seconds since 1970 UTC; None: it has never been set.
        heap: the interpreter's heap; sources are compiled in it, so they need more than the board has.
        realtime: pace virtual time to the wall clock.
        bare: leave ``root`` as it is, whatever is missing there.
        options: passed on to :class:`~hwsim.controller.Controller`.
    """

    def __init__(
        self,
        root: Path,
        *,
        config: dict[str, Any] | None = None,
        seed: int = 0,
        image: bytearray | None = None,
        flash: bytearray | None = None,
        clock: int | None = BEGINNING,
        code: Sequence[Path] | None = None,
        heap: str = "2M",
        realtime: bool = False,
        bare: bool = False,
        **options: Any,
    ) -> None:
        self.config = provisioning.small_table() if config is None else config
        self.scheduler = Scheduler()
        self.fabric = Fabric(self.scheduler)
        self.truth = Truth(self.scheduler)
        readers = self.config["readers"]
        spots = [tuple(spot) for reader in readers for spot in reader if spot not in (None, DISCARD)]
        self.hardware = Hardware(
            self.scheduler,
            self.fabric,
            lamps=len(spots) + BAR_LAMPS,
            readers=len(readers),
            shoe=provisioning.shoe_of(self.config),
            badges=self.config.get("badge_reader") is True,
            image=image,
            flash=flash,
            clock=clock,
            seed=seed,
        )
        self._spots: dict[tuple[int, str], Antenna] = {}
        self.discards: Antenna | None = None
        """The antenna under the discard, where there is one."""
        for number, reader in enumerate(readers):
            for position, spot in enumerate(reader[:ANTENNAS_A_READER]):
                antenna = self.hardware.antennas[number][position]
                if spot == DISCARD:
                    antenna.name = DISCARD
                    self.discards = antenna
                elif spot is not None:
                    antenna.name = f"P{spot[0]} {spot[1]}"
                    self._spots[(spot[0], spot[1])] = antenna
        self._couple()
        uids = self._uids = UidSource(seed)
        keys = provisioning.DEVELOPMENT_KEYS
        self.mint = Mint(_make_tag, uids, casino=self.config["casino"], key=keys["casino"])
        self.felt = Felt(self.scheduler, self.truth)
        decks = 2 if self.config.get("decks_alternate") is True else 1
        strips = self.hardware.lip is not None
        decks_in_play = self.config.get("decks", 1)
        self.packs = [make_pack(_make_tag, uids, decks_in_play, strips=strips) for _ in range(decks)]
        # Where cards go back into the shoe after each round, nobody asks for a cut card.
        self.cut_card = make_cut_card(_make_tag, uids, strips=strips) if decks_in_play > 1 else None
        self.shoe = Shoe(
            self.scheduler,
            self.truth,
            self.hardware.mouth,
            beam=self.hardware.beam,
            gate=self.hardware.gate,
            lip=self.hardware.lip,
        )
        self.badge_uids = BadgeUids(seed)
        self.seed = seed
        self.shuffles = 0
        self.shuffle()
        if not bare and not (root / "config.json").exists():
            cut = [] if self.cut_card is None else [self.cut_card]
            provisioning.provision(root, self.config, [self.packs[0] + cut, *self.packs[1:]], new=image is None)
            for name in STARTERS:
                shutil.copy(SOURCES[0] / name, root / name)
        path = [compiled(SOURCES, REPOSITORY / "build" / "sim")] if code is None else list(code)
        self.controller = Controller(
            self.fabric, root=root, path=path, heap=heap, seed=seed, realtime=realtime, **options
        )

    def _couple(self) -> None:
        """Let the antennas disturb each other that couple: what the configuration says is how the table is built."""
        for one, other in self.config.get("couples_with", ()):
            for near in self._side(one):
                for far in self._side(other):
                    near.couple(far)

    def _side(self, side: Any) -> list[Antenna]:
        """Antennas that one side of a pair names: a seat's, or one spot's; none when there is no such seat."""
        wanted = tuple(side) if isinstance(side, list) else (side,)
        return [antenna for spot, antenna in self._spots.items() if spot[: len(wanted)] == wanted]

    # --- time ---------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Nanoseconds since the simulated world began."""
        return self.scheduler.now

    def start(self) -> None:
        """Power up."""
        self.hardware.power_on()
        self.controller.start()

    def run_for(self, ms: float) -> None:
        """Let ``ms`` milliseconds pass."""
        self.controller.run_for(round(ms * NS_PER_MS))

    def run_while(self, condition: Callable[[], bool], limit_ms: float) -> bool:
        """Let time pass while ``condition()``; False when it still holds after ``limit_ms``."""
        return self.controller.run_while(condition, round(limit_ms * NS_PER_MS))

    def stop(self) -> None:
        """Cut the power; the chips keep what they keep."""
        self.controller.kill()
        self.hardware.power_off()

    # --- people -------------------------------------------------------------------------------------------------------

    def spot(self, seat: int, bet: str) -> Antenna:
        """The antenna of a bet spot; WorldError when the layout has none."""
        antenna = self._spots.get((seat, bet))
        if antenna is None:
            raise WorldError(f"no spot {bet} at seat {seat}")
        return antenna

    @property
    def spots(self) -> dict[tuple[int, str], Antenna]:
        """Every bet spot: (seat, bet) to its antenna, in the order of the antennas."""
        return dict(self._spots)

    def mint_of(self, casino: int, key: bytes, name: str) -> Mint:
        """Where chips of another casino, or forged ones, come from."""
        return Mint(_make_tag, self._uids, casino=casino, key=key, name=name)

    def stack(self, cents: int) -> list[Chip]:
        """New chips that make up an amount, the largest first; WorldError when they cannot."""
        chips = []
        for value in DENOMINATIONS:
            while cents >= value:
                chips.append(self.mint.chip(value))
                cents -= value
        if cents:
            raise WorldError(f"{cents} cents are left that no chip makes")
        return chips

    def place(self, seat: int, bet: str, cents: int, at: int | None = None) -> list[Chip]:
        """A player puts an amount on a spot; returns the chips."""
        chips = self.stack(cents)
        for chip in chips:
            self.felt.place(chip, self.spot(seat, bet), self.now if at is None else at)
        return chips

    def remove(self, chips: Sequence[Chip], at: int | None = None) -> None:
        """Somebody takes chips from where they lie."""
        for chip in chips:
            self.felt.remove(chip, self.now if at is None else at)

    def clear(self, seat: int, bet: str) -> list[Chip]:
        """Somebody takes everything from a spot, now; returns what was taken."""
        chips = [piece for piece in self.felt.lying_on(self.spot(seat, bet)) if isinstance(piece, Chip)]
        self.remove(chips)
        return chips

    def press(self, key: str, at: int | None = None, hold: int = PRESS_NS) -> None:
        """The dealer presses a key: ``rnvp``, ``fin``, ``devoiler``, ``p1`` ... (with its bounce)."""
        instant = self.now if at is None else at
        self.hardware.keys[key].press(instant)
        self.hardware.keys[key].release(instant + hold)

    def draw(self, at: int | None = None, speed: int = USUAL) -> Pull:
        """The dealer draws the next card from the shoe, ``speed`` in mm/s."""
        return self.shoe.pull(self.now if at is None else at, speed)

    def discard(self, cards: Iterable[Card]) -> None:
        """The dealer lays cards into the discard, now; WorldError when it has no antenna."""
        if self.discards is None:
            raise WorldError("the discard has no antenna")
        for card in cards:
            self.felt.place(card, self.discards, self.now)

    def badge(self, name: str, size: int = 7) -> Badge:
        """A new badge with a UID of 4 or 7 bytes; WorldError for any other size."""
        if size not in (4, 7):
            raise WorldError(f"no badge has a UID of {size} bytes")
        return Badge(self.badge_uids.four() if size == 4 else self.badge_uids.seven(), name)

    def phone(self, name: str) -> PhoneBadge:
        """What answers with another UID each time: a telephone, or a bank card."""
        return PhoneBadge(self.seed, name)

    def show(self, badge: Badge, hold: int = SHOW_NS, at: int | None = None) -> None:
        """Somebody holds a badge to the reader's pad."""
        self.hardware.pad.show(badge, hold, at)

    def strange_card(self) -> Card:
        """A card of another pack: a tag that no list knows, and no strip."""
        uid = self._uids.next()
        return Card(ALIEN, uid, _make_tag(uid, CARD_AFI, b""))

    def shuffle(self, top: Sequence[str] = ()) -> None:
        """All cards go back into the shoe, shuffled; ``top`` are codes of cards that come first.

        Where two decks take turns it is the other deck that comes.

        ``alien`` among them is a card of another pack, ``cut`` the cut card, which stays out without.
        """
        self.shuffles += 1
        seed = self.seed * 100_000 + self.shuffles
        own = [code for code in top if code not in (ALIEN, CUT_CARD)]
        pack = self.packs[(self.shuffles - 1) % len(self.packs)]
        cards: list[Card] = stacked(pack, own, seed) if own else shuffled(pack, seed)
        for position, code in enumerate(top):
            if code == ALIEN:
                cards.insert(position, self.strange_card())
            elif code == CUT_CARD and self.cut_card is not None:
                cards.insert(position, self.cut_card)
        for card in cards:
            lies_on = self.felt.where(card)
            if lies_on is not None:
                self.felt.take(card)
        self.shoe.load(cards)


class VirtualCable:
    """The USB cable between the simulated controller and a host inside the same process: time is the table's."""

    def __init__(self, table: SimTable) -> None:
        self._table = table
        self._cdc = table.fabric.cdc
        self._cdc.host_open()

    def now_ms(self) -> int:
        """Milliseconds of the simulated world."""
        return self._table.now // NS_PER_MS

    def write(self, data: bytes) -> None:
        """Send bytes; the port takes what it has room for, and time passes until it has taken all."""
        while data:
            taken = self._cdc.host_write(data)
            data = data[taken:]
            if data:
                self._table.run_for(1)

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that have come, letting up to ``timeout_ms`` pass for the first."""
        data = self._cdc.host_read()
        end = self.now_ms() + timeout_ms
        while not data and self.now_ms() < end:
            self._table.run_for(1)
            data = self._cdc.host_read()
        return data

    def reopen(self, timeout_ms: int) -> None:
        """Open the port again, now or as soon as it is back; ``timeout_ms`` may pass until then."""
        self._cdc.host_open()
        self._table.controller.run_while(lambda: not self._cdc.dtr, timeout_ms * NS_PER_MS)

    def close(self) -> None:
        """Close the port; like an operating system, wait until what was written has gone, here 100 ms at most."""
        end = self.now_ms() + 100
        while self._cdc.waiting and self._cdc.attached and self.now_ms() < end:
            self._table.run_for(1)
        self._cdc.host_close()
