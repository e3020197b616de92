"""What a controller says of its own accord, in one line each. Entry points: :func:`asked`, :func:`recorded`."""

from __future__ import annotations

from collections.abc import Sequence

from sabot.wire import codes
from sabot.wire.records import RecordError, parse
from sabot_host.journal.show import Words
from sabot_host.link.core import Prompt, Record


def asked(event: Prompt, bets: Sequence[str]) -> str:
    """What the dealer is asked for, and where; ``bets`` are those of the game, in its order."""
    words = [codes.PROMPTS[event.kind] if event.kind < len(codes.PROMPTS) else f"prompt {event.kind}"]
    if event.place:
        bet = codes.place_spot(event.place)
        words.append(f"seat {codes.place_seat(event.place)}")
        words.append(bets[bet] if bet < len(bets) else "")
    if event.amount:
        words.append(f"{event.amount // 100}.{event.amount % 100:02d}")
    return "the dealer is asked: " + " ".join(word for word in words if word)


def recorded(event: Record, words: Words) -> str:
    """A record as it has just come; ``words`` learn the game from it."""
    try:
        record = parse(event.data)
    except RecordError as error:
        return f"record {event.sequence} cannot be read: {error}"
    words.learn(record)
    return f"{event.sequence} {record['name']}: {words.fields(record)}"
