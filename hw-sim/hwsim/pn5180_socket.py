"""A PN5180 with an antenna and tags behind a TCP socket: a bench for drivers in another process, in any language.

Entry points: :func:`main` (``python -m hwsim.pn5180_socket E004010800001234 ...``), :class:`Bench` (one connection:
a line in, a line out), :func:`serve`. docs/chip-models.md describes the lines.

Limits: one connection at a time, each with a chip of its own; one chip and one antenna; this machine only.
"""

from __future__ import annotations

import argparse
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from hwsim import costs
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.pn5180 import Pn5180
from hwsim.chips.pn5180_failures import FAILURES
from hwsim.core import NS_PER_S, Line, Scheduler, SimFault
from hwsim.rf.antenna import Antenna
from hwsim.rf.switch import FixedPort

LONGEST_LINE: Final = 2048
LONGEST_WAIT_NS: Final = 60 * NS_PER_S
BYTE_NS: Final = 1143
"""A byte at 7 Mbit/s, the chip's fastest; a slower bus says so with each ``clock``."""
SLOWEST_BYTE_NS: Final = 1_000_000


class Bench:
    """A chip in reset (RESET_N low, NSS high) and its antenna; time is virtual and moves by :meth:`answer` only."""

    def __init__(self, uids: tuple[str, ...] = (), firmware: tuple[int, int] = (4, 0)) -> None:
        """Lay tags with these ``uids`` (printed, E0 first) on the antenna; ValueError for one that is none."""
        self.scheduler = Scheduler()
        self.antenna = Antenna(self.scheduler, "antenna")
        self._reset_n = Line("RESET_N")
        self.chip = Pn5180(
            self.scheduler, Line("BUSY"), self._reset_n, FixedPort(self.antenna), name="PN5180", firmware=firmware
        )
        self._selected = False
        self._tags: dict[bytes, IcodeSlix2] = {}
        self._world = {"enter": self._enter, "leave": self._leave, "fail": self._fail}
        self._acts: dict[str, Callable[[list[str]], str]] = {
            "nss": self._nss,
            "clock": self._clock,
            "reset": self._reset,
            "wait": self._wait,
            "busy": self._busy,
            "look": _look,
            **{name: _at_once(act) for name, act in self._world.items()},
            "after": self._after,
        }
        for uid in uids:
            self._enter([uid])()

    def answer(self, line: str) -> str:
        """Do what ``line`` says: ``NOW BUSY [MISO]`` when done, ``error`` and the reason when it is not understood.

        Each line takes the time of one call, and what it says on top. Raises SimFault for what no chip forgives.
        """
        words = line.split()
        act = self._acts.get(words[0]) if words else None
        try:
            if act is None:
                raise ValueError(f"known are {', '.join(self._acts)}")
            miso = act(words[1:])
        except ValueError as wrong:
            return f"error {line.strip()[:60]!r}: {wrong}"
        self._pass(costs.CALL_NS)
        return f"{self.scheduler.now} {self.chip.busy.level} {miso}".rstrip()

    def _pass(self, ns: int) -> None:
        self.scheduler.run_until(self.scheduler.now + ns)

    # The chip's pins, and time.

    def _nss(self, words: list[str]) -> str:
        selected = not _level(words)
        if selected and not self._selected:
            self.chip.select()
        elif self._selected and not selected:
            self.chip.deselect()
        self._selected = selected
        return ""

    def _clock(self, words: list[str]) -> str:
        if not 1 <= len(words) <= 2:
            raise ValueError("it wants the bytes of MOSI in hexadecimal, then perhaps the nanoseconds of a byte")
        mosi = _bytes(words[0])
        byte_ns = _number(words[1], BYTE_NS, SLOWEST_BYTE_NS) if len(words) > 1 else BYTE_NS
        miso = self.chip.transfer(mosi, byte_ns) if self._selected else b"\xff" * len(mosi)
        self._pass(len(mosi) * byte_ns)
        return miso.hex()

    def _reset(self, words: list[str]) -> str:
        self._reset_n.drive(_level(words))
        return ""

    def _wait(self, words: list[str]) -> str:
        self._pass(_number(_one(words), 0, LONGEST_WAIT_NS))
        return ""

    def _busy(self, words: list[str]) -> str:
        if len(words) != 2:
            raise ValueError("it wants a level, and the most nanoseconds to wait for it")
        level = _level(words[:1])
        end = self.scheduler.now + _number(words[1], 0, LONGEST_WAIT_NS)
        while self.chip.busy.level != level and self.scheduler.now < end:
            event = self.scheduler.next_time()
            self.scheduler.run_until(end if event is None else min(event, end))
        return ""

    # The world around it: what a line wants is understood at once, and may be done later.

    def _enter(self, words: list[str]) -> Callable[[], None]:
        if not 1 <= len(words) <= 4:
            raise ValueError("it wants a UID, then perhaps AFI, DSFID and memory in hexadecimal")
        uid = _uid(words[0])
        afi, dsfid, memory = (_bytes(word) for word in [*words[1:], *["00", "00", ""][len(words) - 1 :]])
        if len(afi) != 1 or len(dsfid) != 1:
            raise ValueError("AFI and DSFID are one byte each")
        made = IcodeSlix2(uid, afi[0], dsfid[0], memory)

        def enter() -> None:
            tag = self._tags.get(uid)
            if tag is None or len(words) > 1:
                if tag is not None and tag.antenna is not None:
                    raise ValueError("it lies there already")
                tag = self._tags[uid] = made
            self.antenna.enter(tag)

        return enter

    def _leave(self, words: list[str]) -> Callable[[], None]:
        uid = _uid(_one(words))

        def leave() -> None:
            tag = self._tags.get(uid)
            if tag is None:
                raise ValueError("no such tag has been there")
            self.antenna.leave(tag)

        return leave

    def _fail(self, words: list[str]) -> Callable[[], None]:
        how = _one(words)
        if how not in ("not", *FAILURES):
            raise ValueError(f"it can fail as {', '.join(FAILURES)}, or not")
        return lambda: self.chip.fail("" if how == "not" else how)

    def _after(self, words: list[str]) -> str:
        if len(words) < 2 or words[1] not in self._world:
            raise ValueError(f"it wants nanoseconds, then one of {', '.join(self._world)}")
        delay = _number(words[0], 0, LONGEST_WAIT_NS)
        act = self._world[words[1]](words[2:])

        def happen() -> None:
            try:
                act()
            except ValueError as wrong:
                raise SimFault(f"after {' '.join(words)[:60]!r}: {wrong}") from wrong

        self.scheduler.after(delay, happen)
        return ""


def _at_once(act: Callable[[list[str]], Callable[[], None]]) -> Callable[[list[str]], str]:
    def now(words: list[str]) -> str:
        act(words)()
        return ""

    return now


def _look(words: list[str]) -> str:
    if words:
        raise ValueError("it stands alone")
    return ""


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise ValueError("it wants one word behind it")
    return words[0]


def _level(words: list[str]) -> int:
    if words not in (["0"], ["1"]):
        raise ValueError("a level is 0 or 1")
    return int(words[0])


def _number(word: str, low: int, high: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 20 and low <= int(word) <= high):
        raise ValueError(f"{word} is no number of nanoseconds from {low} to {high}")
    return int(word)


def _bytes(word: str) -> bytes:
    try:
        return bytes.fromhex(word)
    except ValueError:
        raise ValueError(f"{word} is no row of bytes in hexadecimal, two digits each") from None


def _uid(printed: str) -> bytes:
    """UID in air order from its printed form."""
    uid = _bytes(printed)
    if len(uid) != 8:
        raise ValueError(f"{printed} is no UID: 8 bytes, 16 digits, as printed: E0 first")
    return uid[::-1]


def serve(listener: socket.socket, make: Callable[[], Bench], connections: int | None = None) -> None:
    """Answer one connection after the other, each on a bench that ``make`` gives; ``connections``: end after as many.

    A SimFault is told as ``fault`` and its text, and ends the connection, as does a line of more than 2048 characters.
    """
    while connections is None or connections > 0:
        connection, _ = listener.accept()
        if connections is not None:
            connections -= 1
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        bench = make()
        try:
            with connection, connection.makefile("rwb", buffering=0) as lines:
                while line := lines.readline(LONGEST_LINE):
                    if not line.endswith(b"\n"):
                        lines.write(f"fault a line has at most {LONGEST_LINE} characters and ends with LF\n".encode())
                        break
                    try:
                        reply = bench.answer(line.decode("ascii", "replace"))
                    except SimFault as wrong:
                        lines.write(f"fault {wrong}\n".encode())
                        break
                    lines.write(f"{reply}\n".encode("ascii", "backslashreplace"))
        except ConnectionError:
            continue  # the driver's program has ended: the next one may come


def _version(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    if not (major.isdigit() and minor.isdigit() and int(major) < 256 and int(minor) < 256):
        raise argparse.ArgumentTypeError(f"{text} is no version, such as 4.0")
    return int(major), int(minor)


def main(arguments: list[str]) -> int:
    """Serve until Ctrl-C; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m hwsim.pn5180_socket", description="Serve a PN5180 and the tags on its antenna to any driver."
    )
    parser.add_argument("uid", nargs="*", help="tags that lie on the antenna, as printed: E0 04 01 08 ... in one word")
    parser.add_argument("--port", type=int, default=5180, help="TCP port on this machine; 0: any (default: 5180)")
    parser.add_argument("--firmware", type=_version, default=(4, 0), help="the chip's version (default: 4.0)")
    asked = parser.parse_args(arguments)
    make = partial(Bench, tuple(asked.uid), asked.firmware)
    try:
        make()
        listener = socket.create_server(("127.0.0.1", asked.port))
    except (ValueError, OSError, OverflowError) as wrong:
        parser.error(str(wrong))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with listener:
        sys.stdout.write(f"a PN5180 at 127.0.0.1 port {listener.getsockname()[1]}; Ctrl-C ends it\n")
        sys.stdout.flush()
        try:
            serve(listener, make)
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
