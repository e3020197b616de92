"""Whether everything that was written is there, and true: records against the memory's bus, the host, and the chain.

Entry points: :func:`kept`, :func:`heard`, :func:`chained`. Each yields what is wrong, in words. Written from
``docs/journal.md``; records are bytes here, with their tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hwsim.torture.memory import TAG_SIZE, chain_tag, crc16, next_key

_LEAST = 31


def number_of(record: bytes) -> int:
    """The sequence number of a record."""
    return int.from_bytes(record[3:7], "little")


def kept(records: Sequence[bytes], bodies: Iterable[tuple[int, bytes]], last: int) -> Iterator[str]:
    """Every body that was whole in memory is a record, as it was; up to ``last``, the newest that was asked for."""
    there = {number_of(record): record[:-TAG_SIZE] for record in records}
    for number, body in bodies:
        if number <= last and there.get(number) != body:
            what = "is gone" if number not in there else "is another one now"
            yield f"record {number} was whole in memory and {what}"


def heard(records: Sequence[bytes], told: Iterable[bytes]) -> Iterator[str]:
    """What the host was told of is in the journal, byte for byte, and came in order, each once."""
    there = {number_of(record): record for record in records}
    before = 0
    for record in told:
        number = number_of(record)
        if before and number != before + 1:
            yield f"the host got record {number} behind record {before}"
        before = number
        if number in there and there[number] != record:
            yield f"record {number} is not the one that the host was told of"


def chained(records: Sequence[bytes], key: bytes) -> Iterator[str]:
    """Lengths, checks, numbers without a gap from 1, boots that never go back, and tags that follow from ``key``."""
    before, boot = bytes(TAG_SIZE), 0
    for number, record in enumerate(records, 1):
        if len(record) < _LEAST or int.from_bytes(record[:2], "little") != len(record):
            yield f"record {number} has {len(record)} bytes and says otherwise"
            return
        if number_of(record) != number:
            yield f"record {number_of(record)} stands where {number} belongs"
            return
        if crc16(record[: -TAG_SIZE - 2]) != int.from_bytes(record[-TAG_SIZE - 2 : -TAG_SIZE], "little"):
            yield f"record {number} is torn: its check is wrong"
        if record[-TAG_SIZE:] != chain_tag(key, before, record):
            yield f"record {number} is not chained to the one before"
        now = int.from_bytes(record[7:9], "little") & 0x3FFF
        if now < boot:
            yield f"record {number} is of boot {now}, the one before of boot {boot}"
        before, boot, key = record[-TAG_SIZE:], now, next_key(key)


def summed(said: Mapping[str, int], counted: Mapping[str, int]) -> Iterator[str]:
    """The controller's meters are what the records add up to."""
    for name, number in counted.items():
        if said.get(name) != number:
            yield f"the meter {name} says {said.get(name)}, the records add up to {number}"
