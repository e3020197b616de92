"""A configuration that does not hold together is refused, whatever is wrong with it, and nothing else is raised."""

from copy import deepcopy
from typing import Any

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS, small_table
from sabot.config import FIELDS, checked, key_of
from sabot.config_parts import ConfigError

KEYS = {
    "device": DEVELOPMENT_KEYS["device"].hex(),
    "casino": DEVELOPMENT_KEYS["casino"].hex(),
    "roles": {name: DEVELOPMENT_KEYS[name].hex() for name in ("supervisor", "technician", "auditor")},
}
READER = small_table()["readers"][0]
ABSURD: tuple[Any, ...] = (
    None, True, False, -1, 3.5, 1e300, 10**30, "", "x", "\0", [], [[]], {}, {"a": 1}, [None], [[None]], [1, 2],
    [[1, "ante"]], [[[True, "ante"]]], [READER, []], [READER, [None] * 8], {"ante": [True, 5]}, {"ante": [5, 5.0]},
    {"ante": [9, 5]}, {"ante": [1, 1 << 40]},
)  # fmt: skip
LAWFUL: tuple[tuple[str, object], ...] = (
    *((name, value) for name in ("losers_first", "badge_reader") for value in (True, False)),
    ("shoe", "rfid"),
    ("decks_alternate", False),
    ("couples_with", []),
    *((name, {}) for name in ("options", "limits", "accepted", "visibility", "consequences")),
)


def refusal(data: Any, keys: Any = None) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        checked(data, KEYS if keys is None else keys)
    return caught.value


@pytest.mark.parametrize("field", FIELDS)
def test_an_absurd_value_is_refused(field: str) -> None:
    for value in ABSURD:
        if not any(known == (field, value) and type(known[1]) is type(value) for known in LAWFUL):
            assert refusal({**small_table(), field: value}).allowed


@pytest.mark.parametrize("field", ["version", "table", "casino", "game", "readers"])
def test_a_field_without_a_default_must_be_there(field: str) -> None:
    data = small_table()
    del data[field]
    assert refusal(data).field == field


def test_a_field_that_is_none_is_refused_and_the_others_are_named() -> None:
    wrong = refusal(small_table(dwel_ms=500))
    assert wrong.field == "dwel_ms"
    assert "dwell_ms" in wrong.allowed


def test_names_that_are_no_texts_and_nesting_are_refused() -> None:
    # The board's JSON reader lets both through; sorting and hashing them would end the start.
    assert refusal(small_table(limits={1: [1, 2], "ante": [1, 2]})).field == "config.json"
    deep: list[Any] = []
    for _ in range(3000):
        deep = [deep]
    assert refusal(small_table(options=deep)).field == "config.json"


def test_cards_and_chips_are_never_of_one_family() -> None:
    assert refusal(small_table(afi_chip=0x72)).field == "afi_card"
    assert refusal(small_table(afi_chip=0)).field == "afi_chip"


@pytest.mark.parametrize("data", [[], None, 5, "x"])
def test_a_file_that_holds_something_else_is_refused(data: Any) -> None:
    assert refusal(data).field == "config.json"
    assert refusal(small_table(), data if data is not None else 1).field == "keys.json"
    with pytest.raises(ConfigError):
        key_of(data, "journal")


@pytest.mark.parametrize("field", ["device", "casino", "roles"])
def test_a_wrong_key_is_refused_and_not_shown(field: str) -> None:
    wrong: tuple[object, ...] = (
        None, 5, "", "0" * 63, "0" * 66, "é" * 32, [], {"boss": "0" * 64}, {"auditor": "0" * 63},
    )  # fmt: skip
    for value in wrong:
        keys = {**deepcopy(KEYS), field: value}
        assert "000" not in str(refusal(small_table(), keys))


def test_no_limit_lets_a_payment_outgrow_its_record() -> None:
    # 67.32: 40 to 1 on Pair plus, and the settlement's amounts have 32 bits.
    highest = checked(small_table(limits={}), KEYS).limits["pair_plus"][1]
    assert 41 * highest < 1 << 32 <= 41 * (highest + 1)
    assert refusal(small_table(limits={"pair_plus": [1, highest + 1]})).field == "limits.pair_plus"
    assert checked(small_table(limits={"ante": [5, 50]}), KEYS).limits["pair_plus"] == (1, highest)
