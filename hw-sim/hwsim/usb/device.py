"""A device on the emulated bus: its endpoints, and the standard requests of USB 2.0 chapter 9 on endpoint 0.

Entry points: :class:`Device` (what the host controller talks to; a device without bulk traffic as it stands),
:class:`Setup`, :class:`Stall`.

Limits: no isochronous transfers, no remote wake-up, one configuration, no alternate settings.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from hwsim.usb.descriptors import CONFIGURATION_VALUE, MS_SET_INDEX, MS_VENDOR_CODE, Description

IN = 0x80
TYPE_MASK, STANDARD, CLASS, VENDOR_TYPE = 0x60, 0x00, 0x20, 0x40
RECIPIENT_MASK, TO_DEVICE, TO_INTERFACE, TO_ENDPOINT = 0x1F, 0, 1, 2
GET_STATUS, CLEAR_FEATURE, SET_FEATURE, GET_DESCRIPTOR = 0, 1, 3, 6
GET_CONFIGURATION, SET_CONFIGURATION, GET_INTERFACE, SET_INTERFACE = 8, 9, 10, 11
ENDPOINT_HALT = 0


class Setup(NamedTuple):
    """The setup packet of a control transfer."""

    kind: int
    request: int
    value: int
    target: int
    length: int


class Stall(Exception):
    """Endpoint 0 answers STALL."""


class Device:
    """A device with ``description``; subclasses have bulk endpoints and vendor requests.

    An endpoint that has nothing to say answers NAK for ever, which the host sees as a time-out.
    """

    def __init__(self, description: Description) -> None:
        self.description = description
        self.configuration = CONFIGURATION_VALUE  # the operating system has configured it by the time it is seen
        self.halted: set[int] = set()
        """Endpoints that answer STALL."""
        self.gone = False
        """It has left the bus; nothing answers any more."""

    # --- bulk ----------------------------------------------------------------------------------------------------

    def out_ready(self, endpoint: int) -> bool:
        """Whether a packet to this endpoint would be taken now (no NAK)."""
        return False

    def out_packet(self, endpoint: int, data: bytes) -> None:
        """Take a packet; only called when ``out_ready``."""

    def in_packet(self, endpoint: int) -> bytes | None:
        """The packet that an IN token fetches now, None for NAK."""
        return None

    # --- endpoint 0 ----------------------------------------------------------------------------------------------

    def control(self, setup: Setup, data: bytes) -> bytes:
        """Carry out a control transfer; returns what an IN transfer answers. Stall when the device does not know it."""
        if setup.kind & TYPE_MASK == STANDARD:
            return self._standard(setup)[: setup.length]
        asks_windows = (setup.request, setup.target) == (MS_VENDOR_CODE, MS_SET_INDEX)
        if setup.kind == IN | VENDOR_TYPE and asks_windows and self.description.ms_os_20:
            return self.description.ms_os_20[: setup.length]
        return self.request(setup, data)

    def request(self, setup: Setup, data: bytes) -> bytes:
        """A class or vendor request."""
        raise Stall

    def configured(self) -> None:
        """The host has set the configuration, or reset the bus."""

    def unhalted(self, endpoint: int) -> None:
        """The host has cleared the halt of an endpoint."""

    def leave(self) -> None:
        """It leaves the bus: reset, power cut, cable out."""
        self.gone = True

    def _standard(self, setup: Setup) -> bytes:
        recipient = setup.kind & RECIPIENT_MASK
        if setup.request == GET_DESCRIPTOR and recipient == TO_DEVICE:
            found = self.description.descriptor(setup.value >> 8, setup.value & 0xFF)
            if found is None:
                raise Stall
            return found
        if setup.request == GET_STATUS:
            return struct.pack("<H", self._status(recipient, setup.target))
        if setup.request in (CLEAR_FEATURE, SET_FEATURE) and recipient == TO_ENDPOINT:
            return self._halt_feature(setup)
        if setup.request == GET_CONFIGURATION:
            return bytes((self.configuration,))
        if setup.request == SET_CONFIGURATION and setup.value in (0, CONFIGURATION_VALUE):
            self.configuration = setup.value
            self.halted.clear()
            self.configured()
            return b""
        if setup.request == GET_INTERFACE and setup.target in self.description.interfaces:
            return b"\0"
        if setup.request == SET_INTERFACE and setup.target in self.description.interfaces and setup.value == 0:
            return b""
        raise Stall

    def _status(self, recipient: int, index: int) -> int:
        if recipient != TO_ENDPOINT:
            return 0
        if index & 0x7F and index not in self.description.endpoints:
            raise Stall
        return int(index in self.halted)

    def _halt_feature(self, setup: Setup) -> bytes:
        if setup.value != ENDPOINT_HALT or setup.target not in self.description.endpoints:
            raise Stall
        if setup.request == SET_FEATURE:
            self.halted.add(setup.target)
        elif setup.target in self.halted:
            self.halted.discard(setup.target)
            self.unhalted(setup.target)
        return b""
