"""Starts that go wrong: whatever files and memory hold, the controller answers and says why it does not play."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hwsim.chips.mb85rs import PARTS
from hwsim.provisioning import DEVELOPMENT_KEYS, small_table
from hwsim.table import SimTable, VirtualCable
from sabot.journal.journal import Journal
from sabot.journal.ring import SEGMENT
from sabot.wire import meters
from sabot.wire.records import code_of, parse
from sabot_host.link.client import Client
from sabot_host.sim.play import Session
from tests.e2e.asking import asked
from tests.e2e.stored import MEMORY, POWER_ON, SEGMENTS, board_id, filled
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import FakeClock
from tests.sampled import sampled

HALF = (MEMORY - 0x1000 + SEGMENTS * SEGMENT) // 2
Preparation = Callable[[SimTable, Path], None]

BLOCKS_PROTECTED = 0x0C  # bits of the memory's status: every write is ignored


def said(session: Session, prepare: Preparation = lambda table, board: None) -> dict[str, Any]:
    """What the controller says of itself 1.5 s after its start; it has not started a second time."""
    prepare(session.table, session.folder / "board")
    session.table.start()
    session.table.run_for(1500)
    assert session.table.controller.restarts == 0
    return asked(session.table)


def holding(name: str, text: str | bytes) -> Preparation:
    def prepare(table: SimTable, board: Path) -> None:
        (board / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    return prepare


def wrong_memory(table: SimTable, board: Path) -> None:
    fram = table.hardware.fram
    fram.part = PARTS["MB85RS2MTA"]
    del fram.image[fram.part.size :]


def expander_gone(table: SimTable, board: Path) -> None:
    del table.fabric.i2c_buses[1].devices[0x21]


CONFIG = json.dumps(small_table())


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (holding("provision.json", "[1]"), "unprovisioned"),
        (holding("config.json", CONFIG.replace('"ante": [', "1: [")), "configuration"),
        (holding("config.json", CONFIG[:-1] + ', "options": ' + 500 * "[" + 500 * "]" + "}"), "configuration"),
        (holding("config.json", bytes(range(256))), "configuration"),
        (holding("deck.json", json.dumps([[5, 1]] * 52)), "deck"),
        (wrong_memory, "memory"),
        (expander_gone, "expander"),
    ],
    ids=["key-list", "config-names", "config-deep", "config-binary", "deck-numbers", "memory-type", "no-expander"],
)
def test_what_is_wrong_is_told_over_the_link(prepare: Preparation, code: str) -> None:
    with Session(seed=4) as session:
        status = said(session, prepare)
    assert not status["ready"]
    assert status["refused"]["code"] == code


@pytest.mark.parametrize("gone", [(0x20,), (0x21,), (0x20, 0x21)], ids=["first", "second", "both"])
def test_the_expander_that_is_missing_is_named(gone: tuple[int, ...]) -> None:
    with Session(seed=4) as session:
        for address in gone:
            del session.table.fabric.i2c_buses[1].devices[address]
        told = f"a port expander does not answer (absent at {gone[0]:#x}); check the wiring"
        assert said(session)["refused"] == {"code": "expander", "text": told}


def test_half_a_last_word_does_not_stop_the_next_start() -> None:
    with Session(seed=4) as session:
        status = said(session, holding("crash.txt", b"OSError: \xff\xfe\x00 not ASCII"))
        assert status["ready"]
        session.witness.look()
        told = [entry.fields["detail"] for entry in session.witness.entries if entry.name == "fault"]
    assert told == ["crash: OSError: ??? not ASCII"]


def test_a_key_that_was_not_removed_in_time_is_removed_at_the_next_start() -> None:
    # The power goes between the first key's writing and the removal of the file that brought it.
    with Session(seed=4) as session:
        file = session.folder / "board" / "provision.json"
        key = file.read_bytes()
        session.table.start()
        session.table.run_for(1500)
        session.table.stop()
        assert not file.exists()
        assert said(session, holding("provision.json", key))["ready"]
        assert not file.exists()
        verdict, pulled = session.judge()
    assert verdict.good, verdict.lines()
    assert "key file removed" in str([parse(record)["fields"] for record in pulled.records])


def flipped(*names: str) -> Preparation:
    def prepare(table: SimTable, board: Path) -> None:
        for name in names:
            data = bytearray((board / name).read_bytes())
            data[20] ^= 4
            (board / name).write_bytes(data)

    return prepare


def started_once(session: Session) -> None:
    """From then on the settings lie in two copies."""
    assert said(session)["ready"]
    session.table.stop()


def details(pulled: list[bytes]) -> list[str]:
    records = [parse(record) for record in pulled]
    return [record["fields"]["detail"] for record in records if record["name"] == "fault"]


@pytest.mark.parametrize(
    ("ending", "name"),
    sampled(
        product(["json", "copy"], ["config.json", "keys.json", "deck.json"]),
        [("json", "config.json"), ("copy", "keys.json")],
    ),
)
def test_a_bit_in_one_copy_of_the_settings_is_mended_and_told(ending: str, name: str) -> None:
    with Session(seed=4) as session:
        started_once(session)
        whole = (session.folder / "board" / name).read_bytes()
        assert said(session, flipped(name[:-4] + ending))["ready"]
        assert (session.folder / "board" / name).read_bytes() == whole
        assert (session.folder / "board" / (name[:-4] + "copy")).read_bytes() == whole
        verdict, pulled = session.judge()
    assert verdict.good, verdict.lines()
    (detail,) = details(list(pulled.records))
    assert detail.startswith(f"{name[:-4]}{ending} was not whole: written again from ")


@pytest.mark.parametrize(
    ("name", "code"),
    sampled(
        [("config.json", "configuration"), ("keys.json", "configuration"), ("deck.json", "deck")],
        [("deck.json", "deck")],
    ),
)
def test_a_bit_in_both_copies_of_the_settings_stops_the_table_and_no_power_cut_mends_it(name: str, code: str) -> None:
    with Session(seed=4) as session:
        started_once(session)
        whole = (session.folder / "board" / name).read_bytes()
        for prepare in (flipped(name, name[:-4] + "copy"), flipped()):
            status = said(session, prepare)
            assert not status["ready"]
            assert status["refused"]["code"] == code
            session.table.stop()
        assert said(session, holding(name, whole))["ready"]
        verdict, pulled = session.judge()
    assert verdict.good, verdict.lines()
    *tilts, mended = details(list(pulled.records))
    assert [name in detail for detail in tilts] == [True, True]
    assert mended.startswith(f"{name[:-4]}copy was not whole")


@pytest.mark.campaign
def test_a_memory_without_room_for_one_more_record_can_still_be_pulled_and_acknowledged() -> None:
    with Session(seed=4, **filled(4, 30)._asdict()) as session:
        status = said(session)
        assert status["refused"]["code"] == "journal_full"
        client = Client(VirtualCable(session.table))
        client.open()
        client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
        client.acknowledge(status["journal"]["last"])
        client.close()
        session.table.stop()
        assert said(session)["ready"]


@pytest.mark.campaign
def test_half_a_memory_of_records_that_no_host_has_is_warned_of() -> None:
    with Session(seed=4, **filled(4, HALF - 200)._asdict()) as session:
        status = said(session)
        assert (status["ready"], status["faults"]) == (True, {"journal_half 0": "connect a host"})
        client = Client(VirtualCable(session.table))
        client.open()
        client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
        client.acknowledge(status["journal"]["last"])
        session.table.run_for(200)
        assert client.status()["faults"] == {}
        client.close()


@pytest.mark.campaign
def test_keys_leave_the_last_room_of_the_memory_alone() -> None:
    with Session(seed=4, **filled(4, 150)._asdict()) as session:
        last = said(session)["journal"]["last"]
        for _ in range(8):
            session.table.press("oui")
            session.table.run_for(300)
        status = asked(session.table)
    assert status["journal"]["last"] == last
    assert "task panel" not in status["faults"]


def test_a_memory_that_is_gone_halts_the_table_without_a_word_on_the_port() -> None:
    with Session(seed=4) as session:
        assert said(session)["ready"]
        heard = bytearray()
        session.table.fabric.cdc.host_open()
        session.table.fabric.cdc.on_data = heard.extend
        session.table.hardware.fram.transfer = lambda mosi, byte_ns: b"\xff" * len(mosi)  # type: ignore[method-assign]
        for _ in range(4):
            session.table.press("oui")
            session.table.run_for(300)
        session.table.run_for(6000)
        assert session.table.controller.restarts == 0
        assert heard == b""
        session.table.fabric.cdc.on_data = None
        status = asked(session.table)
    assert status["faults"]["journal"] == "closed"
    assert "did not keep" in status["faults"]["task panel"]


def test_that_a_memory_kept_nothing_is_recorded_at_the_next_start() -> None:
    with Session(seed=4) as session:
        assert said(session)["ready"]
        session.table.hardware.fram.status = BLOCKS_PROTECTED
        session.table.press("oui")
        session.table.run_for(1000)
        session.table.hardware.fram.status = 0
        assert asked(session.table)["faults"]["journal"] == "closed"
        session.table.stop()
        session.table.start()
        session.table.run_for(1500)
        verdict, _ = session.judge()
        told = [entry.fields["detail"] for entry in session.witness.entries if entry.name == "fault"]
    assert verdict.good, verdict.lines()
    assert len(told) == 1
    assert str(told[0]).startswith("crash: panel: JournalError: ")


def test_a_bit_in_the_record_that_ended_the_last_round_is_for_the_auditor() -> None:
    memory = FastMemory(image=bytearray(MEMORY))
    journal = Journal(memory, FakeClock(now=5))
    journal.format(DEVELOPMENT_KEYS["journal"], board_id(4))
    journal.open()
    journal.append(code_of("power_on"), POWER_ON)
    ended = journal.append(code_of("round_end"), {"round": 1, "rounds": 1})
    journal.append(code_of("link"), {"up": 1})
    record = journal.read(ended)
    assert record is not None
    at = memory.image.index(record)
    memory.image[at + 24] ^= 1
    with Session(seed=4, image=memory.image) as session:
        status = said(session)
    assert status["refused"]["code"] == "journal"
    assert f"record {ended}" in status["refused"]["text"]


def changed(name: str, old: str, new: str) -> Preparation:
    """A settings file put there anew, by whoever can write the flash."""

    def prepare(table: SimTable, board: Path) -> None:
        text = (board / name).read_text().rsplit("\n", 2)[0]
        assert old in text
        (board / name).write_text(text.replace(old, new, 1))

    return prepare


def test_other_settings_are_told_with_what_was_there_before() -> None:
    """Also when nobody left the table for it: then the record says that nobody did."""
    with Session(seed=4) as session:
        dealer = DEVELOPMENT_KEYS["dealer"].hex()
        started_once(session)
        for prepare in (
            flipped(),
            changed("config.json", "{", '{"moved_ms": 20000, '),
            changed("keys.json", dealer, dealer[::-1]),
        ):
            assert said(session, prepare)["ready"]
            session.table.stop()
        assert said(session)["ready"]
        verdict, pulled = session.judge()
    assert verdict.good, verdict.lines()
    records = [parse(record) for record in pulled.records]
    starts = [at for at, record in enumerate(records) if record["name"] == "power_on"]
    told = [record["fields"] for record in records if record["name"] == "configured"]
    assert [records[at + 1]["name"] == "configured" for at in starts] == [True, False, True, True, False]
    first, config, keys = told
    assert first["was"] == bytes(8) and [each["by"] for each in told] == [0, 0, 0]
    for earlier, later in ((first, config), (config, keys)):
        assert later["was"] == meters.together(earlier["settings"], earlier["program"], earlier["deck"])
        assert (later["deck"], later["program"]) == (first["deck"], first["program"])
        assert later["settings"] != earlier["settings"]
    assert config["config_hash"] != first["config_hash"] and keys["config_hash"] == config["config_hash"]
