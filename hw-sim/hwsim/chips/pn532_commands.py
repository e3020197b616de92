"""The commands of a PN532: what it does in its field and what it answers, as work that takes time.

Entry points: :class:`CommandSet` (``begin`` gives the work of one command, ``reset``), :class:`Timing`, :data:`Work`,
:class:`SyntaxFault` (the chip answers by an error frame).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

from hwsim.chips.pn532_air import ISO_DEP, NAK, Card, CardField, Reply, discovery_order, initiator_uid
from hwsim.core import NS_PER_MS, NS_PER_US, SimFault

DIAGNOSE, GET_FIRMWARE_VERSION, GET_GENERAL_STATUS = 0x00, 0x02, 0x04
SET_PARAMETERS, SAM_CONFIGURATION, POWER_DOWN, RF_CONFIGURATION = 0x12, 0x14, 0x16, 0x32
IN_DATA_EXCHANGE, IN_COMMUNICATE_THRU, IN_DESELECT = 0x40, 0x42, 0x44
IN_LIST_PASSIVE_TARGET, IN_RELEASE, IN_SELECT = 0x4A, 0x52, 0x54

STATUS_OK, STATUS_TIMEOUT, STATUS_FORMAT, STATUS_CONTEXT = 0x00, 0x01, 0x13, 0x27
FIRMWARE = bytes([0x32, 0x01, 0x06, 0x07])
AUTO_RATS = 0x10
PARAMETERS_DEFAULT = 0x14
ENDLESS = 0xFF
MAX_TARGETS = 2
TYPE_A = 0x00
WAKE_BY_HSU, WAKE_BY_I2C = 0x10, 0x80
_TAG_READ, _TAG_WRITE = 0x30, 0xA2

# RFConfiguration: bytes of data for each item
_ITEMS = {0x01: 1, 0x02: 3, 0x04: 1, 0x05: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9}
_FIELD, _TIMINGS, _COM_RETRIES, _RETRIES = 0x01, 0x02, 0x04, 0x05

Work = Generator[int, None, bytes]
"""Yields nanoseconds to wait; returns the answer behind the TFI."""


class Timing(NamedTuple):
    """What things take, in nanoseconds; figures marked in the sheet as unverified stay what they are there."""

    boot: int = NS_PER_MS  # after reset or power-up, before anything can wake it
    oscillator: int = 500 * NS_PER_US  # wake-up; up to 2 ms
    ack: int = 500 * NS_PER_US
    command: int = NS_PER_MS
    field_settle: int = 5 * NS_PER_MS
    attempt: int = 5 * NS_PER_MS  # a try of InListPassiveTarget that finds nothing
    select_level: int = 4 * NS_PER_MS  # each cascade level of a card found
    exchange: int = 4 * NS_PER_MS
    sleep_after: int = NS_PER_MS  # from the answer to PowerDown to power-down
    deaf_after_abort: int = NS_PER_MS
    gap_after_answer: int = NS_PER_MS  # on the UART


class SyntaxFault(Exception):
    """The command is not well formed: the chip answers by its error frame."""


class CommandSet:
    """State of the application layer: configuration, field, targets.

    ``name`` is the chip's and ``instant`` tells the time (ns), for messages. ``strict``: a command that is not in the
    sheet is a SimFault, otherwise a SyntaxFault.
    """

    def __init__(self, name: str, field: CardField, timing: Timing, instant: Callable[[], int], strict: bool) -> None:
        self._name = name
        self._field = field
        self._timing = timing
        self._instant = instant
        self._strict = strict
        self._handlers: dict[int, Callable[[bytes], Work]] = {
            DIAGNOSE: self._diagnose,
            GET_FIRMWARE_VERSION: self._firmware_version,
            GET_GENERAL_STATUS: self._general_status,
            SET_PARAMETERS: self._set_parameters,
            SAM_CONFIGURATION: self._sam_configuration,
            POWER_DOWN: self._power_down,
            RF_CONFIGURATION: self._rf_configuration,
            IN_DATA_EXCHANGE: self._data_exchange,
            IN_COMMUNICATE_THRU: self._communicate_thru,
            IN_DESELECT: self._deselect,
            IN_LIST_PASSIVE_TARGET: self._list_passive_target,
            IN_RELEASE: self._release,
            IN_SELECT: self._select,
        }
        self.reset()

    def reset(self) -> None:
        """As after RSTPDN: no field, no targets, defaults, SAM not configured."""
        self.configured = False
        """Whether SAMConfiguration has made the mode normal."""
        self.blameless = False
        """Whether a host that does not send it first cannot know better: then it is refused, and else a SimFault."""
        self.irq_enabled = False
        self.wake_sources: int | None = None
        """Set by PowerDown; who answers it puts the chip to sleep."""
        self._parameters = PARAMETERS_DEFAULT
        self._items: dict[int, bytes] = {
            _TIMINGS: bytes([0x00, 0x0B, 0x0A]),
            _COM_RETRIES: b"\x00",
            _RETRIES: bytes([ENDLESS, 0x01, ENDLESS]),
        }
        self._targets: dict[int, Card] = {}
        self._current: Card | None = None
        self._last_error = STATUS_OK
        self.field_off()

    def field_off(self) -> None:
        """The carrier stops."""
        self._field_on = False
        self._field.set_field(False)

    def begin(self, command: bytes) -> Work:
        """The work of one command: code, then parameters.

        Raises:
            SimFault: a command that is not in the sheet, or one that needs SAMConfiguration before.
            SyntaxFault: the chip does not understand; also from the work itself.
        """
        if not command:
            raise SyntaxFault("no command")
        code = command[0]
        handler = self._handlers.get(code)
        if handler is None:
            if self._strict:
                raise self._fault(f"command {code:02X} is not modelled")
            raise SyntaxFault(f"command {code:02X}")
        if not self.configured and code >= RF_CONFIGURATION:
            if self.blameless:
                raise SyntaxFault(f"command {code:02X} in LowVbat mode")
            raise self._fault(f"command {code:02X} in LowVbat mode, before SAMConfiguration")
        return self._answered(code, handler(command[1:]))

    def _fault(self, what: str) -> SimFault:
        return SimFault(f"{self._name}: {what}, at {self._instant()} ns")

    def _answered(self, code: int, work: Work) -> Work:
        data = yield from work
        return bytes([code + 1]) + data

    # Configuration

    def _diagnose(self, parameters: bytes) -> Work:
        if not parameters:
            raise SyntaxFault("no test number")
        if parameters[0] != 0x00:
            raise self._fault(f"Diagnose test {parameters[0]:02X} is not in the sheet")
        yield self._timing.command
        return parameters

    def _firmware_version(self, parameters: bytes) -> Work:
        _length(parameters, 0)
        yield self._timing.command
        return FIRMWARE

    def _general_status(self, parameters: bytes) -> Work:
        _length(parameters, 0)
        yield self._timing.command
        targets = b"".join(bytes([number, 0, 0, 0]) for number in sorted(self._targets))
        return bytes([self._last_error, 0, len(self._targets)]) + targets + b"\x00"

    def _set_parameters(self, parameters: bytes) -> Work:
        _length(parameters, 1)
        yield self._timing.command
        self._parameters = parameters[0]
        return b""

    def _sam_configuration(self, parameters: bytes) -> Work:
        if not 1 <= len(parameters) <= 3:
            raise SyntaxFault("mode, time-out, IRQ")
        if parameters[0] != 1:
            raise self._fault(f"SAM mode {parameters[0]:02X}: there is no SAM")
        yield self._timing.command
        self.configured = True
        self.irq_enabled = parameters[2] == 1 if len(parameters) == 3 else True
        return b""

    def _power_down(self, parameters: bytes) -> Work:
        if len(parameters) not in (1, 2):
            raise SyntaxFault("wake sources, IRQ")
        if parameters[0] & 0x04 or parameters[0] == 0:
            raise self._fault(f"wake sources {parameters[0]:02X}")
        if parameters[1:] not in (b"", b"\x00"):
            raise self._fault("IRQ at wake-up is not in the sheet")
        yield self._timing.command
        self.wake_sources = parameters[0]
        return bytes([STATUS_OK])

    def _rf_configuration(self, parameters: bytes) -> Work:
        if not parameters:
            raise SyntaxFault("no item")
        item, data = parameters[0], parameters[1:]
        if item not in _ITEMS:
            raise self._fault(f"RFConfiguration item {item:02X} is not in the sheet")
        _length(data, _ITEMS[item])
        yield self._timing.command
        self._items[item] = data
        if item == _FIELD and not data[0] & 1:
            self.field_off()
        elif item == _FIELD:
            yield from self._field_on_settled()
        return b""

    def _field_on_settled(self) -> Generator[int, None, None]:
        if not self._field_on:
            self._field_on = True
            self._field.set_field(True)
            yield self._timing.field_settle

    # Targets

    def _list_passive_target(self, parameters: bytes) -> Work:
        if len(parameters) < 2 or not 1 <= parameters[0] <= MAX_TARGETS:
            raise SyntaxFault("number of targets, type")
        if parameters[1] != TYPE_A:
            raise self._fault(f"InListPassiveTarget type {parameters[1]:02X} is not modelled")
        wanted = initiator_uid(parameters[2:])
        if wanted is None and len(parameters) > 2:
            raise SyntaxFault("initiator data are no UID")
        self._targets = {}
        self._current = None
        yield from self._field_on_settled()
        retries = self._items[_RETRIES][2]
        attempts = 0
        while retries == ENDLESS or attempts <= retries:
            attempts += 1
            yield self._timing.attempt
            found = [c for c in discovery_order(self._field.cards()) if wanted is None or c.uid == wanted]
            described = bytearray()
            for card in found[: parameters[0]]:
                yield self._timing.select_level * (1 if len(card.uid) == 4 else 2)
                if card in self._field.cards() and self._field.on_air(card, b"", card.uid) is not None:
                    card.select()
                    number = 1 + len(self._targets)
                    self._targets[number] = self._current = card
                    described += bytes([number]) + self._describe(card)
            if self._targets:
                return bytes([len(self._targets)]) + bytes(described)
        return b"\x00"

    def _describe(self, card: Card) -> bytes:
        uid = card.uid
        entry = card.sens_res + bytes([card.sel_res, len(uid)]) + uid
        return entry + card.ats if card.sel_res & ISO_DEP and self._parameters & AUTO_RATS else entry

    def _data_exchange(self, parameters: bytes) -> Work:
        if not parameters:
            raise SyntaxFault("no target")
        target, frame = parameters[0], parameters[1:]
        if target & 0x40:
            raise self._fault("InDataExchange with more information is not modelled")
        card = self._targets.get(target)
        if card is None:
            yield self._timing.command
            return self._status(STATUS_CONTEXT)
        if not frame:
            raise SyntaxFault("no data")
        if not card.sel_res & ISO_DEP and frame[0] not in (_TAG_READ, _TAG_WRITE, 0x60, 0x61):
            raise self._fault(f"tag command {frame[0]:02X} by InDataExchange: it wants InCommunicateThru")
        self._current = card
        return (yield from self._exchange(card, frame))

    def _communicate_thru(self, parameters: bytes) -> Work:
        if not parameters:
            raise SyntaxFault("no data")
        card = self._current
        if card is None:
            yield self._timing.command
            return self._status(STATUS_CONTEXT)
        return (yield from self._exchange(card, parameters))

    def _exchange(self, card: Card, frame: bytes) -> Work:
        retries = self._items[_COM_RETRIES][0]
        for _ in range(1 + retries):
            yield self._timing.exchange
            reply: Reply = card.exchange(frame) if card in self._field.cards() else None
            heard = self._field.on_air(card, frame, reply)
            if heard is not None:
                if heard == NAK:
                    return self._status(STATUS_FORMAT)
                return self._status(STATUS_OK) + (heard if isinstance(heard, bytes) else b"")
            yield self._retry_timeout()
        return self._status(STATUS_TIMEOUT)

    def _retry_timeout(self) -> int:
        """Nanoseconds that the chip waits for a card: 100 us x 2^(n-1); code 0 would be for ever."""
        code = self._items[_TIMINGS][2]
        if code == 0:
            raise self._fault("a retry time-out of 0 waits for ever")
        return 100 * NS_PER_US << (code - 1)

    def _status(self, status: int) -> bytes:
        self._last_error = status
        return bytes([status])

    def _halt(self, parameters: bytes) -> Generator[int, None, list[int] | None]:
        """Halt the target that Tg names, or all for 0; returns their numbers, None when it names none."""
        _length(parameters, 1)
        numbers = sorted(self._targets) if parameters[0] == 0 else [parameters[0]]
        yield self._timing.command
        if any(number not in self._targets for number in numbers):
            return None
        for number in numbers:
            self._targets[number].halt()
        return numbers

    def _deselect(self, parameters: bytes) -> Work:
        numbers = yield from self._halt(parameters)
        return self._status(STATUS_CONTEXT if numbers is None else STATUS_OK)

    def _release(self, parameters: bytes) -> Work:
        numbers = yield from self._halt(parameters)
        if numbers is None:
            return self._status(STATUS_CONTEXT)
        for number in numbers:
            card = self._targets.pop(number)
            if card is self._current:
                self._current = None
        return self._status(STATUS_OK)

    def _select(self, parameters: bytes) -> Work:
        _length(parameters, 1)
        card = self._targets.get(parameters[0])
        if card is None:
            yield self._timing.command
            return self._status(STATUS_CONTEXT)
        yield self._timing.attempt
        if card not in self._field.cards():
            return self._status(STATUS_TIMEOUT)
        card.select()
        self._current = card
        return self._status(STATUS_OK)


def _length(parameters: bytes, wanted: int) -> None:
    if len(parameters) != wanted:
        raise SyntaxFault(f"{len(parameters)} bytes of parameters instead of {wanted}")
