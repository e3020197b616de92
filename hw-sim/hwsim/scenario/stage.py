"""What a scenario acts on: the table, its chips by name, the marks, the host on the cable, the witness of the journal.

Entry points: :class:`Stage`, :class:`Host` and :class:`Witness` (what it needs of whoever can read the link and the
records), :class:`Impossible` (an act that cannot happen).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from hwsim.scenario.claims import Entry
from hwsim.scenario.script import Pieces, Spot
from hwsim.scenario.values import dollars
from hwsim.table import BAR_LAMPS, PRESS_NS, SimTable
from hwsim.world.air import Air
from hwsim.world.badges import Badge
from hwsim.world.cards import Card
from hwsim.world.chips import Chip, Mint
from hwsim.world.shoe import Pull

_BY_CHANNELS = {
    (0, 0, 0): "dark",
    (1, 0, 0): "red",
    (0, 1, 0): "green",
    (0, 1, 1): "green",
    (1, 1, 0): "amber",
    (1, 1, 1): "white",
    (1, 0, 1): "violet",
    (0, 0, 1): "blue",
}


UNTIL_THE_GATE = "wait until gate open"
"""What to write where a card was held by the gate."""


class Impossible(Exception):
    """What a line asks for cannot be done now; the text says why, ``hint`` what to write instead."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Heard(NamedTuple):
    """A prompt that reached the host: its instant (ns), what, where."""

    when: int
    prompt: str
    spot: Spot | None


class Host(Protocol):
    """A computer at the controller's USB port."""

    plugged: bool
    prompts: list[Heard]

    @property
    def up(self) -> bool:
        """Whether a session is open."""

    def plug(self) -> None:
        """Put the cable in and follow the journal from where it was."""

    def unplug(self) -> None:
        """Pull the cable."""

    def reads(self, willing: bool) -> None:
        """Take bytes, or hold the port open and take none."""

    def send(self, data: bytes) -> None:
        """Send bytes that belong to no frame."""

    def acknowledge(self) -> None:
        """Tell the controller that every record received so far is safe."""

    def void(self) -> None:
        """The supervisor voids the round."""

    def rule(self, number: int, ruling: str, cents: int, role: str = "supervisor") -> None:
        """The supervisor, or another role, ends irregularity ``number``; ``cents``, or the number of a card."""

    def declare(self, kind: str, spot: Spot, cents: int) -> None:
        """The supervisor says what no antenna sees at a spot."""

    def sign(self, role: str, number: int, on: bool) -> None:
        """Somebody with the key of ``role`` signs on or off, by number."""

    def enrol(self, role: str, number: int, uid: bytes) -> None:
        """A badge is enrolled with the key of ``role``, by number."""

    def revoke(self, role: str, uid: bytes) -> None:
        """A badge is revoked with the key of ``role``."""

    def state(self) -> str:
        """The table's state as the controller has just told it; empty while no answer has come."""
        ...

    def quiet(self) -> bool:
        """Whether no request of this host is under way."""

    def refusals(self) -> list[str]:
        """What the controller refused since the last call."""

    def sequences(self) -> Sequence[int]:
        """Numbers of the records received, in the order in which they came."""


class Witness(Protocol):
    """Whoever reads the journal as it is stored."""

    def look(self) -> None:
        """Take in what was stored since the last look."""

    @property
    def entries(self) -> Sequence[Entry]:
        """Every record stored so far, in order."""

    @property
    def state(self) -> str:
        """State of the table, by the records."""

    def counter(self, name: str) -> int:
        """A meter, summed over the records."""

    def settled(self, seat: int, bet: str) -> tuple[int, int, int]:
        """Cents staked, paid and returned at a spot, summed over the records."""


class Stage:
    """One running scenario. ``display()`` reads the dealer's display, ``say(text)`` takes what is worth showing."""

    def __init__(
        self,
        table: SimTable,
        host: Host,
        witness: Witness,
        bets: Sequence[str],
        display: Callable[[], list[str]],
        say: Callable[[str], None],
    ) -> None:
        self.table = table
        self.display = display
        self.language: str = table.config.get("language", "fr")
        self.host = host
        self.witness = witness
        self.say = say
        self.marks: dict[str, int] = {}
        self.found = 0  # sequence of the record that was found last
        self.heard = 0  # prompts that an expectation has passed
        self.powered = False
        self._chips: dict[str, list[Chip]] = {}
        self.badges: dict[str, Badge] = {}
        """What may be shown to the badge reader, by name."""
        self.enrolled: dict[str, str] = {}
        """Name of a badge to the role whose key enrolled it."""
        self.spots = sorted(table.spots, key=lambda spot: (spot[0], bets.index(spot[1])))
        """Every spot, in the order of the chain of lamps."""
        self._lamp_of = {spot: index for index, spot in enumerate(self.spots)}
        antennas = [antenna for reader in table.hardware.antennas for antenna in reader]
        self.air = Air(table.scheduler, [*antennas, table.hardware.mouth], table.seed)
        self.presses: list[tuple[int, str]] = []
        """Every key pressed, with its instant (ns)."""
        self.pressed_until: dict[str, int] = {}
        """By key: when the finger of its last press goes up (ns)."""
        self.halfway: Pull | None = None
        """The card that is halfway out of the shoe."""
        self._down: set[str] = set()
        keys = table.config["casino"]
        self.strangers = {
            "foreign": table.mint_of(keys + 1, b"another casino", "foreign "),
            "forged": table.mint_of(keys, b"not the casino's key", "forged "),
        }

    # --- time ---------------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Let what was asked for this very instant happen."""
        self.table.scheduler.run_until(self.table.now)

    # --- chips --------------------------------------------------------------------------------------------------------

    def named(self, name: str) -> list[Chip]:
        """The chips of that name."""
        return self._chips[name]

    @property
    def names(self) -> list[str]:
        """Names that chips have."""
        return list(self._chips)

    def name(self, name: str, chips: list[Chip]) -> None:
        """Give chips a name."""
        self._chips[name] = chips

    def make(self, amounts: Sequence[int], mint: Mint | None = None) -> list[Chip]:
        """New chips of these values."""
        return [(mint or self.table.mint).chip(cents) for cents in amounts]

    def in_hand(self, pieces: Pieces) -> list[Chip]:
        """Chips to be put down: new ones of an amount, or named ones."""
        return self.table.stack(pieces.cents) if not pieces.name else self.named(pieces.name)

    def lying(self, pieces: Pieces, spot: Spot) -> list[Chip]:
        """The chips meant among those on a spot; Impossible when they are not there."""
        antenna = self.table.spot(spot.seat, spot.bet)
        there = [piece for piece in self.table.felt.lying_on(antenna) if isinstance(piece, Chip)]
        if pieces.everything:
            chosen: list[Chip] | None = there
        elif pieces.name:
            chosen = [chip for chip in self.named(pieces.name) if chip in there]
            chosen = chosen if len(chosen) == len(self.named(pieces.name)) else None
        else:
            chosen = _making(there, pieces.cents)
        if not chosen:
            what = pieces.name or ("chips" if pieces.everything else dollars(pieces.cents))
            lying = ", ".join(chip.label for chip in there) or "nothing"
            raise Impossible(f"{what} cannot be taken from {spot}: there lies {lying}", "take what lies there")
        return chosen

    # --- cards and keys -----------------------------------------------------------------------------------------------

    def dealt(self, code: str) -> Card:
        """The card of that code that left the shoe last; Impossible when none did."""
        for card in reversed(self.table.shoe.dealt):
            if card.code == code:
                return card
        out = " ".join(card.code for card in self.table.shoe.dealt) or "none"
        raise Impossible(f"no {code} has been dealt; dealt are: {out}", "name a card that has left the shoe")

    def card(self, code: str) -> Card:
        """The card of that code that was dealt last, else one of the table's that somebody has kept aside."""
        known = [*reversed(self.table.shoe.dealt), *(card for pack in self.table.packs for card in pack)]
        for card in known:
            if card.code == code:
                return card
        raise Impossible(f"this table has no {code}", "name a card of its packs")

    def press(self, key: str, hold: int = PRESS_NS) -> None:
        """A finger on a key for ``hold`` ns; Impossible while it is held down."""
        self._touch(key)
        self.table.press(key, hold=hold)
        self.pressed_until[key] = self.table.now + hold

    def hold(self, key: str) -> None:
        """A finger on a key until :meth:`let_go`; Impossible while it is held down."""
        self._touch(key)
        self._down.add(key)
        self.table.hardware.keys[key].press(self.table.now)

    def _touch(self, key: str) -> None:
        if key in self._down:
            raise Impossible(f"the key {key} is down already", f"let it go first: let go of {key}")
        self.presses.append((self.table.now, key))

    def is_down(self, key: str) -> bool:
        """Whether the key is held."""
        return key in self._down

    def let_go(self, key: str) -> None:
        """The finger goes up."""
        self._down.discard(key)
        self.table.hardware.keys[key].release(self.table.now)

    # --- lamps --------------------------------------------------------------------------------------------------------

    def bar(self) -> str:
        """Colour of the bar: of all its lamps, or ``mixed``."""
        pixels = self.table.hardware.lamps.pixels[len(self._lamp_of) :][:BAR_LAMPS]
        colours = {colour(pixel) for pixel in pixels}
        return colours.pop() if len(colours) == 1 else "mixed"

    def lamp(self, spot: Spot) -> str:
        """Colour of a spot's lamp."""
        return colour(self.table.hardware.lamps.pixels[self._lamp_of[(spot.seat, spot.bet)]])


def colour(pixel: tuple[int, int, int]) -> str:
    """What a person calls a lamp's light: by the channels that reach half of the strongest."""
    most = max(pixel)
    red, green, blue = (int(most > 0 and 2 * channel >= most) for channel in pixel)
    return _BY_CHANNELS[(red, green, blue)]


def _making(chips: Sequence[Chip], cents: int) -> list[Chip] | None:
    """Chips that make up an amount, the ones put down last first; None when no choice does."""
    ways: dict[int, list[Chip]] = {0: []}
    for chip in reversed(chips):
        for total, chosen in list(ways.items()):
            if total + chip.cents <= cents and total + chip.cents not in ways:
                ways[total + chip.cents] = [*chosen, chip]
    return ways.get(cents)
