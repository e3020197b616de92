"""The counting chain of a DS3231: seven registers of binary coded decimal that grow by whole seconds.

Entry points: :func:`check_time_register` and :func:`check_date` (what may be written), :func:`advance` (registers
some seconds later), :func:`registers_of` and :func:`seconds_of` (to and from a time of the world),
:func:`alarm_matches`, :data:`POWER_UP`.

Registers are a list of seven bytes in the part's own form: seconds, minutes, hours (12 or 24 h), day of the week,
date, month with the century bit, year.
"""

from __future__ import annotations

from datetime import UTC, datetime

SECONDS, MINUTES, HOURS, DAY, DATE, MONTH, YEAR = range(7)
NAMES = ("seconds", "minutes", "hours", "day", "date", "month", "year")
POWER_UP = (0x00, 0x00, 0x00, 0x01, 0x01, 0x01, 0x00)

HOUR_12 = 0x40
HOUR_PM = 0x20
CENTURY = 0x80
DAY_NOT_DATE = 0x40  # DY/DT of an alarm's fourth register
MASK = 0x80  # AxMx of each alarm register

SECONDS_A_DAY = 86_400
_RANGES = ((0, 59), (0, 59), (0, 23), (1, 7), (1, 31), (1, 12), (0, 99))
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def from_bcd(byte: int) -> int:
    """Two decimal digits; a nibble above 9 counts on regardless."""
    return 10 * (byte >> 4) + (byte & 0x0F)


def to_bcd(value: int) -> int:
    """0-99 as two digits."""
    return value // 10 << 4 | value % 10


def registers_of(seconds: int) -> list[int]:
    """The registers, 24-hour form, Monday the first day, at a time from 2000 to 2099 (seconds since 1970 UTC)."""
    time = datetime.fromtimestamp(seconds, UTC)
    parts = (time.second, time.minute, time.hour, time.isoweekday(), time.day, time.month, time.year - 2000)
    return [to_bcd(part) for part in parts]


def seconds_of(registers: list[int]) -> int:
    """Seconds since 1970 UTC that the registers (24-hour form) say. ValueError when they hold no time."""
    second, minute, hour, _, date, month, year = (from_bcd(register) for register in registers)
    return round(datetime(2000 + year, month, date, hour, minute, second, tzinfo=UTC).timestamp())


def check_time_register(register: int, value: int) -> str:
    """What is wrong with writing ``value`` to time register 0-6; empty when nothing is."""
    low, high = _RANGES[register]
    digits = value
    if register == HOURS and value & HOUR_12:
        low, high = 1, 12
        digits = value & ~(HOUR_12 | HOUR_PM)
    elif register == MONTH:
        digits = value & ~CENTURY
    if digits & 0x0F > 9 or digits >> 4 > 9 or not low <= from_bcd(digits) <= high:
        return f"{NAMES[register]} {value:02X} is not a time"
    return ""


def hour_of(register: int) -> int:
    """0-23 from an hours register of either form."""
    if not register & HOUR_12:
        return from_bcd(register)
    return from_bcd(register & 0x1F) % 12 + (12 if register & HOUR_PM else 0)


def _hour_register(hour: int, form: int) -> int:
    """The hours register in the form (bit 6) of the one before."""
    if not form & HOUR_12:
        return to_bcd(hour)
    return HOUR_12 | (HOUR_PM if hour >= 12 else 0) | to_bcd((hour + 11) % 12 + 1)


def advance(registers: list[int], seconds: int) -> list[int]:
    """The seven registers ``seconds`` (0 or more) later. A date beyond its month's end is followed by the first."""
    total = from_bcd(registers[SECONDS]) + 60 * from_bcd(registers[MINUTES]) + 3600 * hour_of(registers[HOURS])
    days, second = divmod(total + seconds, SECONDS_A_DAY)
    later = list(registers)
    later[SECONDS] = to_bcd(second % 60)
    later[MINUTES] = to_bcd(second // 60 % 60)
    later[HOURS] = _hour_register(second // 3600, registers[HOURS])
    for _ in range(days):
        _next_day(later)
    return later


def _month_length(registers: list[int]) -> int:
    month = from_bcd(registers[MONTH] & ~CENTURY)
    if not 1 <= month <= 12:
        return 31  # put there by the world side: what the part would do is not documented
    leap = from_bcd(registers[YEAR]) % 4 == 0  # 00 counts as a leap year: right until 2100
    return _MONTH_DAYS[month - 1] + (month == 2 and leap)


def check_date(registers: list[int]) -> str:
    """What is wrong with a date; empty when its month has it."""
    if from_bcd(registers[DATE]) <= _month_length(registers):
        return ""
    return f"date {registers[DATE]:02X} of month {registers[MONTH] & ~CENTURY:02X} is not a time"


def _next_day(registers: list[int]) -> None:
    registers[DAY] = registers[DAY] % 7 + 1
    year = from_bcd(registers[YEAR])
    month = from_bcd(registers[MONTH] & ~CENTURY)
    length = _month_length(registers)
    date = from_bcd(registers[DATE]) + 1
    century = registers[MONTH] & CENTURY
    if date > length:
        date = 1
        month += 1
    if month > 12:
        month = 1
        year += 1
    if year > 99:
        year = 0
        century ^= CENTURY
    registers[DATE] = to_bcd(date)
    registers[MONTH] = century | to_bcd(month)
    registers[YEAR] = to_bcd(year)


def alarm_matches(alarm: bytes, registers: list[int]) -> bool:
    """Whether the second that has just begun is the alarm's.

    ``alarm`` is four bytes in the form of alarm 1; alarm 2 has no seconds of its own and matches at 00. Masked
    registers do not count.
    """
    fields = (registers[SECONDS], registers[MINUTES], registers[HOURS])
    for wanted, is_now in zip(alarm, fields, strict=False):
        if not wanted & MASK and wanted != is_now:
            return False
    wanted = alarm[3]
    if wanted & MASK:
        return True
    if wanted & DAY_NOT_DATE:
        return wanted & 0x0F == registers[DAY]
    return wanted == registers[DATE]
