"""Random rounds and the examples, as the objects of the JSON lines. Entry points: `three_card`, `line`, `examples`."""

import json
from pathlib import Path
from random import Random
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "settle"
PACK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
AMOUNTS = [1, 5, 25, 45, 100, 333, 1000, 2500, 120000, 99_999_999]


def examples(game: str) -> list[dict[str, Any]]:
    """The worked examples of a game: name, round, and the settlement or the article of the error."""
    with (DATA / f"{game}.jsonl").open(encoding="ascii") as file:
        return [json.loads(text) for text in file]


def line(game: str, played: dict[str, Any]) -> str:
    """A round as a line for `sabot settle`."""
    return json.dumps({"game": game, **played})


def shoe(random: Random, decks: int) -> list[str]:
    """The shuffled packs. One time in three they are short of ranks or suits, so that rare hands are not rare."""
    pack = PACK * decks
    bias = random.randrange(6)
    if bias == 0:
        suit = random.choice("cdhs")
        pack = [card for card in pack if card[1] == suit] + random.sample(pack, 30)
        while any(pack.count(card) > decks for card in set(pack)):
            pack.pop()
    elif bias == 1:
        low = random.randrange(8)
        pack = [card for card in pack if card[0] in "A23456789TJQKA"[low : low + 7]]
    random.shuffle(pack)
    return pack


def three_card(random: Random) -> dict[str, Any]:
    """A lawful round of Poker 3 cartes."""
    decks = random.choice([1, 2])
    cards = shoe(random, decks)
    seats = random.randrange(1, min(7, len(cards) // 3 - 1) + 1)
    players: list[dict[str, Any]] = []
    for _ in range(seats):
        bets: dict[str, int] = {}
        player: dict[str, Any] = {"cards": [cards.pop() for _ in range(3)], "bets": bets}
        kind = random.randrange(3)
        if kind != 0:
            bets["ante"] = random.choice(AMOUNTS)
            player["decision"] = random.choice(["play", "play", "play", "fold"])
            if player["decision"] == "play":
                bets["play"] = bets["ante"]
        if kind != 1:
            bets["pair_plus"] = random.choice(AMOUNTS)
        players.append(player)
    return {"decks": decks, "dealer": [cards.pop() for _ in range(3)], "players": players}
