"""What a controller says of its own accord, in one line each. Entry points: :func:`asked`, :func:`recorded`."""

from __future__ import annotations

from collections.abc import Sequence

from sabot.wire import codes
from sabot.wire.records import RecordError, parse
from sabot_host.journal.show import Words
from sabot_host.lang import CODED, Tongue
from sabot_host.link.core import Prompt, Record


def asked(event: Prompt, bets: Sequence[str], tongue: Tongue = CODED) -> str:
    """What the dealer is asked for, and where; ``bets`` are those of the game, in its order."""
    known = event.kind < len(codes.PROMPTS)
    words = [tongue.word("prompt", codes.PROMPTS[event.kind]) if known else f"prompt {event.kind}"]
    if event.place:
        bet = codes.place_spot(event.place)
        words.append(tongue.said(f"seat {codes.place_seat(event.place)}"))
        words.append(tongue.word("bet", bets[bet]) if bet < len(bets) else "")
    if event.amount:
        words.append(tongue.money(event.amount))
    asks = " ".join(word for word in words if word)
    return tongue.said(f"the dealer is asked: {asks}")


def recorded(event: Record, words: Words, tongue: Tongue = CODED) -> str:
    """A record as it has just come; ``words`` learn the game from it."""
    try:
        record = parse(event.data)
    except RecordError as error:
        return tongue.said(f"record {event.sequence} cannot be read: {error}")
    words.learn(record)
    return f"{event.sequence} {words.told(record)}"
