"""Files that are nearly right: bytes, words and lines changed, with every check written anew where there is one.

Each is given to every command that reads its kind; what comes of it has a documented status, and never is `[internal]`.
"""

import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hwsim.table import REPOSITORY
from sabot.wire.crc import crc16
from sabot.wire.records import TAG_SIZE
from sabot.wire.signed import MANIFEST
from sabot_host.cli.main import main
from sabot_host.cli.values import IN_FILE
from sabot_host.errors import Exit
from sabot_host.flash.boards import board_named
from sabot_host.journal.file import RECORD, frame, of_bytes
from sabot_host.journal.pull import pull
from sabot_host.release import bundle
from tests.flash import synthetic
from tests.flash.house import HOUSE
from tests.flash.test_flashing import release
from tests.host.commands import LEAVES, Parameter, words_for
from tests.host.journal_table import Table
from tests.host.test_cli_bad_files import bounded, told

__all__ = ["bounded"]

TIMES = 30
PICO2 = board_named("pico2")
PIECES = (
    b"[",
    b"]",
    b"{",
    b'"',
    b"\0",
    b"=",
    b"\n",
    b"nan",
    b"1e999",
    b"-1",
    b"9" * 50,
    b"null",
    b"\xff",
    b"'''",
    b"all",
)
CONFIG = b'{"game": "boston", "decks": 1, "options": {"fold_side_bets": "live"}, "limits": {"ante": [500, 10000]}}'


def changed(data: bytes, draw: random.Random) -> bytes:
    """The data with some of its bytes, words and lines changed."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 2, 5, 30))):
        at = draw.randrange(len(made) + 1)
        how = draw.randrange(5)
        if how == 0 and made:
            made[at % len(made)] = draw.randrange(256)
        elif how == 1:
            made[at:at] = draw.choice(PIECES) * draw.choice((1, 1, 1, 1000))
        elif how == 2:
            del made[at : at + draw.choice((1, 10, 100))]
        else:
            words = bytes(made).split(b"\n" if how == 3 else b" ")
            words[draw.randrange(len(words))] = draw.choice(words)
            made = bytearray((b"\n" if how == 3 else b" ").join(words))
    return bytes(made)


def changed_bundle(data: bytes, draw: random.Random) -> bytes:
    """The archive with another value in its manifest, or a member too many."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(out, "w", draw.choice((0, zipfile.ZIP_DEFLATED))) as new,
    ):
        for member in old.infolist():
            content = old.read(member)
            if member.filename == MANIFEST:
                lines = content.decode().splitlines()
                strange = ("", "-", "-1", "x", "9" * 5000, "../x 1 " + "0" * 64, "main.py 1 00", "²", "main.py\0 1 2")
                at = draw.randrange(len(lines))
                lines[at] = lines[at].split(" ")[0] + " " + draw.choice(strange)
                content = ("\n".join(lines) + "\n").encode()
            new.writestr(member.filename, content)
        new.writestr(draw.choice(("../a", "/x", "é")), b"more")
    return out.getvalue()


def changed_journal(data: bytes, draw: random.Random) -> bytes:
    """The journal with some records changed, doubled and exchanged; every check is good."""
    pulled = of_bytes(Path("good"), data)
    frames = list(pulled.frames)
    for _ in range(draw.choice((1, 3))):
        at = draw.randrange(len(frames))
        kind, body = frames[at][0], bytearray(frames[at][1])
        for _ in range(draw.choice((1, 3, 20))):
            body[draw.randrange(2, len(body))] = draw.randrange(256)
        if kind == RECORD:
            end = len(body) - TAG_SIZE - 2
            body[end : end + 2] = crc16(body, end).to_bytes(2, "little")
        frames[at] = (kind, bytes(body))
    frames.insert(draw.randrange(len(frames)), draw.choice(frames))
    return pulled.header.line() + b"".join(frame(*each) for each in frames)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "good.sabotlog"
    pull(Table(rounds=4), path, bytes(16))
    return path.read_bytes()


def check(words: list[str], capfd: pytest.CaptureFixture[str]) -> int:
    """Run it; what it says is told as errors are. The status."""
    status = main(words)
    err = capfd.readouterr().err
    if status > Exit.FINDING:
        told(err, status)
    assert status in set(Exit) and "[internal]" not in err
    return status


READERS: list[tuple[tuple[str, ...], list[str]]] = [
    (words, [])
    for words, command in LEAVES.items()
    if words[0] == "journal" and IN_FILE in [p.type for p in command.params]
]
FORMS = [(("journal", "export"), ["--format", kind, "--output", "out"]) for kind in ("csv", "sqlite")]


@pytest.mark.parametrize(("words", "more"), [*READERS, *FORMS], ids=str)
def test_journals(
    words: tuple[str, ...],
    more: list[str],
    journal: bytes,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in range(TIMES):
        draw = random.Random(seed)
        Path("bad").write_bytes((changed if seed % 3 == 0 else changed_journal)(journal, draw))
        line = [*words, "bad", *more] if more else words_for(Parameter(words, "file"), "bad", tmp_path)
        check(line, capfd)


Kind = tuple[Callable[[], bytes], Callable[[bytes, random.Random], bytes], list[str]]
KINDS: dict[str, Kind] = {
    "bundle": (lambda: bundle.write(release(PICO2)), changed, ["flash", "--yes", "--bundle", "bad"]),
    "manifest": (lambda: bundle.write(release(PICO2)), changed_bundle, ["flash", "--yes", "--bundle", "bad"]),
    "uf2": (lambda: synthetic.micropython(PICO2), changed, ["flash", "--yes", "--uf2", "bad"]),
    "stock": (
        lambda: synthetic.micropython(PICO2)[: 512 * 20],
        changed,
        ["build", "--micropython", "bad", "--source", "."],
    ),
    "house": (HOUSE.encode, changed, ["provision", "bad", "--table", "12", "--yes"]),
    "config": (lambda: CONFIG, changed, ["rules", "boston", "--config", "bad"]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_other_files(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No board is attached: a file that is still good ends there."""
    monkeypatch.chdir(tmp_path)
    make, change, words = KINDS[kind]
    good = make()
    found = set()
    for seed in range(TIMES):
        Path("bad").write_bytes(change(good, random.Random(seed)))
        found.add(check(words, capfd))
    assert Exit.FILE in found


class Played(BaseException):
    """The scenario was still good; no handler of the command takes this for a mistake of its own."""


def test_scenarios(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Read and refused; one that is still good is not played here."""
    from sabot_host.cli import sim

    def played(*_words: object, **_named: object) -> None:
        raise Played

    monkeypatch.setattr(sim, "play", played)
    scenarios = sorted((REPOSITORY / "scenarios").rglob("*.scn"))
    refused = 0
    for seed in range(4 * TIMES):
        draw = random.Random(seed)
        (tmp_path / "bad").write_bytes(changed(draw.choice(scenarios).read_bytes(), draw))
        try:
            refused += check(["sim", "run", str(tmp_path / "bad"), "--json"], capfd) == Exit.FILE
        except Played:
            continue
    assert refused > TIMES
