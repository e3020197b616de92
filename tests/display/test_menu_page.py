"""The pages of the menu and the desk: every item and step in both languages fits, and no cheat is named."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.display import menu_page
from sabot.display.screen import COLUMNS, LINES
from sabot.display.words import ENGLISH, FRENCH
from sabot.table.menu import items
from sabot.wire.codes import kinds, place, visibility
from tests.display.test_pages import issue, table

LANGUAGES = (FRENCH, ENGLISH)
STEPS = ("item", "seat", "hand", "spot", "amount", "cards", "confirm", "choice", "refused")
WIN, LOSE = "win", "lose"  # as `Table.status()` has them


def page(menu: dict[str, Any], language: int = FRENCH, issues: list[dict[str, Any]] | None = None) -> list[str]:
    status = table("betting")
    status["menu"] = menu
    status["issues"] = issues or []
    return menu_page.compose(status, language, 0)


def test_the_list_has_two_columns_and_says_how_it_goes_on() -> None:
    assert page({"item": "", "step": "item", "text": "", "items": items()[:10]}) == [
        "MENU",
        "1 VUE TARD 6 LITIGE",
        "2 POURBOIR 7 ANNULER",
        "3 SAISIE   8 ENGLISH",
        "4 CHANGE   9 DERNIÈR.",
        "5 ÉCHANGÉE 0 ABSENT",
        "",
        "PLUS=SUITE NON=FIN",
    ]


def test_an_amount_is_shown_as_it_is_keyed() -> None:
    menu = {"item": "keyed_bet", "step": "amount", "text": "1250", "seat": 3, "place": place(3, 0)}
    assert page(menu)[:3] == ["SAISIE P3", "MONTANT?", "12,50 $"]
    assert page({**menu, "text": ""}, ENGLISH)[2] == "$0"


def test_spots_and_ends_are_chosen_by_their_digits() -> None:
    menu = {"item": "toke", "step": "spot", "text": "", "seat": 2, "places": [place(2, 0), place(2, 1)]}
    assert page(menu)[:4] == ["POURBOIR P2", "CASE?", "1 INIT", "2 P+"]
    ends = [(WIN, 40, 1), (WIN, 1, 1), (LOSE, 0, 1)]
    menu = {"item": "judge", "step": "choice", "text": "", "seat": 2, "place": place(2, 1), "choices": ends}
    assert page(menu)[:5] == ["RÉSULTAT P2", "P+ RÉSULTAT?", "1 GAGNE 40:1", "2 GAGNE 1:1", "3 PERD"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [kind for kind in kinds() if visibility(kind) == "silent"])
def test_the_desk_tells_number_and_spot_but_no_kind(kind: str, language: int) -> None:
    told = {**issue(kind, 3, 1), "id": 17}
    shown = page({"item": "ruling", "step": "ruling", "text": "", "id": 17}, language, [told])
    other = page({"item": "ruling", "step": "ruling", "text": "", "id": 17}, language, [{**told, "kind": "dispute"}])
    assert shown == other
    assert "17" in shown[1] and "P+" in shown[1]


def test_every_step_of_every_item_fits() -> None:
    ends = [(WIN, 1000, 1)] * 9
    for language in LANGUAGES:
        for step in (*STEPS, "card", "ruling", "reason"):
            for item in (*items(), "judge", "ruling"):
                if (item == "ruling") != (step in ("card", "ruling", "reason")):
                    continue
                menu = {"item": item, "step": step, "text": "99999999", "seat": 7, "place": place(7, 2), "id": 65535}
                menu |= {"places": [place(7, index) for index in range(3)], "choices": ends, "items": items()[:10]}
                for issues in ([], [{**issue("late", 7, 2), "id": 65535}], [{**issue("lid", 0), "id": 65535}]):
                    shown = page(menu, language, issues)
                    assert len(shown) == LINES and all(len(line) <= COLUMNS for line in shown), (item, step, shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_pages_of_the_list_fit(language: int) -> None:
    for first in (0, 10):
        shown = page({"item": "", "step": "item", "text": "", "items": items()[first : first + 10]}, language)
        assert len(shown) == LINES and all(len(line) <= COLUMNS for line in shown)
