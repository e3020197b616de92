"""Random rounds and the examples, as objects of the JSON lines. Entry points: `random_round`, `line`, `examples`."""

import json
from pathlib import Path
from random import Random
from typing import Any

from tests.model.crazy_four_reference import may_triple

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


def random_round(game: str, random: Random) -> dict[str, Any]:
    """A lawful round of a game; the dealer's cards, or a neighbour's, are sometimes copied rank by rank."""
    decks = random.choice([6, 8] if game == "bataille" else [1, 2])
    cards = shoe(random, decks)
    per_seat, per_dealer = CARDS[game]
    seats = random.randrange(1, min(7, (len(cards) - per_dealer) // per_seat) + 1)
    dealer = [cards.pop() for _ in range(per_dealer)]
    players = [SEATS[game](random, cards, dealer) for _ in range(seats)]
    return {"decks": decks, "dealer": dealer, "players": players}


def _hand(random: Random, cards: list[str], count: int, like: list[str]) -> list[str]:
    """Cards from the shoe; one time in six of the same ranks as another hand, as far as there are such cards."""
    hand: list[str] = []
    if random.randrange(6) == 0:
        for other in like[:count]:
            same = [card for card in cards if card[0] == other[0]]
            if same:
                cards.remove(same[0])
                hand.append(same[0])
    while len(hand) < count:
        hand.append(cards.pop())
    return hand


def _play_or_fold(random: Random, player: dict[str, Any], bet: str, amount: int) -> None:
    player["decision"] = random.choice(["play", "play", "play", "fold"])
    if player["decision"] == "play":
        player["bets"][bet] = amount


def _either(random: Random, main: str, side: str) -> dict[str, int]:
    """The main bet, the side bet, or both."""
    chosen = random.choice([[main], [side], [main, side]])
    return {bet: random.choice(AMOUNTS) for bet in chosen}


def _three_card(random: Random, cards: list[str], dealer: list[str]) -> dict[str, Any]:
    bets = _either(random, "ante", "pair_plus")
    player: dict[str, Any] = {"cards": _hand(random, cards, 3, dealer), "bets": bets}
    if "ante" in bets:
        _play_or_fold(random, player, "play", bets["ante"])
    return player


def _four_card(random: Random, cards: list[str], dealer: list[str]) -> dict[str, Any]:
    bets = _either(random, "ante", "aces_up")
    player: dict[str, Any] = {"cards": _hand(random, cards, 5, dealer), "bets": bets}
    if "ante" in bets:
        _play_or_fold(random, player, "play", random.randint(bets["ante"], 3 * bets["ante"]))
    return player


def _crazy_four(random: Random, cards: list[str], dealer: list[str]) -> dict[str, Any]:
    ante = random.choice(AMOUNTS)
    player: dict[str, Any] = {"cards": _hand(random, cards, 5, dealer), "bets": {"ante": ante, "super_bonus": ante}}
    if random.randrange(2):
        player["bets"]["queens_up"] = random.choice(AMOUNTS)
    _play_or_fold(random, player, "play", random.randint(ante, 3 * ante) if may_triple(player["cards"]) else ante)
    return player


def _boston(random: Random, cards: list[str], dealer: list[str]) -> dict[str, Any]:
    ante = random.choice(AMOUNTS)
    player: dict[str, Any] = {"cards": _hand(random, cards, 5, dealer), "bets": {"ante": ante, "first": 2 * ante}}
    if random.randrange(2):
        player["bets"]["bonus"] = random.choice(AMOUNTS)
    _play_or_fold(random, player, "second", 2 * ante)
    if player["decision"] == "fold":
        del player["cards"][3:]
    return player


def _poker_357(random: Random, cards: list[str], dealer: list[str]) -> dict[str, Any]:
    bets = {"three": random.choice(AMOUNTS), "five": random.choice(AMOUNTS)}
    player: dict[str, Any] = {"cards": _hand(random, cards, 3, dealer), "bets": bets}
    if random.randrange(3):
        bets["seven"] = random.choice(AMOUNTS)
        player["decision"] = random.choice(["stay", "stay", "withdraw"])
    return player


def _bataille(random: Random, cards: list[str], dealer: list[str]) -> dict[str, Any]:
    bets = {"initial": random.choice(AMOUNTS)}
    player: dict[str, Any] = {"cards": _hand(random, cards, 1, dealer), "bets": bets}
    if random.randrange(2):
        bets["tie"] = random.choice(AMOUNTS)
    if player["cards"][0][0] == dealer[0][0]:
        player["decision"] = random.choice(["war", "war", "surrender"])
        if player["decision"] == "war":
            bets["additional"] = bets["initial"]
            (player["war_player"],) = _hand(random, cards, 1, dealer)
            (player["war_dealer"],) = _hand(random, cards, 1, [player["war_player"]])
    return player


CARDS = {  # of a seat (a seat at war uses three) and of the dealer
    "three_card": (3, 3),
    "bataille": (3, 1),
    "poker_357": (3, 4),
    "boston": (5, 5),
    "four_card": (5, 6),
    "crazy_four": (5, 5),
}
SEATS = {
    "three_card": _three_card,
    "bataille": _bataille,
    "poker_357": _poker_357,
    "boston": _boston,
    "four_card": _four_card,
    "crazy_four": _crazy_four,
}
