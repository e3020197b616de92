"""What is not a round: refused with one error, never a traceback, and with the same bytes on both interpreters."""

import json
from random import Random

import pytest

from sabot.rules import errors
from sabot.rules.errors import RuleError
from sabot.rules.games import GAMES
from sabot.rules.jsontext import MAX_DEPTH, NOT_WHOLE, quote, read
from sabot.rules.wireform import MAX_LINE
from sabot_host.settle import settle_line
from sabot_host.settle_device import DeviceSettler
from tests.rules.rounds import line, random_round

MALFORMED = [
    b"nonsense",
    b"{",
    b"}",
    b"[1,]",
    b'{"a":1,}',
    b"[1 2]",
    b"[,]",
    b'{"a" 1}',
    b'{"a"::1}',
    b"{'a':1}",
    b"{a:1}",
    b"{1:1}",
    b'{"a":01}',
    b'{"a":+1}',
    b'{"a":.5}',
    b'{"a":1.}',
    b'{"a":1e}',
    b'{"a":-}',
    b'{"a":1_0}',
    b'{"a":0x1}',
    b'{"a":NaN}',
    b'{"a":Infinity}',
    b'{"a":tru}',
    b"nul",
    b'"abc',
    b'"\x01"',
    b'"\t"',
    b'"\\q"',
    b'"\\u12g4"',
    b'"\\u12',
    b'"\\',
    b"1 1",
    b"{}{}",
    b"\xff",
    b"\xef\xbb\xbf{}",
    b"\x00",
    b'{"a":1}\x00',
]
TOO_DEEP = b"[" * 5000
EDGES = [
    *MALFORMED,
    TOO_DEEP,
    b'{"a":' * (MAX_DEPTH + 2),
    b'{"game":"three_card","game":"three_card"}',
    b'{"game":"three_card","\\u0067ame":"three_card"}',
    b'{"game":"\xff"}',
    b'{"game":"\\ud800"}',
    b'{"game":"three_card\\u0000"}',
    b'{"\xc3\xa9":1,"\\u00e9":2}',
    b"1",
    b"null",
    b"[]",
    b"{}",
    b'""',
    b"9" * 5000,
    b'{"game":"three_card","decks":1,"dealer":[],"players":[{"bets":{"' + b"x" * 3000 + b'":1}}]}',
    b" " * MAX_LINE + b"1",
    b"x" * (MAX_LINE + 1),
]


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_not_json_is_refused(text: bytes) -> None:
    answer, settled = settle_line(text)
    wrong = json.loads(answer)["error"]
    assert (settled, wrong["code"], wrong["article"]) == (False, errors.NOT_JSON, None)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (TOO_DEEP, errors.TOO_DEEP),
        (b"x" * (MAX_LINE + 1), errors.LINE_TOO_LONG),
        (b'{"game":"three_card","game":"three_card"}', errors.DUPLICATE_KEY),
        (b'{"\xc3\xa9":1,"\\u00e9":2}', errors.DUPLICATE_KEY),
        (b"[]", errors.BAD_FORM),
        (b"{}", errors.NO_GAME),
        (b'{"game":"three_card\\u0000","players":[{}]}', errors.UNKNOWN_GAME),
    ],
)
def test_other_faults_of_form(text: bytes, code: str) -> None:
    answer, settled = settle_line(text)
    assert not settled
    assert json.loads(answer)["error"]["code"] == code
    assert json.loads(answer)["error"]["article"] is None


def test_strict_reader_agrees_with_the_standard_one() -> None:
    """Any text that either of the two reads, both read, and to the same value (numbers that are not whole aside)."""
    random = Random(8259)
    pieces = [
        '"',
        "\\",
        "u00e9",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "1",
        "0",
        "-",
        ".",
        "e",
        "true",
        "null",
        " ",
        '"a"',
        "\t",
    ]
    agreed = 0
    for _ in range(60_000):
        text = "".join(random.choice(pieces) for _ in range(random.randrange(1, 8)))
        try:
            standard: object = json.loads(text, parse_float=lambda _: NOT_WHOLE, object_pairs_hook=_distinct)
        except ValueError:
            with pytest.raises(RuleError):
                read(text.encode())
        else:
            agreed += 1
            assert _as_bytes(standard) == read(text.encode()), text
    assert agreed > 3000


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key twice")
    return members


def _as_bytes(value: object) -> object:
    """Strings as the strict reader gives them: one character a byte."""
    if isinstance(value, str):
        return value.encode().decode("latin-1")
    if isinstance(value, list):
        return [_as_bytes(item) for item in value]
    if isinstance(value, dict):
        return {_as_bytes(key): _as_bytes(item) for key, item in value.items()}
    return value


def test_quote_prints_as_json_dumps() -> None:
    for text in ("", "plain", 'a "quoted" \\ word', "\x00\x1f\x7fé"):
        assert json.loads(quote(text)) == text
        assert quote(text).isascii()


def mutants(seed: int, count: int) -> list[bytes]:
    """Lines of lawful rounds with a few bytes changed, dropped, doubled or moved."""
    random = Random(seed)
    lines = []
    for _ in range(count):
        game = random.choice(GAMES)
        text = bytearray(line(game, random_round(game, random)).encode())
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(text))
            change = random.randrange(4)
            if change == 0:
                text[at] = random.choice(b'"{}[],:0129.-eE\\ \x00\xff\x7fAsnull')
            elif change == 1:
                del text[at : at + random.randrange(1, 12)]
            elif change == 2:
                text[at:at] = text[at : at + random.randrange(1, 12)]
            else:
                text[at:at] = text[random.randrange(len(text)) :][:8]
        lines.append(bytes(text).replace(b"\n", b" "))
    return lines


def test_mutated_rounds_never_raise() -> None:
    settled = 0
    for text in mutants(1, 6000):
        answer, good = settle_line(text)
        settled += good
        parsed = json.loads(answer)
        assert list(parsed) == (["players"] if good else ["error"])
        if not good:
            assert set(parsed["error"]) == {"code", "article", "message"}
    assert 0 < settled < 3000


def test_faulty_lines_get_the_same_bytes_on_micropython() -> None:
    with DeviceSettler() as device:
        for text in [*EDGES, *mutants(2, 500)]:
            assert device.answer(text) == settle_line(text), text[:200]
