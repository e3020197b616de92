"""The computer's end of the bus: what libusb and the kernel do for one program, in terms of packets and time.

Entry points: :class:`Session` (one program's open devices), :class:`Host` (what a backend needs of a session, here or
at the other end of a socket), :class:`DeviceInfo`.

Errors are OSError with the errno that libusb's codes stand for: EPIPE a stalled endpoint, ETIMEDOUT, ENODEV a device
that has gone, EACCES, EBUSY, ENOENT no such interface or endpoint, EOVERFLOW a packet larger than the room for it.

Limits: one transfer at a time. A packet takes ``costs.USB_PACKET_NS`` (1,000,000 bytes a second; the standard allows 19
packets a millisecond, 1,216,000), a control transfer three. A time-out of 0, for ever to libusb, is a minute here.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import Protocol

from hwsim import costs
from hwsim.core import NS_PER_MS
from hwsim.usb.bus import Attached, Bus, ports_of
from hwsim.usb.descriptors import PACKET
from hwsim.usb.device import (
    CLEAR_FEATURE,
    ENDPOINT_HALT,
    RECIPIENT_MASK,
    SET_CONFIGURATION,
    TO_ENDPOINT,
    TO_INTERFACE,
    Device,
    Setup,
    Stall,
)

FOREVER_MS = 60_000
ENDPOINT_IN = 0x80


@dataclass(frozen=True)
class DeviceInfo:
    """A device as it can be seen without opening it."""

    key: int
    bus: int
    address: int
    ports: tuple[int, ...]
    device: bytes
    """Device descriptor."""
    configuration: bytes
    """Configuration descriptor with all that belongs to it."""


@dataclass(frozen=True)
class PortInfo:
    """A serial port of a running board."""

    device: str
    vendor: int
    product: int
    serial: str
    location: str
    maker: str
    text: str


class Host(Protocol):
    """What a backend asks of the bus. Keys and handles are numbers; all times are milliseconds."""

    def devices(self) -> list[DeviceInfo]:
        """What is on the bus."""

    def ports(self) -> list[PortInfo]:
        """The serial ports there are."""

    def open(self, key: int) -> int:
        """Open a device; returns a handle."""

    def close(self, handle: int) -> None:
        """Close it; what it had claimed is free."""

    def claim(self, handle: int, interface: int) -> None:
        """Claim an interface."""

    def release(self, handle: int, interface: int) -> None:
        """Give it back."""

    def configure(self, handle: int, value: int) -> None:
        """Set the configuration."""

    def write(self, handle: int, endpoint: int, data: bytes, timeout: int) -> int:
        """A bulk transfer to the device; an empty one is a zero-length packet."""

    def read(self, handle: int, endpoint: int, size: int, timeout: int) -> bytes:
        """A bulk transfer from the device."""

    def control(self, handle: int, setup: Setup, data: bytes, timeout: int) -> bytes:
        """A control transfer."""

    def clear_halt(self, handle: int, endpoint: int) -> None:
        """Clear an endpoint's halt."""

    def reset(self, handle: int) -> None:
        """Reset the device's port."""

    def driver_active(self, handle: int, interface: int) -> bool:
        """Whether the operating system's driver has the interface."""

    def driver(self, handle: int, interface: int, attach: bool) -> None:
        """Send that driver away, or back."""


def failure(number: int) -> OSError:
    """An OSError with its usual text."""
    return OSError(number, os.strerror(number))


class Session:
    """One program's view of ``bus``; ``end`` closes what it has left open, as its exit would."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._handles: dict[int, Attached] = {}
        self._next = 0

    # --- without opening -----------------------------------------------------------------------------------------

    def devices(self) -> list[DeviceInfo]:
        """What is on the bus, by address."""
        with self._bus.lock:
            self._bus.clock.catch_up()
            number = self._bus.number
            return [
                DeviceInfo(
                    entry.address,
                    number,
                    entry.address,
                    ports_of(entry.board.port),
                    entry.device.description.device,
                    entry.device.description.configuration,
                )
                for entry in self._bus.devices()
            ]

    def ports(self) -> list[PortInfo]:
        """The serial ports of the boards that run a program."""
        with self._bus.lock:
            self._bus.clock.catch_up()
            found = []
            for entry in self._bus.devices():
                if entry.board.application is not None:
                    description = entry.device.description
                    maker, text, serial = description.strings
                    found.append(
                        PortInfo(
                            entry.board.application.port,
                            description.vendor,
                            description.product,
                            serial,
                            f"{entry.board.port}:1.0",
                            maker,
                            text,
                        )
                    )
            return found

    # --- handles and claims --------------------------------------------------------------------------------------

    def open(self, key: int) -> int:
        """Open the device; ENODEV when it has gone, or the errno that was arranged."""
        with self._bus.lock:
            self._bus.clock.catch_up()
            entry = self._bus.find(key)
            if entry is None:
                raise failure(errno.ENODEV)
            if entry.board.faults.open_error:
                raise failure(entry.board.faults.open_error)
            if entry.board.faults.at("open"):
                entry.board.unplug()
                raise failure(errno.ENODEV)
            self._next += 1
            self._handles[self._next] = entry
            return self._next

    def close(self, handle: int) -> None:
        """Close it; a handle that is not open is left alone."""
        with self._bus.lock:
            if self._handles.pop(handle, None) is not None:
                owner = (id(self), handle)
                self._bus.claims = {key: held for key, held in self._bus.claims.items() if held != owner}

    def end(self) -> None:
        """The program has ended."""
        for handle in list(self._handles):
            self.close(handle)

    def claim(self, handle: int, interface: int) -> None:
        """Claim an interface: EBUSY while a driver or another handle has it, ENOENT when there is none."""
        with self._bus.lock:
            entry = self._entry(handle)
            if interface not in entry.device.description.interfaces:
                raise failure(errno.ENOENT)
            if entry.board.faults.claim_error:
                raise failure(entry.board.faults.claim_error)
            owner = (id(self), handle)
            if self._driver_has(entry, interface) or self._bus.claims.get((entry.address, interface), owner) != owner:
                raise failure(errno.EBUSY)
            self._bus.claims[entry.address, interface] = owner

    def release(self, handle: int, interface: int) -> None:
        """Give an interface back; ENOENT when this handle has not claimed it."""
        with self._bus.lock:
            entry = self._entry(handle)
            if self._bus.claims.get((entry.address, interface)) != (id(self), handle):
                raise failure(errno.ENOENT)
            del self._bus.claims[entry.address, interface]

    def configure(self, handle: int, value: int) -> None:
        """Set the configuration: EBUSY while any interface is in use, by a driver or a program."""
        with self._bus.lock:
            entry = self._entry(handle)
            used = any(self._driver_has(entry, number) for number in entry.device.description.interfaces)
            if used or any(address == entry.address for address, _ in self._bus.claims):
                raise failure(errno.EBUSY)
        self.control(handle, Setup(0, SET_CONFIGURATION, value, 0, 0), b"", FOREVER_MS)

    def driver_active(self, handle: int, interface: int) -> bool:
        """Whether the operating system's driver has the interface."""
        with self._bus.lock:
            return self._driver_has(self._entry(handle), interface)

    def driver(self, handle: int, interface: int, attach: bool) -> None:
        """Send the driver away, or back; ENOENT when there is none to send."""
        with self._bus.lock:
            entry = self._entry(handle)
            key = (entry.address, interface)
            if (
                interface not in entry.device.description.kernel_drivers
                or (key in self._bus.detached_drivers) != attach
            ):
                raise failure(errno.ENOENT)
            if attach:
                self._bus.detached_drivers.discard(key)
            else:
                self._bus.detached_drivers.add(key)

    def _driver_has(self, entry: Attached, interface: int) -> bool:
        key = (entry.address, interface)
        return interface in entry.device.description.kernel_drivers and key not in self._bus.detached_drivers

    def _entry(self, handle: int) -> Attached:
        self._bus.clock.catch_up()
        entry = self._handles.get(handle)
        if entry is None:
            raise failure(errno.EBADF)
        if entry.device.gone:
            raise failure(errno.ENODEV)
        return entry

    # --- transfers -----------------------------------------------------------------------------------------------

    def write(self, handle: int, endpoint: int, data: bytes, timeout: int) -> int:
        """Send packets until all is sent; the number sent when time is up first, ETIMEDOUT when that is none."""
        with self._bus.lock:
            entry = self._endpoint(handle, endpoint, inward=False)
            deadline = self._deadline(timeout)
            sent = 0
            while True:
                packet = data[sent : sent + PACKET]
                while not self._answering(entry, endpoint).out_ready(endpoint):
                    if not self._bus.clock.wait(deadline):
                        if sent:
                            return sent
                        raise failure(errno.ETIMEDOUT)
                self._bus.clock.charge(costs.USB_PACKET_NS)
                self._answering(entry, endpoint).out_packet(endpoint, packet)
                sent += len(packet)
                if sent == len(data):
                    if entry.device.gone:
                        raise failure(errno.ENODEV)
                    return sent

    def read(self, handle: int, endpoint: int, size: int, timeout: int) -> bytes:
        """Fetch packets until ``size`` bytes or a short packet; when time is up what came, ETIMEDOUT if nothing."""
        with self._bus.lock:
            entry = self._endpoint(handle, endpoint, inward=True)
            deadline = self._deadline(timeout)
            got = bytearray()
            while True:
                packet = self._answering(entry, endpoint).in_packet(endpoint)
                if packet is None:
                    if endpoint not in entry.device.halted and not self._bus.clock.wait(deadline):
                        if got:
                            return bytes(got)
                        raise failure(errno.ETIMEDOUT)
                    continue
                self._bus.clock.charge(costs.USB_PACKET_NS)
                if len(got) + len(packet) > size:
                    raise failure(errno.EOVERFLOW)
                got += packet
                if len(packet) < PACKET or len(got) == size:
                    return bytes(got)

    def control(self, handle: int, setup: Setup, data: bytes, timeout: int) -> bytes:
        """A control transfer; EPIPE when the device stalls it."""
        with self._bus.lock:
            entry = self._entry(handle)
            recipient = setup.kind & RECIPIENT_MASK
            if recipient == TO_INTERFACE:
                self._own(handle, entry, setup.target & 0xFF)
            elif recipient == TO_ENDPOINT and setup.target in entry.device.description.endpoints:
                self._own(handle, entry, entry.device.description.endpoints[setup.target])
            self._bus.clock.charge(3 * costs.USB_PACKET_NS)
            if entry.board.faults.at("control"):
                entry.board.unplug()
            if entry.device.gone:
                raise failure(errno.ENODEV)
            try:
                return entry.device.control(setup, data)
            except Stall:
                raise failure(errno.EPIPE) from None

    def clear_halt(self, handle: int, endpoint: int) -> None:
        """CLEAR_FEATURE(ENDPOINT_HALT)."""
        self.control(handle, Setup(TO_ENDPOINT, CLEAR_FEATURE, ENDPOINT_HALT, endpoint, 0), b"", FOREVER_MS)

    def reset(self, handle: int) -> None:
        """A port reset: the device stays, configured anew."""
        with self._bus.lock:
            entry = self._entry(handle)
            self._bus.clock.charge(10 * NS_PER_MS)
            self._entry(handle)
            entry.device.halted.clear()
            entry.device.configured()

    def _endpoint(self, handle: int, endpoint: int, *, inward: bool) -> Attached:
        entry = self._entry(handle)
        interface = entry.device.description.endpoints.get(endpoint)
        if interface is None or bool(endpoint & ENDPOINT_IN) != inward:
            raise failure(errno.ENOENT)
        self._own(handle, entry, interface)
        return entry

    def _own(self, handle: int, entry: Attached, interface: int) -> None:
        """The kernel claims an interface for a program that uses it unclaimed."""
        if interface in entry.device.description.interfaces:
            self.claim(handle, interface)

    def _answering(self, entry: Attached, endpoint: int) -> Device:
        if entry.device.gone:
            raise failure(errno.ENODEV)
        if endpoint in entry.device.halted:
            raise failure(errno.EPIPE)
        return entry.device

    def _deadline(self, timeout: int) -> int:
        return self._bus.clock.scheduler.now + (timeout or FOREVER_MS) * NS_PER_MS
