"""An antenna with its field on and a reader that only speaks and listens: tags are asked without a reader chip.

Entry points: :class:`Field`, and the names and answers that the tag tests share.
"""

from __future__ import annotations

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import Scheduler
from hwsim.rf.air import AirFrame, Answer, crc_good, cycles_ns, request_cycles, with_crc
from hwsim.rf.antenna import Antenna
from tests.hwsim.pn5180_bench import MS, uid

UID = uid("E0 04 01 08 00 00 12 3A")
OTHER = uid("E0 04 01 08 00 00 45 0A")
NAME = UID.hex(" ")
REFUSED = b"\x01\x0f"
DONE = b"\x00"


class Field:
    """One antenna with its field on, and a reader that only speaks and listens."""

    name = "field"

    def __init__(self, *tags: IcodeSlix2) -> None:
        self.scheduler = Scheduler()
        self.antenna = Antenna(self.scheduler, "antenna")
        for tag in tags:
            self.antenna.enter(tag)
        self.cycle(0)
        self.delay = 0
        self.rate = 0

    def tag_gone(self, tag: object) -> None:
        """Nothing is received here."""

    def cycle(self, off_ns: int) -> None:
        """Field off for ``off_ns``, then on, and settled."""
        self.antenna.power_off()
        self.run(off_ns)
        self.antenna.power_on(self)
        self.run(1 * MS)

    def run(self, ns: int) -> None:
        self.scheduler.run_until(self.scheduler.now + ns)

    def raw(self, frame: bytes) -> bytes | None:
        start = self.scheduler.now
        self.run(cycles_ns(request_cycles(len(frame))))
        return self.heard(self.antenna.request(AirFrame(start, self.scheduler.now, frame), True))

    def eof(self, wait: int = 25 * MS) -> bytes | None:
        self.run(wait)
        start = self.scheduler.now
        self.run(cycles_ns(512))
        return self.heard(self.antenna.slot(start, self.scheduler.now, True))

    def heard(self, answers: list[Answer]) -> bytes | None:
        """The one answer without its CRC; None: silence."""
        eof = self.scheduler.now
        self.run(30 * MS)
        if not answers:
            return None
        (answer,) = answers
        assert crc_good(answer.frame)
        self.delay = answer.start - eof
        self.rate = answer.bit_cycles
        return answer.frame[:-2]

    def ask(self, request: str) -> bytes | None:
        return self.raw(with_crc(bytes.fromhex(request)))
