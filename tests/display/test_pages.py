"""The pages: what the dealer reads in each state of the table, never wider than the display, never naming a cheat."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sabot.display import menu_page, pages
from sabot.display.prompts import Prompts
from sabot.display.screen import COLUMNS, LINES
from sabot.display.words import ENGLISH, FRENCH
from sabot.rules.games import bataille, boston, crazy_four, four_card, poker_357, three_card
from sabot.wire.codes import FAULTS, PROMPTS, kinds, place, visibility
from sabot.wire.codes import severity as severity_of
from sabot.wire.states import SEAT_STATES, SPOT_STATES, TABLE_STATES

GAMES = [module.GAME for module in (three_card, bataille, boston, crazy_four, four_card, poker_357)]
NAMES = [[bet.name for bet in game.bets] for game in GAMES]


def table(state: str, bets: list[str] = NAMES[0], seats: int = 7) -> dict[str, Any]:
    """A table's status with 25 $ on the first bet of every seat."""
    locked = 2500 if state not in ("idle", "betting", "last_bets") else 0
    return {
        "state": state,
        "round": 12,
        "rounds": 11,
        "confirmed": True,
        "gate": False,
        "cards": 0,
        "seats": [{"seat": seat, "state": "in", "held": False, "folding": False} for seat in range(1, seats + 1)],
        "spots": [
            {
                "place": place(seat, index),
                "bet": name,
                "state": "open" if not locked else "locked",
                "seen": 0 if index else 2500,
                "locked": 0 if index else locked,
            }
            for seat in range(1, seats + 1)
            for index, name in enumerate(bets)
        ],
        "issues": [],
        "paying": {},
        "cut": False,
        "dealer": 7,
        "supervisor": 0,
        "menu": {},
    }


def spot(status: dict[str, Any], seat: int, bet: str) -> dict[str, Any]:
    found: dict[str, Any] = next(s for s in status["spots"] if s["place"] >> 4 == seat and s["bet"] == bet)
    return found


def issue(kind: str, seat: int, bet: int = 0, severity: int | None = None) -> dict[str, Any]:
    ordinary = severity_of(kind)
    where = place(seat, bet) if seat else 0
    return {"id": 1, "kind": kind, "severity": ordinary if severity is None else severity, "place": where}


def told(state: str, *said: tuple[str, int, int]) -> Prompts:
    prompts = Prompts()
    prompts.follow(state)
    for name, where, cents in said:
        prompts.take(PROMPTS.index(name), where, cents)
    return prompts


def page(status: dict[str, Any], prompts: Prompts | None = None, language: int = FRENCH, beat: int = 0) -> list[str]:
    return pages.compose(status, prompts or told(status["state"]), {}, language, beat)


def test_what_was_read_at_each_seat_is_shown_before_the_lock() -> None:
    status = table("betting")
    spot(status, 2, "pair_plus")["seen"] = 122500
    spot(status, 3, "ante")["seen"] = 0
    assert page(status)[:5] == [
        "FAITES VOS MISES",
        "P1 25 $    P5 25 $",
        "P2 1 250 $ P6 25 $",
        "           P7 25 $",
        "P4 25 $",
    ]
    assert page(status, language=ENGLISH)[2] == "S2 $1,250  S6 $25"


def test_amounts_too_wide_for_two_columns_take_a_line_each() -> None:
    status = table("betting")
    spot(status, 2, "ante")["seen"] = 123456789
    assert page(status)[1:5] == ["P1 25 $", "P2 1 234 567,89 $", "P3 25 $", "P4 25 $"]
    spot(status, 2, "ante")["seen"] = 1250000
    assert page(status)[2] == "P2 12500 $ P6 25 $"
    spot(status, 2, "ante")["seen"] = 123456789
    assert page(status, beat=1)[1:5] == ["P5 25 $", "P6 25 $", "P7 25 $", ""]


def test_advice_about_bets_stands_below_until_it_is_taken_back() -> None:
    status = table("betting")
    prompts = told("betting", ("minimum", place(3, 0), 500), ("ratio", place(5, 2), 7500), ("missing", place(6, 0), 0))
    assert page(status, prompts)[5:] == ["P3 INIT MIN 5 $", "P5 ADD = 75 $", "P6 INIT MANQUANTE"]
    assert page(status, prompts, ENGLISH)[5:] == ["S3 INIT MIN $5", "S5 PLAY = $75", "S6 INIT MISSING"]
    prompts.take(PROMPTS.index("none"), place(3, 0), 0)
    assert page(status, prompts)[5:] == ["", "P5 ADD = 75 $", "P6 INIT MANQUANTE"]
    prompts.follow("locked")
    assert page(table("locked"), prompts)[5:] == ["", "", ""]


def test_what_does_not_fit_takes_turns() -> None:
    prompts = told("betting", *[("minimum", place(seat, 0), 500) for seat in range(1, 6)])
    shown = [page(table("betting"), prompts, beat=beat)[5:] for beat in range(3)]
    assert shown[0] == shown[2] == ["P1 INIT MIN 5 $", "P2 INIT MIN 5 $", "P3 INIT MIN 5 $"]
    assert shown[1] == ["", "P4 INIT MIN 5 $", "P5 INIT MIN 5 $"]


def test_the_question_that_the_keys_answer_is_the_one_that_is_shown() -> None:
    status = table("dealing")
    status["issues"] = [issue("next_round", 1), issue("ambiguous", 2), issue("equal_swap", 3, 1), issue("late", 4)]
    prompts = told("dealing", ("doubt", place(2, 0), 2500))
    assert page(status, prompts)[5:] == ["P4 NE PAS PAYER", "P2 INIT DOUTE 25 $", "OUI=VALIDE NON=REFUS"]
    status["issues"] = [issue("next_round", 1), issue("equal_swap", 3, 1)]
    assert page(status, prompts)[5:] == ["P1 PROCHAINE PARTIE", "P3 P+ ÉCHANGÉE", "OUI=VALIDE NON=REFUS"]
    status["issues"] = [issue("moved", 1)]
    assert page(status, prompts)[5:] == ["", "", "P1 REPLACER MISE"]


def test_a_doubt_about_a_large_amount_takes_two_lines() -> None:
    status = table("locked")
    status["issues"] = [issue("ambiguous", 2)]
    assert page(status, told("locked", ("doubt", place(2, 0), 10000050)))[5:] == [
        "P2 INIT DOUTE",
        "         100 000,50 $",
        "OUI=VALIDE NON=REFUS",
    ]


@pytest.mark.parametrize("kind", [kind for kind in kinds() if visibility(kind) == "silent"])
def test_kinds_that_would_warn_a_cheat_only_say_whom_not_to_pay(kind: str) -> None:
    status = table("dealing")
    status["issues"] = [issue(kind, 3)]
    plain = page(table("dealing"))
    assert page(status) == [*plain[:7], "P3 NE PAS PAYER"]
    assert page(status, language=ENGLISH)[7] == "S3 DO NOT PAY"


def test_seats_not_to_pay_share_lines() -> None:
    status = table("dealing")
    status["issues"] = [issue("late", seat) for seat in (6, 1, 3, 4, 7, 3)]
    assert page(status)[5:] == ["", "P1 P3 P4 NE PAS PAYER", "P6 P7 NE PAS PAYER"]
    status["issues"] = [issue("reader_fault", 2), issue("moved", 5, 0, 2)]
    assert page(status)[6:] == ["P5 NE PAS PAYER", "P2 HORS SERVICE"]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("card_before_lock", "CARTE AVANT ANNONCE"),
        ("two_cards", "DEUX CARTES"),
        ("alien_card", "CARTE ÉTRANGÈRE"),
        ("wrong_count", "COMPTE DE CARTES FAUX"),
        ("lid", "COUVERCLE OUVERT"),
    ],
)
def test_a_stopped_table_says_why(kind: str, words: str) -> None:
    status = table("suspended")
    status["issues"] = [issue(kind, 0), issue(kind, 0)]
    shown = page(status)
    assert shown[0] == "PARTIE SUSPENDUE"
    assert shown[6:] == [words, "APPELER SUPERVISEUR"]


def test_a_keyed_card_waits_for_the_dealers_word() -> None:
    status = table("suspended")
    prompts = told("dealing", ("call_supervisor", 0, 0))
    prompts.follow("suspended")
    prompts.take(PROMPTS.index("doubt"), 0, 0)
    prompts.follow("suspended")
    assert page(status, prompts)[6:] == ["CARTE NON LUE", "OUI=VALIDE NON=REFUS"]
    prompts.follow("dealing")
    assert page(table("dealing"), prompts)[6:] == ["", ""]


def test_decisions_are_shown_seat_by_seat() -> None:
    status = table("deciding")
    for seat in status["seats"]:
        seat["state"] = "deciding"
        spot(status, seat["seat"], "play")["state"] = "open"
    spot(status, 2, "play")["seen"] = 2500
    status["seats"][2]["state"] = "folded"
    status["seats"][3]["state"] = "out"
    assert page(status)[:5] == ["DÉCISIONS", "P1 ?       P5 ?", "JOUE P2    P6 ?", "ABANDON P3 P7 ?", "P4 ---"]
    war = table("deciding", NAMES[1], 2)
    war["seats"][0]["state"] = "folded"
    war["seats"][1]["state"] = "deciding"
    spot(war, 2, "additional").update(state="open", seen=2500)
    assert page(war)[1:3] == ["P1 RETRAIT", "P2 BAT"]
    assert page(war, language=ENGLISH)[1:3] == ["S1 HALF", "S2 BAT"]


ROWS = (
    ("pay", place(7, 3), 10000000),
    ("take", place(7, 2), 0),
    ("push", place(7, 1), 2500),
    ("pay", place(7, 0), 125000),
)


def paying(*rows: tuple[str, int, int], at: int = 1, pages: int = 4) -> dict[str, Any]:
    """A table whose open payment page has these rows."""
    status = table("settling")
    status["paying"] = {"seat": rows[0][1] >> 4 if rows else 0, "page": at, "pages": pages, "rows": list(rows)}
    return status


def test_the_open_payment_page_is_shown_with_its_number() -> None:
    assert page(paying(*ROWS)) == [
        "PAIEMENTS         1/4",
        "P7 BON PAYER",
        "            100 000 $",
        "P7 ADD RAMASSER",
        "P7 P+ NULLE",
        "P7 INIT PAYER 1 250 $",
        "",
        "FIN=SUIVANT",
    ]
    assert page(paying(("take", place(5, 0), 2500), at=2))[:2] == ["PAIEMENTS         2/4", "P5 INIT RAMASSER"]
    half = paying(("take", place(4, 0), 1250), at=3)
    assert page(half, language=ENGLISH)[:2] == ["TAKE AND PAY      3/4", "S4 INIT TAKE HALF"]
    last = page(paying(("take", place(3, 0), 700), at=4))
    assert last[:3] == ["PAIEMENTS         4/4", "P3 INIT RAMASSER", "                  7 $"]
    assert last[7] == ""
    assert page(paying(at=4))[:3] == ["PAIEMENTS", "", "FIN DE PARTIE"]


def test_a_page_of_the_first_settlement_is_shown_while_others_still_decide() -> None:
    status = paying(("pay", place(2, 0), 2500), pages=1)
    status["state"] = "deciding"
    assert page(status)[:2] == ["DÉCISIONS         1/1", "P2 INIT PAYER 25 $"]


def test_more_lines_than_there_is_room_for_take_turns_amounts_with_their_lines() -> None:
    status = paying(*ROWS)
    status["issues"] = [issue("late", 1), issue("late", 2), issue("late", 3), issue("late", 4), issue("ambiguous", 6)]
    first = page(status)
    second = page(status, beat=1)
    assert first[1:5] == ["P7 BON PAYER", "            100 000 $", "P7 ADD RAMASSER", "P7 P+ NULLE"]
    assert second[1:5] == ["P7 INIT PAYER 1 250 $", "", "", ""]
    assert first[0] == second[0] == "PAIEMENTS         1/4"
    assert {first[5], second[5]} == {"P1 P2 P3 NE PAS PAYER", "P4 NE PAS PAYER"}


def test_a_table_without_payment_pages_shows_all_payments_in_turn() -> None:
    others = [("take", place(seat, 0), 2500) for seat in (5, 4, 3)]
    prompts = told("settling", *ROWS, *others)
    status = table("settling")
    assert page(status, prompts)[0] == "PAIEMENTS"
    assert page(status, prompts)[1:] == ["P7 BON PAYER", "            100 000 $", "P7 ADD RAMASSER", "P7 P+ NULLE",
        "P7 INIT PAYER 1 250 $", "P5 INIT RAMASSER", "P4 INIT RAMASSER"]  # fmt: skip
    assert page(status, prompts, beat=1)[1:3] == ["P3 INIT RAMASSER", ""]
    prompts.follow("suspended")
    prompts.follow("settling")
    assert page(status, prompts)[1] == "P7 BON PAYER"


def test_a_void_round_lists_what_goes_back_until_the_next_lock() -> None:
    prompts = told("dealing", ("pay", place(1, 0), 100))
    prompts.follow("betting")
    for seat, index, cents in ((1, 0, 2500), (1, 1, 500), (4, 0, 10000)):
        prompts.take(PROMPTS.index("void_return"), place(seat, index), cents)
    prompts.follow("betting")
    shown = page(table("betting"), prompts)
    assert shown[:3] == ["ANNULÉE: REMETTRE", "P1 30 $", "P4 100 $"]
    assert prompts.payments == []
    prompts.follow("locked")
    assert page(table("locked"), prompts)[0] == "RIEN NE VA PLUS"
    prompts.take(PROMPTS.index("void_return"), place(2, 0), 2500)
    assert page(table("locked"), prompts)[7] == "P2 REMETTRE 25 $"


def test_faults_are_told_in_the_dealers_language() -> None:
    faults = {"reader 2": "busy", "clock": "stopped", "task shoe": "MemoryError"}
    status = table("idle")
    status["spots"] = []
    shown = pages.compose(status, told("idle"), faults, FRENCH, 0)
    assert shown[0] == "TABLE EN ATTENTE" and shown[2] == "PARTIE No 12"
    assert shown[5:] == ["HORLOGE INVALIDE", "LECTEUR 2 EN PANNE", "PANNE INTERNE"]
    assert pages.compose(status, told("idle"), faults, ENGLISH, 0)[6] == "READER 2 FAULT"


def test_a_controller_that_does_not_play_says_why() -> None:
    shown = menu_page.refused("configuration", FRENCH)
    assert shown == ["TABLE FERMÉE", "", "PANNE INTERNE", "configuration", "", "", "", "APPELER SUPERVISEUR"]


def test_the_choice_of_a_language_is_shown() -> None:
    assert menu_page.languages(FRENCH)[2:4] == ["> FRANÇAIS", "  ENGLISH"]
    assert menu_page.languages(ENGLISH)[2:4] == ["  FRANÇAIS", "> ENGLISH"]


def anything(source: random.Random) -> tuple[dict[str, Any], Prompts, dict[str, str]]:
    """A status, prompts and faults of any kind together, likely or not."""
    bets = source.choice(NAMES)
    status = table(source.choice(TABLE_STATES), bets, source.randint(1, 7))
    for seat in status["seats"]:
        seat["state"] = source.choice(SEAT_STATES)
    for entry in status["spots"]:
        entry["state"] = source.choice(SPOT_STATES)
        entry["seen"] = source.choice((0, 2500, 750, 99999, 12345678))
        entry["locked"] = source.choice((0, 2500, 100000000))
    places = [entry["place"] for entry in status["spots"]] + [place(1, len(bets))]
    for _ in range(source.randint(0, 9)):
        kind = source.choice(kinds())
        severity = severity_of(kind)
        where = 0 if severity == 3 else source.choice(places)
        if severity == 1:
            severity = source.choice((1, 2))
        status["issues"].append({"id": 1, "kind": kind, "severity": severity, "place": where})
    if source.random() < 0.3:
        kinds_of = ("pay", "take", "push")
        rows = [(source.choice(kinds_of), source.choice(places), source.choice((0, 500, 12345678))) for _ in range(6)]
        count = source.randint(0, 6)
        status["paying"] = {"seat": 1, "page": 1, "pages": source.randint(1, 7), "rows": rows[:count]}
    prompts = Prompts()
    for _ in range(source.randint(0, 40)):
        prompts.follow(source.choice((status["state"], "settling", "betting")))
        prompts.take(source.randrange(len(PROMPTS)), source.choice(places), source.choice((0, 500, 12345678)))
    prompts.follow(status["state"])
    parts = [source.choice(FAULTS[1:]) + " " + str(source.randrange(4)) for _ in range(source.randint(0, 4))]
    return status, prompts, dict.fromkeys(parts, "code")


@pytest.mark.parametrize("seed", range(40))
def test_no_page_is_wider_or_longer_than_the_display(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(50):
        status, prompts, faults = anything(source)
        for language in (FRENCH, ENGLISH):
            for beat in (0, 1, 5):
                shown = pages.compose(status, prompts, faults, language, beat)
                assert len(shown) == LINES and all(len(line) <= COLUMNS for line in shown), shown
