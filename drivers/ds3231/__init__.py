"""Maxim DS3231, clock with battery and temperature compensation, on I2C.

Entry points: `DS3231`, `ClockFault`. The clock keeps UTC. Time and status are read in one transaction, so that the time
is consistent and the oscillator-stop flag belongs to it; a time that cannot be trusted is never returned. Reading
allocates nothing but the number it returns.
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import I2cBus

ADDRESS = const(0x68)

# Registers (data sheet 19-5170, figure 1): 0x00 to 0x06 second, minute, hour, day, date, month, year in BCD
_SECOND = const(0x00)
_CONTROL = const(0x0E)
_STATUS = const(0x0F)
_AGEING = const(0x10)
_TEMPERATURE = const(0x11)  # whole degrees, signed; 0x12: quarters in bits 7:6
_COUNT = const(0x13)

_HOUR_12 = const(0x40)  # 12-hour mode; then bit 5 is PM
_HOUR_PM = const(0x20)
_CENTURY = const(0x80)  # in the month register: the year ran over from 99 to 00

# EOSC 0: runs on the battery; BBSQW 0; CONV 0; RS 0; INTCN 1 and no alarm enabled: the output rests
_CONTROL_VALUE = const(0x04)
_CONTROL_KEPT = const(0xDF)  # CONV (bit 5) clears itself
_CONVERT = const(0x20)
_STATUS_OSF = const(0x80)  # the oscillator has stopped at some time; stays 1 until it is written 0
_STATUS_EN32KHZ = const(0x08)
_STATUS_BUSY = const(0x04)  # a temperature conversion is running
_STATUS_ALARMS = const(0x03)  # writing 1 keeps them

_DAYS_TO_2000 = const(10957)  # from 1970
_DAYS_TO_2100 = const(36525)  # from 2000
_DAY_SECONDS = const(86400)
_MONTH_DAYS = b"\x1f\x1c\x1f\x1e\x1f\x1e\x1f\x1f\x1e\x1f\x1e\x1f"


class ClockFault(Exception):
    """The clock cannot be used as asked.

    ``code``: ``absent`` (no acknowledge, or the bus timed out), ``stuck`` (every byte reads 00, or FF), ``stopped``
    (the oscillator has stopped since the time was set: set it), ``range`` (the registers hold no time: a digit that is
    none, a date that is none, or a year after 2099, for which the chip counts leap years wrongly), ``config`` (a
    register did not keep its value).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class DS3231:
    """The clock at ``address`` of ``i2c`` (400 kHz at most)."""

    def __init__(self, i2c: "I2cBus", address: int = ADDRESS) -> None:
        self._i2c = i2c
        self._address = address
        self._registers = bytearray(_COUNT)
        self._single = bytearray(2)
        self._time = bytearray(1 + 7)  # register address, then second to year

    def start(self) -> None:
        """Let the oscillator run on the battery, alarms and 32 kHz output off. The oscillator-stop flag stays.

        Raises:
            ClockFault: ``absent``, ``stuck`` or ``config``.
        """
        self._write_single(_CONTROL, _CONTROL_VALUE)
        # OSF and the alarm flags can only be cleared by a write: 1 leaves them.
        self._write_single(_STATUS, _STATUS_OSF | _STATUS_ALARMS)
        self._read()
        control = self._registers[_CONTROL] & _CONTROL_KEPT
        if control != _CONTROL_VALUE or self._registers[_STATUS] & _STATUS_EN32KHZ:
            raise ClockFault("config")

    def seconds(self) -> int:
        """Read the time: seconds since 1970-01-01 00:00 UTC, from 2000 to 2099. One transaction, 0.5 ms.

        Raises:
            ClockFault: ``absent``, ``stuck``, ``stopped`` or ``range``.
        """
        self._read()
        if self._registers[_STATUS] & _STATUS_OSF:
            raise ClockFault("stopped")
        return self._decode()

    def set_seconds(self, seconds: int) -> None:
        """Set the time, restart the second with it, clear the oscillator-stop flag, and read all back.

        Raises:
            ValueError: not from 2000 to 2099.
            ClockFault: ``absent``, ``stuck``, ``stopped``, ``range`` or ``config``.
        """
        day = seconds // _DAY_SECONDS - _DAYS_TO_2000
        if not 0 <= day < _DAYS_TO_2100:
            raise ValueError("not from 2000 to 2099")
        self._encode(day, seconds % _DAY_SECONDS)
        self._write_single(_CONTROL, _CONTROL_VALUE)  # the oscillator must run before the flag may be cleared
        self._write(self._time)
        self._write_single(_STATUS, _STATUS_ALARMS)
        # At most one second can have passed since the write restarted it.
        if not 0 <= self.seconds() - seconds <= 1:
            raise ClockFault("config")

    def temperature(self) -> int:
        """Read the temperature in quarters of a degree Celsius, as converted within the last 64 s.

        Raises:
            ClockFault: ``absent`` or ``stuck``.
        """
        self._read()
        whole = self._registers[_TEMPERATURE]
        if whole > 127:
            whole -= 256
        return whole * 4 + (self._registers[_TEMPERATURE + 1] >> 6)

    def ageing(self) -> int:
        """Read the ageing offset, -128 to 127; one step is about 0.1 ppm at 25 C, positive is slower.

        Raises:
            ClockFault: ``absent`` or ``stuck``.
        """
        self._read()
        offset = self._registers[_AGEING]
        return offset - 256 if offset > 127 else offset

    def set_ageing(self, offset: int) -> None:
        """Set the ageing offset, and have it applied by a temperature conversion unless one is running.

        Raises:
            ValueError: not from -128 to 127.
            ClockFault: ``absent``, ``stuck`` or ``config``.
        """
        if not -128 <= offset <= 127:
            raise ValueError("not from -128 to 127")
        self._write_single(_AGEING, offset & 0xFF)
        if self.ageing() != offset:
            raise ClockFault("config")
        if not self._registers[_STATUS] & _STATUS_BUSY:
            self._write_single(_CONTROL, _CONTROL_VALUE | _CONVERT)

    def _digits(self, index: int, mask: int, low: int, high: int) -> int:
        """Value of a BCD register whose bits outside ``mask`` must read 0."""
        value = self._registers[index]
        number = (value >> 4) * 10 + (value & 0x0F)
        if value & ~mask or value & 0x0F > 9 or not low <= number <= high:
            raise ClockFault("range")
        return number

    def _hour(self) -> int:
        value = self._registers[2]
        if not value & _HOUR_12:
            return self._digits(2, 0x3F, 0, 23)
        self._registers[2] = value & ~(_HOUR_12 | _HOUR_PM)
        hour = self._digits(2, 0x1F, 1, 12) % 12
        return hour + 12 if value & _HOUR_PM else hour

    def _decode(self) -> int:
        second = self._digits(0, 0x7F, 0, 59)
        minute = self._digits(1, 0x7F, 0, 59)
        hour = self._hour()
        self._digits(3, 0x07, 1, 7)
        date = self._digits(4, 0x3F, 1, 31)
        if self._registers[5] & _CENTURY:
            raise ClockFault("range")
        month = self._digits(5, 0x1F, 1, 12)
        year = self._digits(6, 0xFF, 0, 99)
        if date > _days_in(year, month):
            raise ClockFault("range")
        day = year * 365 + (year + 3) // 4 + date - 1
        for earlier in range(1, month):
            day += _days_in(year, earlier)
        return (_DAYS_TO_2000 + day) * _DAY_SECONDS + (hour * 60 + minute) * 60 + second

    def _encode(self, day: int, second: int) -> None:
        """Fill the time registers' image; ``day`` counts from 2000-01-01, ``second`` from midnight."""
        image = self._time
        weekday = (day + 5) % 7 + 1  # 2000-01-01 was a Saturday; 1 is Monday
        year = 0
        while day >= (366 if year % 4 == 0 else 365):
            day -= 366 if year % 4 == 0 else 365
            year += 1
        month = 1
        while day >= _days_in(year, month):
            day -= _days_in(year, month)
            month += 1
        image[0] = _SECOND
        image[1] = _bcd(second % 60)
        image[2] = _bcd(second // 60 % 60)
        image[3] = _bcd(second // 3600)
        image[4] = weekday
        image[5] = _bcd(day + 1)
        image[6] = _bcd(month)
        image[7] = _bcd(year)

    def _write_single(self, register: int, value: int) -> None:
        self._single[0] = register
        self._single[1] = value
        self._write(self._single)

    def _write(self, buf: bytearray) -> None:
        try:
            self._i2c.writeto(self._address, buf)
        except OSError:
            raise ClockFault("absent")

    def _read(self) -> None:
        """Read every register in one transaction."""
        registers = self._registers
        try:
            self._i2c.readfrom_mem_into(self._address, _SECOND, registers)
        except OSError:
            raise ClockFault("absent")
        first = registers[0]
        if first in (0x00, 0xFF):
            for value in registers:
                if value != first:
                    return
            raise ClockFault("stuck")


def _bcd(value: int) -> int:
    return value // 10 << 4 | value % 10


def _days_in(year: int, month: int) -> int:
    """Days of a month; ``year`` 0 to 99 stands for 2000 to 2099, in which every fourth is a leap year."""
    return 29 if month == 2 and year % 4 == 0 else _MONTH_DAYS[month - 1]
