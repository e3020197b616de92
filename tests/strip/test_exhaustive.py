"""A part of the error analysis of the optical strip; the whole is `make strip`, whose record must be of this code."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from optical_strip.decoder import NOTHING, Decoder
from optical_strip.words import CARDS

from tests.records import read_record, stale
from tests.strip import exhaustive, orders
from tests.strip.exhaustive import CHECKS, COVERED, RESULT, decoded, differing_dirt, dirt, edge_faults
from tests.strip.pulls import random_pull

# Of each check: a codeword, and each how many-th case.
PART = {
    "dirt": (17, 3),
    "differing_dirt": (30, 40),
    "edge_faults": (5, 7),
    "dirt_and_bounce": (44, 9),
    "moved_back": (12, 5),
    "two_cards": (52, 3),
}


def test_the_record_is_of_this_code() -> None:
    """If this fails: make strip."""
    assert stale(RESULT, COVERED) == []
    found = read_record(RESULT)["checks"]
    assert list(found) == [check.__name__ for check in CHECKS]
    assert {each["taken for another card"] for each in found.values()} == {0}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_nothing_makes_one_card_another(check: exhaustive.Check) -> None:
    code, step = PART[check.__name__]
    found = check(code, step)
    assert found.total() > 500 and found["read"] < found.total() / 3


def test_words_too_close_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a second word that differs in two gaps only, dirt does make one card another."""
    code = 30
    seen = next(order for order, card in orders.READINGS.items() if card == code)
    pieces = [seen[3 + at : 7 + at] for at in range(0, 92, 4)]
    narrow, wide = pieces.index(b"2121"), pieces.index(b"2112")
    pieces[narrow], pieces[wide] = pieces[wide], pieces[narrow]
    close = seen[:3] + b"".join(pieces) + seen[95:]
    monkeypatch.setitem(orders.READINGS, close, CARDS)
    dirt(code, 7)
    differing_dirt(code, 400)  # the two gaps are far from each other
    (word,) = orders.words(close)
    monkeypatch.setattr(exhaustive, "code_of", lambda found: CARDS if found == word else NOTHING)
    with pytest.raises(AssertionError, match="taken for another card"):
        differing_dirt(code)


def test_a_decoder_that_corrects_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that takes any strip for some card is caught."""

    class Generous(Decoder):
        def clear(self) -> int:
            return NOTHING

        def edge(self, entry: int) -> int:
            return 7 if super().edge(entry) != NOTHING or self.refused() else NOTHING

    monkeypatch.setattr(exhaustive, "Decoder", Generous)
    with pytest.raises(AssertionError, match=r"card 5, .* taken for"):
        edge_faults(5, 7)


def test_random_pulls_with_several_faults() -> None:
    chance = random.Random(2026)
    found: Counter[str] = Counter()
    for _ in range(2_000):
        pull = random_pull(chance)
        cards, _cause = decoded(pull.entries, Decoder())
        assert set(cards) <= set(pull.codes), pull
        found["read" if cards else "refused"] += 1
        if not pull.kinds:
            assert cards == list(pull.codes)
            found["clean"] += 1
    assert found["read"] > found["clean"] > 400 and found["refused"] > 400
