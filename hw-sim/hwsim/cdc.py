"""The board's USB serial port (CDC) by the rules of the rp2 port, and the host's end of the cable.

Entry points: :class:`UsbCdc`. The host side calls ``host_open``, ``host_close``, ``host_write``, ``host_read`` and may
set ``host_reads`` and ``on_data``; the controller calls the rest. Rules: 256-byte transmit FIFO; with DTR on and nobody
reading, a write waits and loses its rest after 500 ms without progress; with DTR off the last 256 bytes are kept and
nothing waits; 512-byte receive ring, beyond which the host is held back.
"""

from __future__ import annotations

from collections.abc import Callable

from hwsim import costs
from hwsim.core import Event, Scheduler

FIFO_BYTES = 256
RING_BYTES = 512
PACKET_BYTES = 64
HOST_BUFFER_BYTES = 65_536
RETRY_NS = 1_000_000
NO_INTERRUPT_CHARACTER = -1


class UsbCdc:
    """One serial port, both ends. Bytes travel in packets of 64, each taking ``costs.USB_PACKET_NS``."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self.dtr = False
        self.attached = False
        self._host_wants_open = False
        self._host_reads = True
        self.on_data: Callable[[bytes], None] | None = None
        """Called with what the host receives, instead of collecting it for ``host_read``."""
        self.on_attach: Callable[[bool], None] | None = None
        """Called when the port appears (True) and vanishes (False)."""
        self.interrupt_character = 3
        self.interrupted = False
        self.dropped = 0
        """Bytes of the firmware that were lost with DTR on, since the start of the world."""
        self._fifo = bytearray()
        self._received = bytearray()
        self._to_device = bytearray()
        self._may_send_at = 0
        self._sending: Event | None = None
        self._moving: Event | None = None
        self._deliver: Callable[[bytes], None] | None = None
        self._unread: Callable[[], int] | None = None
        self._maybe_unread = False  # the ring is asked only when something may be there

    # --- the host ----------------------------------------------------------------------------------------------

    def host_open(self) -> None:
        """Open the port (DTR on); when it is not there yet, as soon as it appears. A reset closes it."""
        self._host_wants_open = True
        if self.attached and not self.dtr:
            self.dtr = True
            self._may_send_at = self._scheduler.now + costs.USB_FIRST_FLUSH_NS
            self._start_sending()

    def host_close(self) -> None:
        """Close the port (DTR off), or pull the cable: what either side has not got out yet is discarded."""
        self._host_wants_open = False
        self._to_device.clear()
        self._drop_line()

    def host_write(self, data: bytes) -> int:
        """Send to the board; returns the bytes taken, fewer when 64 KiB wait in the host already."""
        taken = data[: HOST_BUFFER_BYTES - len(self._to_device)]
        self._to_device += taken
        self._start_moving(costs.USB_PACKET_NS)
        return len(taken)

    @property
    def waiting(self) -> int:
        """Bytes that the board has not taken from the host yet."""
        return len(self._to_device)

    def host_read(self) -> bytes:
        """What has come since the last call."""
        data = bytes(self._received)
        self._received.clear()
        return data

    @property
    def host_reads(self) -> bool:
        """Whether the host takes bytes; False is a host which holds the port open and reads nothing."""
        return self._host_reads

    @host_reads.setter
    def host_reads(self, value: bool) -> None:
        self._host_reads = value
        self._start_sending()

    # --- the board ---------------------------------------------------------------------------------------------

    def connect(self, deliver: Callable[[bytes], None], unread: Callable[[], int], boot_at: int) -> None:
        """A firmware starts at ``boot_at`` (ns).

        ``deliver`` puts bytes into its receive ring, ``unread`` counts those left there.
        """
        self._deliver = deliver
        self._unread = unread
        self.interrupt_character = 3
        self.interrupted = False
        self._scheduler.at(boot_at + costs.USB_ATTACH_NS, lambda: self._attach(deliver))

    def detach(self) -> None:
        """The board is reset or without power: the port vanishes and both buffers with it."""
        was_attached = self.attached
        self.attached = self._host_wants_open = False
        self._drop_line()
        self._deliver = self._unread = None
        self._maybe_unread = False
        self._to_device.clear()
        if was_attached and self.on_attach is not None:
            self.on_attach(False)

    def accept(self, data: bytes) -> int:
        """Take what the firmware writes; returns how many bytes went into the FIFO."""
        if not self.dtr:
            self._fifo += data
            del self._fifo[:-FIFO_BYTES]
            return len(data)
        taken = data[: FIFO_BYTES - len(self._fifo)]
        self._fifo += taken
        self._start_sending()
        return len(taken)

    @property
    def writable(self) -> bool:
        """What ``poll`` says of POLLOUT: room for a byte, or nobody there."""
        return not self.dtr or len(self._fifo) < FIFO_BYTES

    @property
    def readable(self) -> bool:
        """Whether the receive ring holds a byte."""
        if self._maybe_unread and self._unread is not None:
            self._maybe_unread = self._unread() > 0
        return self._maybe_unread

    # --- the cable ---------------------------------------------------------------------------------------------

    def _attach(self, deliver: Callable[[bytes], None]) -> None:
        if self._deliver is not deliver:
            return  # another reset came in between
        self._start_moving(costs.USB_PACKET_NS)
        if self.attached:
            return  # a soft reset: the port was there all the time
        self.attached = True
        if self._host_wants_open:
            self.host_open()
        if self.on_attach is not None:
            self.on_attach(True)
        self._start_moving(costs.USB_PACKET_NS)

    def _drop_line(self) -> None:
        self.dtr = False
        self._fifo.clear()
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _start_sending(self) -> None:
        if self._sending is None and self.dtr and self._host_reads and self._fifo:
            when = max(self._scheduler.now + costs.USB_PACKET_NS, self._may_send_at)
            self._sending = self._scheduler.at(when, self._send_packet)

    def _send_packet(self) -> None:
        self._sending = None
        if not self._host_reads:
            return
        packet = bytes(self._fifo[:PACKET_BYTES])
        del self._fifo[:PACKET_BYTES]
        self._start_sending()
        if self.on_data is not None:
            self.on_data(packet)
        else:
            self._received += packet

    def _start_moving(self, delay: int) -> None:
        if self._moving is None and self.attached and self._to_device:
            self._moving = self._scheduler.after(delay, self._move_packet)

    def _move_packet(self) -> None:
        self._moving = None
        if self._deliver is None or self._unread is None:
            return
        packet = bytes(self._to_device[:PACKET_BYTES])
        if self._unread() + len(packet) > RING_BYTES:
            self._start_moving(RETRY_NS)
            return
        del self._to_device[:PACKET_BYTES]
        self._start_moving(costs.USB_PACKET_NS)
        if self.interrupt_character != NO_INTERRUPT_CHARACTER and self.interrupt_character in packet:
            # The port empties the ring up to the character and raises KeyboardInterrupt.
            packet = packet[packet.rindex(self.interrupt_character) + 1 :]
            self.interrupted = True
        if packet:
            self._deliver(packet)
            self._maybe_unread = True
