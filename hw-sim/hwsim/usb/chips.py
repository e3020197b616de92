"""The two chips that can sit behind the cable: ids, strings, memory windows, UF2 families, as the boot ROMs have them.

Entry points: :data:`RP2040`, :data:`RP2350`, :class:`Chip`, :func:`chip`.

Limits: one revision of each. The RP2040's boot serial number is one string for all chips of a ROM revision, and is
modelled as such. White labels in OTP (other ids and strings) are not modelled.
"""

from __future__ import annotations

from dataclasses import dataclass

VENDOR = 0x2E8A
PRODUCT_MICROPYTHON = 0x0005

SECTOR = 4096
"""Bytes that one erase takes."""
PAGE = 256
"""Bytes that one program operation takes."""

ROM_BASE = 0x0000_0000
FLASH_BASE = 0x1000_0000
RAM_BASE = 0x2000_0000

FAMILY_ABSOLUTE = 0xE48B_FF57
FAMILY_DATA = 0xE48B_FF58

_MAGIC_AT = 0x10  # "Mu", the ROM's kind, its version


@dataclass(frozen=True)
class Chip:
    """What one boot ROM and its memory map look like from USB."""

    name: str
    number: int
    boot_product: int
    """Product id in BOOTSEL."""
    bcd_usb: int
    max_power: int
    """bMaxPower of the BOOTSEL configuration, units of 2 mA."""
    product_text: str
    fixed_serial: str | None
    """Serial number in BOOTSEL when all chips share one, else None: the chip's own id."""
    flash_end: int
    """End of the flash window that the ROM accepts; the window is larger than the memory, which repeats in it."""
    ram_size: int
    rom_size: int
    rom_kind: int
    families: frozenset[int]
    """UF2 families that the drive accepts."""
    label: str
    """Volume label of the drive."""
    board: str
    """What the firmware calls the board."""
    has_reboot2: bool

    def rom(self) -> bytes:
        """Content of the ROM as far as it is modelled: the magic and the kind at 10h, zeros elsewhere."""
        content = bytearray(self.rom_size)
        content[_MAGIC_AT : _MAGIC_AT + 4] = bytes((ord("M"), ord("u"), self.rom_kind, 2))
        return bytes(content)


RP2040 = Chip(
    name="RP2040",
    number=2040,
    boot_product=0x0003,
    bcd_usb=0x0110,
    max_power=0xFA,
    product_text="RP2 Boot",
    fixed_serial="E0C9125B0D9B",
    flash_end=0x1100_0000,
    ram_size=264 * 1024,
    rom_size=16 * 1024,
    rom_kind=1,
    families=frozenset({0xE48B_FF56}),
    label="RPI-RP2",
    board="Raspberry Pi Pico with RP2040",
    has_reboot2=False,
)

RP2350 = Chip(
    name="RP2350",
    number=2350,
    boot_product=0x000F,
    bcd_usb=0x0210,
    max_power=0x19,
    product_text="RP2350 Boot",
    fixed_serial=None,
    flash_end=0x1200_0000,
    ram_size=520 * 1024,
    rom_size=32 * 1024,
    rom_kind=2,
    families=frozenset({FAMILY_ABSOLUTE, FAMILY_DATA, 0xE48B_FF59, 0xE48B_FF5A, 0xE48B_FF5B}),
    label="RP2350",
    board="Raspberry Pi Pico 2 with RP2350",
    has_reboot2=True,
)


def chip(name: str) -> Chip:
    """The chip of that name, ``rp2040`` or ``rp2350``; ValueError for another."""
    for known in (RP2040, RP2350):
        if known.name.lower() == name.lower():
            return known
    raise ValueError(f"no chip {name}: rp2040 or rp2350")
