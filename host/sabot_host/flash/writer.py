"""Writes an image through the boot loader: erase, write, read back, compare; the first sector last.

Entry points: :func:`write_image`, :func:`flash_errors`. Both chips start their boot loader by themselves when the first
sector of the flash holds no program. So that sector is erased first and written when all the rest has been read back: a
board whose cable is pulled at any instant in between comes back in its boot loader, and the same command mends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sabot_host.errors import DeviceError
from sabot_host.flash import picoboot
from sabot_host.flash.boards import FLASH_BASE, SECTOR_BYTES
from sabot_host.flash.picoboot import Gone, Picoboot, PicobootRefused, Stalled, TimedOut

Progress = Callable[[str, int, int], None]
"""Told the phase, the bytes done and the bytes in all."""

ERASE_WRITE, VERIFY = "write", "verify"


class CablePulled(Exception):
    """The board left the bus before all was written; it waits in its boot loader when it is plugged in again."""


@contextmanager
def flash_errors() -> Iterator[None]:
    """Word what a boot loader or its cable does while it is worked on.

    Raises:
        CablePulled: the board has left the bus.
        DeviceError: the boot loader refuses, or does not answer.
    """
    try:
        yield
    except Gone as error:
        raise CablePulled from error
    except PicobootRefused as error:
        raise DeviceError(
            "flash-refused",
            f"{error}; the board is not started",
            "unplug it, hold BOOTSEL while plugging in, run the command again",
        ) from error
    except (TimedOut, Stalled) as error:
        raise DeviceError(
            "flash-timeout",
            "the boot loader does not answer; the board is not started",
            "unplug it, hold BOOTSEL while plugging in, run the command again",
        ) from error


def write_image(boot: Picoboot, sectors: Mapping[int, bytes], on_progress: Progress) -> None:
    """Write and verify whole sectors; nothing is started. To be called within :func:`flash_errors`.

    DeviceError when something else is read back.
    """
    boot.run(picoboot.exclusive(picoboot.EXCLUSIVE))
    boot.run(picoboot.Command(picoboot.EXIT_XIP))
    _write_all(boot, sectors, on_progress)


def _write_all(boot: Picoboot, sectors: Mapping[int, bytes], on_progress: Progress) -> None:
    first = FLASH_BASE if FLASH_BASE in sectors else None
    order = [address for address in sorted(sectors) if address != first]
    size = len(sectors) * SECTOR_BYTES
    if first is not None:
        boot.run(picoboot.erase(first, SECTOR_BYTES))
    written = 0
    on_progress(ERASE_WRITE, 0, size)
    for address in order:
        boot.run(picoboot.erase(address, SECTOR_BYTES))
        boot.run(picoboot.write_pages(address, SECTOR_BYTES), sectors[address])
        written += SECTOR_BYTES
        on_progress(ERASE_WRITE, written, size)
    verified = 0
    on_progress(VERIFY, 0, size)
    for address in order:
        _verify(boot, address, sectors[address])
        verified += SECTOR_BYTES
        on_progress(VERIFY, verified, size)
    if first is not None:
        boot.run(picoboot.write_pages(first, SECTOR_BYTES), sectors[first])
        try:
            _verify(boot, first, sectors[first])
        except DeviceError:
            boot.run(picoboot.erase(first, SECTOR_BYTES))  # or a damaged program would be started
            raise
        on_progress(ERASE_WRITE, size, size)
        on_progress(VERIFY, size, size)


def _verify(boot: Picoboot, address: int, expected: bytes) -> None:
    found = boot.run(picoboot.read_flash(address, len(expected)))
    if found != expected:
        at = next(at for at, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other)
        raise DeviceError(
            "flash-verify",
            f"the flash reads back {found[at]:02x} at {address + at:08x} where {expected[at]:02x} was written; "
            "the board is not started",
            "run the command again; if it happens again, use another cable, then another board",
        )
