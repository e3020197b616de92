"""Raspberry Pi Pico 2 in the reference table, revision A: what is needed of it for as long as the table plays.

Entry points: :func:`parts` (driver objects of everything that is soldered), :func:`unique_id`,
:func:`random_bytes`, :func:`watchdog`, :func:`reset`, :func:`boot_loader`, :func:`prompt`. What is where is in
``pico2_parts``.
"""

import os
import sys

import machine
import micropython
from machine import SPI, WDT, Pin

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PINS_OPTICAL = (20, 21)  # sensors A and B of an optical shoe
BOTH_EDGES = Pin.IRQ_RISING | Pin.IRQ_FALLING
FALLING_EDGE = Pin.IRQ_FALLING
RISING_EDGE = Pin.IRQ_RISING
SEGMENTS = 72  # of the journal, eight blocks of flash each (docs/hardware.md)


class FastSelect:
    """Chip select of a part that takes the shared SPI faster than the readers do: the rate follows the select line."""

    def __init__(self, pin: Pin, spi: SPI, hertz: int, rest_hertz: int) -> None:
        self._pin = pin
        self._spi = spi
        self._hertz = hertz
        self._rest_hertz = rest_hertz

    def value(self, level: int) -> None:
        """Select (0) at the part's own rate, or let go (1) and go back to the readers' rate. Allocates nothing."""
        if level:
            self._pin.value(1)
            self._spi.init(baudrate=self._rest_hertz)
        else:
            self._spi.init(baudrate=self._hertz)
            self._pin.value(0)


def parts() -> "Any":
    """Everything that is on the board, made once: see ``pico2_parts``, which the start drops again."""
    from sabot.boards import pico2_parts

    return pico2_parts.Board()


def watchdog(milliseconds: int) -> WDT:
    """Start the watchdog; it cannot be stopped."""
    return WDT(timeout=milliseconds)


def streams() -> "tuple[Any, Any]":
    """Binary input and output of the USB serial port, with the interrupt character off."""
    micropython.kbd_intr(-1)
    return sys.stdin.buffer, sys.stdout.buffer


def unique_id() -> bytes:
    """The 8-byte id of this board's flash."""
    return machine.unique_id()


def random_bytes(count: int) -> bytes:
    """Entropy from the chip's own generator."""
    return os.urandom(count)


def reset_cause() -> int:
    """Why the controller started: ``machine.PWRON_RESET`` or ``machine.WDT_RESET``."""
    return machine.reset_cause()


def reset() -> None:
    """Start the controller again."""
    machine.reset()


def boot_loader() -> None:
    """Start the chip's boot loader, which waits on USB to be written; every pin lets go, and the gate is shut."""
    machine.bootloader()


def prompt() -> None:
    """Start again, into the interpreter's prompt: there no watchdog runs, and every pin lets go. Written to flash."""
    open("prompt", "w").close()
    machine.reset()
