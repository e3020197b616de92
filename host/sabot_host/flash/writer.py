"""Writes an image through the boot loader: erase, write, read back, compare; the first sector last.

Entry points: :func:`write_image`, :func:`flash_errors`. Both chips start their boot loader by themselves when the first
sector of the flash holds no program. So that sector is erased first and written when all the rest has been read back,
and the word that makes a program of it after everything else: a board whose cable is pulled at any instant comes back
in its boot loader, or with all of it written, and the same command mends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sabot_host.errors import DeviceError
from sabot_host.flash import picoboot
from sabot_host.flash.boards import FLASH_BASE, PAGE_BYTES, RP2350, SECTOR_BYTES
from sabot_host.flash.picoboot import Gone, Picoboot, PicobootRefused, Stalled, TimedOut

Progress = Callable[[str, int, int], None]
"""Told the phase, the bytes done and the bytes in all."""

WRITE, VERIFY = "write", "verify"
_BLOCK_MARK = (0xFFFF_DED3).to_bytes(4, "little")
_STAGE_SUM_AT = 252
_ERASED_WORD = b"\xff" * 4


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
    size = len(sectors) * SECTOR_BYTES
    written = verified = 0

    def write(address: int, data: bytes) -> None:
        nonlocal written
        boot.run(picoboot.write_pages(address, len(data)), data)
        written += len(data)
        on_progress(WRITE, written, size)

    def verify(address: int, data: bytes) -> None:
        nonlocal verified
        _verify(boot, address, data)
        verified += len(data)
        on_progress(VERIFY, verified, size)

    first = sectors.get(FLASH_BASE)
    rest = {address: sectors[address] for address in sorted(sectors) if address != FLASH_BASE}
    on_progress(WRITE, 0, size)
    if first is not None:
        boot.run(picoboot.erase(FLASH_BASE, SECTOR_BYTES))
    for address, data in rest.items():
        boot.run(picoboot.erase(address, SECTOR_BYTES))
        write(address, data)
    on_progress(VERIFY, 0, size)
    for address, data in rest.items():
        verify(address, data)
    if first is None:
        return
    at = _starting_word(first, boot.chip)
    write(FLASH_BASE, first[:at] + _ERASED_WORD + first[at + 4 :])
    try:
        verify(FLASH_BASE, first[:at] + _ERASED_WORD + first[at + 4 :])
        # Programming only clears bits: the page is written once more, and now the word stands.
        page = at // PAGE_BYTES * PAGE_BYTES
        boot.run(picoboot.write_pages(FLASH_BASE + page, PAGE_BYTES), first[page : page + PAGE_BYTES])
        _verify(boot, FLASH_BASE + page, first[page : page + PAGE_BYTES])
    except DeviceError:
        boot.run(picoboot.erase(FLASH_BASE, SECTOR_BYTES))  # or a damaged program would be started
        raise


def _starting_word(first: bytes, chip: str) -> int:
    """Where in the first sector the word is without which the chip starts nothing.

    An RP2350 looks for the mark of a block; an RP2040 checks its second stage by the sum that follows it.
    """
    return max(first.find(_BLOCK_MARK), 0) if chip == RP2350 else _STAGE_SUM_AT


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
