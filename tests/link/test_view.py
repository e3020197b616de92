"""The view: what the firmware packs is what the host takes apart, and the same as its status says."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS, configuration
from hwsim.table import SimTable, VirtualCable
from sabot.wire import codes
from sabot.wire import messages as m
from sabot.wire import view as layout
from sabot_host.link.client import Client
from sabot_host.monitor.picture import LAMPS, Picture, Unreadable, read
from tests.sampled import sampled

BETS = ("ante", "pair_plus", "play")


def test_sizes_and_lamps() -> None:
    for name in ("HEAD", "TABLE", "SEAT", "SPOT", "ISSUE"):
        assert struct.calcsize(getattr(layout, name)) == getattr(layout, f"{name}_SIZE")
    assert [f"LAMP_{name.upper()}" for name in LAMPS] == sorted(
        (name for name in vars(codes) if name.startswith("LAMP_")), key=lambda name: getattr(codes, name)
    )


def test_the_largest_view_fits_a_reply() -> None:
    texts = (1 + layout.MAX_FAULTS + 8) * (1 + layout.MAX_TEXT)
    issues = 4 * 28 + 8  # what may be open at 28 spots, and card faults
    table = layout.TABLE_SIZE + 7 * layout.SEAT_SIZE + 28 * layout.SPOT_SIZE + issues * layout.ISSUE_SIZE
    assert layout.HEAD_SIZE + texts + table <= m.MAX_REPLY // 2


def play(tmp_path: Path, role: str = "") -> tuple[Picture, dict[str, Any], SimTable, list[tuple[int, int, int]]]:
    """A full table: bets, a lock, a hand that is late; view, status and lamps of the same instant."""
    table = SimTable(tmp_path / "board", config=configuration("three_card", 7))
    table.start()
    table.run_for(700)
    table.press("fin")
    table.run_for(300)
    for seat in range(1, 8):
        table.place(seat, "ante", 500 * seat)
    table.run_for(1500)
    table.press("rnvp")
    table.run_for(500)
    table.place(2, "pair_plus", 500)
    table.run_for(1500)
    client = Client(VirtualCable(table))
    client.open()
    if role:
        client.authenticate(role, DEVELOPMENT_KEYS[role])
    body = client.call(m.C_VIEW)
    status = client.status()
    client.close()
    lamps = list(table.hardware.lamps.pixels)
    table.stop()
    assert len(body) < 700
    return read(body, BETS), status, table, lamps


@pytest.mark.parametrize("role", sampled(["", "dealer", "supervisor"], ["supervisor"]))
def test_it_says_what_the_status_says(tmp_path: Path, role: str) -> None:
    picture, status, _, _ = play(tmp_path, role)
    told = status["round"]
    assert (picture.state, picture.round, picture.gate, picture.confirmed) == (
        told["state"],
        told["round"],
        told["gate"],
        told["confirmed"],
    )
    assert [vars(seat) for seat in picture.seats] == [
        {"number": seat["seat"], "state": seat["state"], "held": seat["held"]} for seat in told["seats"]
    ]
    assert [(spot.seat, spot.bet, spot.state, spot.seen, spot.locked) for spot in picture.spots] == [
        (codes.place_seat(spot["place"]), spot["bet"], spot["state"], spot["seen"], spot["locked"])
        for spot in told["spots"]
    ]
    assert [(issue.number, issue.kind) for issue in picture.issues] == [
        (issue["id"], issue["kind"]) for issue in told["issues"]
    ]
    late = [issue for issue in picture.issues if issue.kind == "late"]
    assert [(issue.seat, issue.bet, issue.severity) for issue in late] == (
        [(2, "pair_plus", 2)] if role == "supervisor" else []
    )
    assert (picture.ready, picture.full, picture.refused, picture.faults) == (True, False, "", ())
    assert picture.last == status["journal"]["last"]


def test_lamps_and_chips_are_those_of_the_table(tmp_path: Path) -> None:
    picture, _, table, lamps = play(tmp_path)
    colours = {(0, 0, 0): "off", (64, 0, 0): "locked"}
    shown = [colours[pixel] for pixel in lamps]
    assert [spot.lamp for spot in picture.spots] + [picture.bar] * 8 == shown
    for spot in picture.spots:
        lying = table.felt.lying_on(table.spot(spot.seat, spot.bet))
        assert spot.chips == len(lying), spot
        assert spot.seen == sum(chip.cents for chip in lying)  # type: ignore[attr-defined]


def test_a_controller_that_refuses_to_play_says_why(tmp_path: Path) -> None:
    table = SimTable(tmp_path / "board", config={**configuration("three_card", 2), "retries": 99})
    table.start()
    table.run_for(700)
    client = Client(VirtualCable(table))
    client.open()
    picture = read(client.call(m.C_VIEW), BETS)
    table.stop()
    assert (picture.ready, picture.refused, picture.state, picture.spots) == (False, "configuration", "", ())


HEAD = struct.pack(layout.HEAD, layout.HAS_TABLE, 7, 0, 0, 0)
TABLE = struct.pack(layout.TABLE, 3, 0, 1, 1, 0, 0, 0, 1, 1, 1)
SEAT, SPOT = b"\x02\x81", struct.pack(layout.SPOT, 0x21, 1, 1, 2, 500, 0)
ISSUE = struct.pack(layout.ISSUE, 5, 13, 2, 0x21)


def test_a_view_by_hand() -> None:
    picture = read(HEAD + TABLE + SEAT + SPOT + ISSUE, BETS)
    assert picture.as_dict()["seats"] == [{"number": 2, "state": "in", "held": True}]
    assert picture.as_dict()["spots"] == [
        {"seat": 2, "bet": "pair_plus", "state": "open", "lamp": "open", "chips": 2, "seen": 500, "locked": 0}
    ]
    assert picture.as_dict()["issues"] == [{"number": 5, "kind": "late", "severity": 2, "seat": 2, "bet": "pair_plus"}]


def test_control_characters_of_a_text_do_not_reach_a_terminal() -> None:
    body = struct.pack(layout.HEAD, 0, 0, 0, 1, 0) + b"\x08a\x1b[2J\xc3\xa9\xff"
    assert read(body, BETS).faults == ("a?[2Jé\ufffd",)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        HEAD[:-1],
        HEAD,
        HEAD + TABLE + SEAT + SPOT + ISSUE + b"\0",
        HEAD + TABLE + SEAT + SPOT + ISSUE[:-1],
        HEAD + b"\xff" + TABLE[1:] + SEAT + SPOT + ISSUE,
        HEAD + TABLE + b"\x02\x7f" + SPOT + ISSUE,
        HEAD + TABLE + SEAT + b"\x2f" + SPOT[1:] + ISSUE,
        HEAD + TABLE + SEAT + SPOT[:2] + b"\x09" + SPOT[3:] + ISSUE,
        struct.pack(layout.HEAD, 0, 0, 0, 0, 1) + b"\x05abc",
    ],
)
def test_what_is_no_view_is_refused(body: bytes) -> None:
    with pytest.raises(Unreadable):
        read(body, BETS)
