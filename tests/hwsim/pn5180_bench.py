"""A PN5180 model on a bench: the smallest bus master that keeps its rules, and the sequences of its data sheet.

Entry points: :class:`Bench`, :func:`uid` (from the printed, MSB-first form).
"""

from __future__ import annotations

from collections.abc import Iterable

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.pn5180 import Pn5180
from hwsim.chips.pn5180_map import Pn5180Timing
from hwsim.core import Line, Scheduler
from hwsim.rf.antenna import Antenna
from hwsim.rf.switch import FixedPort, RfPort

BYTE_NS = 1143  # 7 Mbit/s
US = 1_000
MS = 1_000_000


def uid(printed: str) -> bytes:
    """UID in air order from the printed form, ``E0 04 01 08 00 00 12 3A``."""
    return bytes.fromhex(printed)[::-1]


class Bench:
    """A chip on its own bus. ``tags`` lie on the one antenna unless another ``port`` is given."""

    def __init__(
        self,
        tags: Iterable[IcodeSlix2] = (),
        *,
        port: RfPort | None = None,
        scheduler: Scheduler | None = None,
        firmware: tuple[int, int] = (4, 0),
        eeprom: bytes | None = None,
        timing: Pn5180Timing | None = None,
        unkept_registers: Iterable[int] = (),
    ) -> None:
        self.scheduler = scheduler or Scheduler()
        self.antenna = Antenna(self.scheduler, "bench")
        for tag in tags:
            self.antenna.enter(tag)
        self.busy = Line("BUSY")
        self.reset_n = Line("RESET_N")
        self.chip = Pn5180(
            self.scheduler,
            self.busy,
            self.reset_n,
            port or FixedPort(self.antenna),
            name="reader",
            firmware=firmware,
            eeprom=eeprom,
            timing=timing,
            unkept_registers=unkept_registers,
        )

    # Bus.

    def run(self, ns: int) -> None:
        self.scheduler.run_until(self.scheduler.now + ns)

    def wait_idle(self, limit: int = 50 * MS) -> None:
        end = self.scheduler.now + limit
        while self.busy.level:
            when = self.scheduler.next_time()
            assert when is not None and when <= end, "BUSY stuck high"
            self.scheduler.run_until(when)

    def clock(self, mosi: bytes) -> bytes:
        """One frame, NSS low to NSS high; does not wait afterwards."""
        self.chip.select()
        miso = self.chip.transfer(mosi, BYTE_NS)
        self.run(len(mosi) * BYTE_NS)
        self.chip.deselect()
        return miso

    def send(self, *mosi: int) -> None:
        """A command without answer."""
        self.clock(bytes(mosi))
        self.wait_idle()

    def ask(self, mosi: bytes, count: int) -> bytes:
        """A command with its answer."""
        self.clock(mosi)
        self.wait_idle()
        answer = self.clock(b"\xff" * count)
        self.wait_idle()
        return answer

    # Registers.

    def read(self, address: int) -> int:
        return int.from_bytes(self.ask(bytes((0x04, address)), 4), "little")

    def write(self, address: int, value: int) -> None:
        self.send(0x00, address, *value.to_bytes(4, "little"))

    def set_bits(self, address: int, mask: int) -> None:
        self.send(0x01, address, *mask.to_bytes(4, "little"))

    def keep_bits(self, address: int, mask: int) -> None:
        self.send(0x02, address, *mask.to_bytes(4, "little"))

    @property
    def irq(self) -> int:
        return self.read(0x02)

    # Sequences of the data sheet.

    def start(self, tx: int = 0x0D, rx: int = 0x8D) -> None:
        """Reset, configuration, field on, settling."""
        self.reset_n.drive(0)
        self.run(20 * US)
        self.reset_n.drive(1)
        self.run(3 * MS)
        self.send(0x11, tx, rx)
        self.send(0x16, 0x00)
        assert self.irq & 1 << 9
        self.run(1 * MS)

    def transceive(self) -> None:
        """Clear interrupts, idle, transceive."""
        self.write(0x03, 0x000FFFFF)
        self.keep_bits(0x00, 0xFFFFFFF8)
        self.set_bits(0x00, 0x00000003)

    def request(self, *payload: int, limit: int = 30 * MS) -> tuple[int, bytes]:
        """One request, t2 after whatever came before; returns RX_STATUS and the data, or (0, b"") without answer."""
        self.run(310 * US)
        self.transceive()
        assert self.read(0x1D) >> 24 & 7 == 1
        self.send(0x09, 0x00, *payload)
        return self.collect(limit)

    def next_slot(self, limit: int = 6 * MS) -> tuple[int, bytes]:
        """A lone EOF, TX_CONFIG being prepared."""
        self.transceive()
        self.send(0x09, 0x00)
        return self.collect(limit)

    def collect(self, limit: int) -> tuple[int, bytes]:
        end = self.scheduler.now + limit
        while self.scheduler.now < end:
            irq = self.irq
            assert not irq & 1 << 17, "GENERAL_ERROR"
            if irq & 1:
                status = self.read(0x13)
                return status, self.ask(b"\x0a\x00", status & 0x1FF) if status & 0x1FF else b""
            if irq & 1 << 1 and not irq & 1 << 14 and self.read(0x1D) >> 24 & 7 == 4:
                self.run(480 * US)
                if not self.irq & 1 << 14:
                    return 0, b""
            self.run(20 * US)
        return 0, b""

    def sixteen_slots(self, *payload: int) -> list[tuple[int, bytes]]:
        """A whole round; TX_CONFIG is restored at its end."""
        tx_config = self.read(0x18)
        slots = [self.request(*payload, limit=10 * MS)]
        self.keep_bits(0x18, 0xFFFFFB3F)
        while len(slots) < 16:
            self.run(310 * US)
            slots.append(self.next_slot())
        self.write(0x18, tx_config)
        return slots
