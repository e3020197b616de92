"""Every cut of a whole round of every game: `make cuts`, a quarter of an hour of one core.

Entry points: `main` (cuts, judges, and writes results/power_cuts.json), `Count` (the same by hand), `rows` (what
docs/journal.md shows of that record).

Of each game's clean round (scenarios/games): the journal's own recovery of what a cut at each byte leaves, clean and
torn; of two images a write, its recovery cut at each byte too; of one in four of these, clean and torn by turns, a
start of the whole firmware.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hwsim.chips.mb85rs import replay
from sabot_host.sim.fuzz import GAMES
from tests.cuts.boots import boot
from tests.cuts.images import LOST, METERS, TORN, Image, Wrong, cut_again, images, recovered
from tests.cuts.life import Life, life
from tests.records import RESULTS, ROOT, begun, write_record

RESULT = RESULTS / "power_cuts.json"
COMMAND = "make cuts"
STARTS_WRONG = "starts_wrong"
COVERED = sorted((ROOT / "firmware" / "sabot" / "journal").glob("*.py"))


def two_a_write(life: Life) -> list[Image]:
    """Of each write: the power goes before it, and in its middle with a byte in flight."""
    left: list[Image] = []
    for writes in range(life.first, len(life.log)):
        data = life.log[writes].data
        half = len(data) // 2
        left.append((writes, replay(life.blank, life.log, writes)))
        left.append((writes, replay(life.blank, life.log, writes, half, data[half] ^ 0xA5)))
    return left


class Count:
    """Cuts of one game's round, and what they did."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.numbers = {
            "records": len(life.records),
            "bytes": sum(len(write.data) for write in life.log[life.first :]),
            **dict.fromkeys(("cuts", "cuts_in_recovery", "starts", LOST, TORN, METERS, STARTS_WRONG), 0),
        }

    def recover(self, name: str, left: Iterable[Image]) -> None:
        """Open each image; ``name`` counts them."""
        for writes, image in left:
            self.numbers[name] += 1
            try:
                recovered(self.life, image, writes)
            except Wrong as wrong:
                self.numbers[wrong.kind] += 1
                print(f"{self.life.name}, after {writes} writes: {wrong}", file=sys.stderr)

    def start(self, writes: int, image: bytearray) -> None:
        """Start the firmware on an image."""
        self.numbers["starts"] += 1
        try:
            boot(self.life, image, writes)
        except AssertionError as wrong:
            self.numbers[STARTS_WRONG] += 1
            print(f"{self.life.name}, started after {writes} writes: {wrong}", file=sys.stderr)

    @property
    def good(self) -> bool:
        """Whether no cut did any harm."""
        return harmless(self.numbers)


def harmless(numbers: Mapping[str, int]) -> bool:
    """Whether none of a game's cuts did any harm."""
    return not any(numbers[name] for name in (LOST, TORN, METERS, STARTS_WRONG))


def judge(life: Life) -> Count:
    """Cut everywhere."""
    count = Count(life)
    count.recover("cuts", images(life))
    for number, (writes, image) in enumerate(two_a_write(life)):
        count.recover("cuts_in_recovery", cut_again(life, bytearray(image), writes))
        if number % 8 in (0, 5):
            count.start(writes, image)
    return count


def rows(record: Mapping[str, Any]) -> list[str]:
    """The lines of the table in docs/journal.md."""
    names = ("records", "bytes", "cuts", "cuts_in_recovery", "starts", LOST, TORN, METERS, STARTS_WRONG)
    return [
        f"| {game} | " + " | ".join(f"{numbers[name]:,}" for name in names) + " |"
        for game, numbers in record["games"].items()
    ]


def main(games: Sequence[str]) -> int:
    """Cut the round of each of these games, and write the record; one that was broken off goes on where it was."""
    done: dict[str, dict[str, int]] = begun(RESULT, COVERED).get("games", {})
    if len(done) >= len(games):
        done = {}
    for game in games:
        if game in done:
            continue
        done[game] = judge(life(game)).numbers
        print(game, done[game], flush=True)
        write_record(RESULT, COMMAND, COVERED, {"games": done})
    return int(not all(harmless(numbers) for numbers in done.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or GAMES))
