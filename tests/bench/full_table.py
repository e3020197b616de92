"""Seven seats on four readers, dealt by people who make no mistake and pay in the table's order.

Entry point: :class:`FullTable`: the whole firmware from its .mpy files on the board's own heap, with a host that pulls
the journal. The people are the fuzz's (``hwsim.fuzz``), whose bets, cards and decisions are drawn from a seed; they
neither blunder nor cheat, and the dealer pays page by page: losers' stakes are taken, winnings are laid beside the
stake, FIN turns a page that has not been verified by then, the player takes what is his. What the table asks about a
payment is answered; a round with a fault, a fault of the cards or a void is an AssertionError.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from hwsim.compiled import compiled
from hwsim.core import NS_PER_MS
from hwsim.fuzz.crew import Script, Stuck
from hwsim.fuzz.dealer import Dealer
from hwsim.fuzz.game import Play
from hwsim.fuzz.player import Player
from hwsim.fuzz.supervisor import Supervisor
from hwsim.provisioning import full_table
from hwsim.scenario.claims import Row
from hwsim.table import REPOSITORY, SOURCES
from sabot_build.compiler import LINES_DROPPED
from sabot_host.sim.play import Session
from tests.bench.rig import HEAP, board_heap

NO_ACTS = ("none",)  # no act of the fuzz is called so
VERIFIED_MS = 2500  # within which a page is verified and turned
END_NS = 1500 * NS_PER_MS  # FIN is pressed again when the round has not ended by then
PAGES = 24
REST_MS = 5000  # after it the display has shown all that there is to be shown


class _Payer(Dealer):
    """Pays page by page, and presses FIN for as long as there are pages."""

    def _pay_seat(self, player: Player, rows: list[Row]) -> Script:
        floor = self.floor
        due, spot, page = 0, "", self._page()
        for card in player.tucked:
            floor.table.felt.remove(card, floor.now)
        player.tucked = []
        for row in rows:
            bet = str(row["bet"])
            lying = player.on(bet) if bet in floor.law.bets else []
            lost = int(row["returned"]) < int(row["stake"])
            if lying and lost:
                floor.lift(lying)
                floor.take(lying)
            due += int(row["paid"]) + (int(row["returned"]) if lost else 0)
            if lying and not spot and int(row["returned"]):
                spot = bet
        if due:
            yield floor.rng.uniform(100, 200)
            floor.lay(floor.tray.pay(due), player.seat, spot)
        yield VERIFIED_MS
        if page and self._page() == page:
            yield from self.press("fin")
        yield from player.collect([str(row["bet"]) for row in rows if row["bet"] in floor.law.bets])

    def _page(self) -> str:
        """Number of the page on the display, as in "2/7"; empty when it shows none."""
        number = self.floor.stage.display()[0].split(" ")[-1]
        return number if "/" in number else ""

    def end(self) -> Script:
        """Press FIN until the round has ended."""
        floor = self.floor
        for _ in range(PAGES):
            yield floor.hands_off()
            yield from self.press("fin")
            yield self._ended(floor.now + END_NS)
            if self._records("round_end"):
                yield floor.bar("green")
                return
        raise Stuck("FIN does not end the round")


class FullTable:
    """The reference table with one game, open; a context manager.

    ``changes`` are fields of its configuration; ``config`` is another table's.
    """

    def __init__(self, game: str, *, seed: int = 0, config: dict[str, Any] | None = None, **changes: Any) -> None:
        code = [compiled(SOURCES, REPOSITORY / "build" / "sim", LINES_DROPPED)]
        self._session = Session(config or full_table(game, **changes), seed=seed, code=code, heap=HEAP)
        self._play = play = Play(self._session.stage(), seed, NO_ACTS)
        play.dealer = _Payer(play.floor, play.players)
        play.supervisor = Supervisor(play.floor, play.dealer)

    def __enter__(self) -> Self:
        """Switch it on and open it."""
        self._play.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Switch it off and remove its files."""
        self._session.close()

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return self._play.rounds

    def play(self, rounds: int) -> None:
        """Play so many rounds; the table is idle before and after."""
        for _ in range(rounds):
            self._play.round()
            wrong = [
                entry.name for entry in self._play.floor.entries(self._play.dealer.began) if _is_wrong(entry.family)
            ]
            assert not wrong, f"round {self.rounds}: {wrong}"
            self._session.host.acknowledge()
        assert self._session.table.controller.restarts == 0

    def heap(self) -> tuple[int, int]:
        """Bytes of the board's heap, and those of them that the firmware uses at rest, collected."""
        self._session.table.run_for(REST_MS)
        return board_heap(*self._session.table.controller.heap())


def _is_wrong(family: str) -> bool:
    return family in ("card_fault", "fault", "void")
