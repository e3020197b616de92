"""`sabot sim serve --do`: lines that happen at the table first, and those that cannot; what a link's name leads to."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS, configuration
from hwsim.table import VirtualCable
from sabot_host.cli import monitor
from sabot_host.cli.main import main
from sabot_host.errors import Exit, SabotError, UsageError
from sabot_host.sim import serve as serving
from sabot_host.sim.play import Session, perform


class Quick(Session):
    """The same in virtual time: nothing is waited for."""

    def __init__(self, config: dict[str, object], *, seed: int, realtime: bool) -> None:
        assert realtime
        super().__init__(config, seed=seed)


class Port:
    """A port of that name, which nobody opens."""

    name = "/dev/pts/of-this-table"

    def __init__(self, table: object) -> None:
        """Nothing is opened."""

    def close(self) -> None:
        """Nor closed."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "Session", Quick)
    monkeypatch.setattr(serving, "PseudoPort", Port)


def served(*lines: str, link: Path | None = None) -> list[str]:
    """What is said of a table that is served and, once it is there, ended with Ctrl-C."""
    told: list[str] = []

    def say(text: str) -> None:
        told.append(text)
        if len(told) == 1:
            raise KeyboardInterrupt

    serving.serve(say, link, configuration("three_card", 1), 0, False, lines)
    return told


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "lines",
    [
        ("open the table", "expect bar green now"),  # the power is on: that is the first thing the line asks for
        ("break clock", "mend clock"),
        ("power off", "power on"),
        ("plug host", "expect host up"),
    ],
)
def test_lines_that_can_be_happen_at_the_table(lines: tuple[str, ...]) -> None:
    told = served(*lines)
    assert told[0].startswith("a table is at ") and told[1:] == ["the table is switched off"]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "lines", ["", "dance", "break reader 9", "# nothing", "config dwell_ms 700", "@x break reader 0"]
)
def test_a_line_that_says_nothing_is_a_wrong_command(lines: str) -> None:
    with pytest.raises(UsageError) as wrong:
        served(lines)
    assert (wrong.value.code, wrong.value.exit_status) == ("sim-line", Exit.USAGE)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("break reader 0", "break reader 0"), "the reader has failed already"),
        (("mend clock",), "the clock works already"),
        (("power on",), "the power is on already"),
        (("power off",), "the power is off at the end"),
        (("expect bar red now",), "not so: expect bar red now: the bar is dark"),
        (("supervisor 12 signs on",), "no host is plugged in"),
    ],
)
def test_what_cannot_be_and_what_is_not_so_is_told(lines: tuple[str, ...], why: str) -> None:
    with pytest.raises(SabotError) as wrong:
        served(*lines)
    assert (wrong.value.code, wrong.value.exit_status) == ("sim-line-impossible", Exit.FINDING)
    assert why in wrong.value.message


@pytest.mark.usefixtures("quick")
def test_a_link_that_a_killed_table_left_is_taken_over_and_another_s_is_not(tmp_path: Path) -> None:
    """Also where its port's number has become this table's own, as it does at once when the other was alone."""
    link = tmp_path / "table"
    for left in ("/dev/pts/gone", Port.name):
        link.symlink_to(left)
        assert served(link=link)[1:] == ["the table is switched off"]
        assert not link.is_symlink()
    far, near = pty.openpty()
    link.symlink_to(os.ttyname(near))
    with pytest.raises(SabotError) as wrong:
        served(link=link)
    assert wrong.value.code == "sim-link-there" and link.is_symlink()
    os.close(far)
    os.close(near)


def test_an_empty_name_is_not_the_working_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """What a variable leaves that is not set: keys were written where one stood."""
    assert main(["sim", "serve", "--idle", "--keys", ""]) == Exit.FILE
    assert "[folder-unnamed]" in capsys.readouterr().err


def test_one_look_with_the_auditor_s_key_shows_what_is_kept_from_the_players(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its number is what `sabot staff rule` is told; the key was taken, and not used."""
    key = tmp_path / "auditor.key"
    key.write_text(DEVELOPMENT_KEYS["auditor"].hex())
    key.chmod(0o600)
    with Session(configuration("three_card", 1)) as session:
        stage = session.stage()
        for text in ("open the table\nseat 1 ante 25.00\nwait 2\npress rnvp", "wait 2\nseat 1 pair_plus 5.00\nwait 3"):
            perform(text, stage, session, lambda line: None)
        session.host.unplug()
        monkeypatch.setattr(monitor, "SerialTransport", lambda name: VirtualCable(session.table))
        looks = []
        for words in ((), ("--key-file", str(key))):
            assert main(["monitor", "--once", "--json", "--port", "table", *words]) == Exit.OK
            looks.append('"kind": "late"' in capsys.readouterr().out)
    assert looks == [False, True]
