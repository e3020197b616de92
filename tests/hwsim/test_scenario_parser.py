"""The scenario language: what its lines mean, and what is said of a line that means nothing."""

import re
from pathlib import Path

import pytest

from hwsim.scenario import badges, dealer, disturbances, machinery, parts, people, strips
from hwsim.scenario.claims import Entry, Money, Row, holds
from hwsim.scenario.conditions import CHECKS
from hwsim.scenario.errors import ScenarioError
from hwsim.scenario.matcher import shown
from hwsim.scenario.parser import parse
from hwsim.scenario.phrases import ACTS, CONDITIONS, HEADINGS
from hwsim.scenario.script import Claim, Lexicon, Pieces, Script, Spot, When

LEXICON = Lexicon(
    records={
        "lock": frozenset(("round", "edge", "seat", "bet", "amount")),
        "late": frozenset(("kind", "seat", "bet", "before", "after", "earliest", "latest", "severity")),
        "settlement": frozenset(("round", "seat", "bet", "result", "stake", "paid", "returned")),
    },
    words=frozenset(("win", "lose", "late")),
    games={"three_card": ("ante", "pair_plus", "play"), "bataille": ("initial", "tie")},
    states=("closed", "betting"),
    prompts=("minimum", "do_not_pay"),
    rulings=("valid", "refused", "keyed", "cleared"),
    declarations=("keyed_bet", "toke"),
    meters=("rounds", "voids"),
    roles=("dealer", "supervisor"),
)
PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"
IN_RUNNER = {"wait", "mark", "note"}


def script(text: str) -> Script:
    return parse(text, "a.scn", LEXICON)


def only(text: str) -> tuple[str, dict[str, object]]:
    """The one step of a scenario: its act and values."""
    steps = script(text).steps
    assert len(steps) == 1
    return steps[0].sentence.act, dict(steps[0].sentence.values)


def test_every_act_has_a_handler_and_every_handler_an_act() -> None:
    acts = {phrase.act for phrase in ACTS}
    modules = (people, dealer, badges, machinery, disturbances, parts, strips)
    handlers = [act for module in modules for act in module.ACTS]
    assert acts == {*handlers} | IN_RUNNER
    assert len(handlers) == len(set(handlers))
    assert {phrase.act for phrase in CONDITIONS} == set(CHECKS)


def test_the_page_lists_every_line() -> None:
    page = PAGE.read_text()
    listed = set(re.findall(r"^\| `([^`]+)` \|", page, re.M))
    patterns = {shown(phrase.pattern) for phrase in (*HEADINGS, *ACTS)}
    conditions = {"expect " + shown(phrase.pattern) for phrase in CONDITIONS}
    assert listed == patterns | conditions


def test_heading() -> None:
    read = script(
        """
        # a comment
        title  Two words     # and another
        table  bataille 7 seats
        seed   12
        limit  initial 5.00 to 1,000.00
        config gate_after key
        config decks 6
        power on
        """
    )
    assert (read.title, read.game, read.seats, read.seed, read.headed) == ("Two words", "bataille", 7, 12, True)
    assert read.limits == {"initial": [500, 100000]}
    assert read.config == {"gate_after": "key", "decks": 6}
    assert read.steps[0].line == 9


@pytest.mark.parametrize(
    ("text", "act", "values"),
    [
        ("seat 2 pair_plus 5.00", "bet", {"spot": Spot(2, "pair_plus"), "money": 500}),
        ("place 25.00 on seat 1 ante", "place", {"pieces": Pieces(2500), "spot": Spot(1, "ante")}),
        ("take all from seat 1 ante", "take", {"pieces": Pieces(everything=True), "spot": Spot(1, "ante")}),
        ("move 5.00 from seat 1 ante to seat 2 ante in 0.25", "move", {"to": Spot(2, "ante"), "seconds": 250_000_000}),
        ("lift all from seat 1 ante for 1.5", "lift", {"seconds": 1_500_000_000}),
        ("stack 25.00 on seat 1 ante every 0.1", "stack", {"pieces": Pieces(2500), "seconds": 100_000_000}),
        ("remove all from seat 1 ante", "take", {"pieces": Pieces(everything=True)}),
        ("nudge all on seat 1 ante", "nudge", {"spot": Spot(1, "ante")}),
        ("swap 5.00 on seat 1 ante for 1.00 in 0.2", "swap", {"pieces": Pieces(500), "other": Pieces(100)}),
        ("hover a hand over seat 1 ante for 2", "hover", {"spot": Spot(1, "ante"), "seconds": 2_000_000_000}),
        ("hover a hand with 5.00 over seat 1 ante for 2", "pass_over", {"pieces": Pieces(500)}),
        ("tuck As under seat 1 ante", "tuck", {"card": "As"}),
        ("pull As from under seat 1 ante", "untuck", {"card": "As"}),
        ("pull a card halfway", "half_pull", {}),
        ("press DÉVOILER", "press", {"keys": ("devoiler",)}),
        ("press plus P3 Oui", "press", {"keys": ("plus", "p3", "oui")}),
        ("press rnvp for 0.002", "press", {"keys": ("rnvp",), "seconds": 2_000_000}),
        ("press the reset button", "reset", {}),
        ("draw a packet of 5", "packet", {"number": 5, "size": None}),
        ("draw 3 packets of 5 every 2", "packet", {"number": 3, "size": 5, "seconds": 2_000_000_000}),
        ("lose 5 % of answers at seat 1 ante", "thin", {"percent": 0.05, "where": Spot(1, "ante")}),
        ("lose 2.5% of answers everywhere for 3", "thin", {"percent": 0.025, "where": None}),
        ("noise everywhere for 0.01 every 0.1", "jam", {"seconds": 10_000_000, "every": 100_000_000}),
        ("quiet at seat 2 play", "quiet", {"where": Spot(2, "play")}),
        ("key in 25.00", "key_in", {"entry": "2500"}),
        ("key in As", "key_in", {"entry": "014"}),
        ("key in Td", "key_in", {"entry": "102"}),
        ("break reader 2", "break", {"part": ("reader", 2)}),
        ("mend shoe reader", "mend", {"part": ("shoe reader", 0)}),
        ("clock jumps 3600 back", "clock_back", {"seconds": 3_600_000_000_000}),
        ("dealer 41 signs on", "sign_dealer_on", {"number": 41}),
        ("supervisor 7 signs off", "sign_supervisor_off", {"number": 7}),
        ("supervisor rules late cleared", "rule", {"kind": "late", "ruling": "cleared", "spot": None}),
        ("supervisor rules late keyed As", "rule_card", {"card": "As"}),
        ("technician rules late cleared", "technician_rules", {"ruling": "cleared"}),
        ("supervisor declares toke seat 1 ante 5.00", "declare", {"declaration": "toke", "money": 500}),
        ("cable flaps for 3", "flap", {"seconds": 3_000_000_000}),
        ("draw", "draw", {}),
        ("draw 3 at 1200 mm/s every 0.4", "draw", {"number": 3, "speed": 1200, "seconds": 400_000_000}),
        ("cards As alien 2c", "cards", {"cards": ("As", "alien", "2c")}),
        ("draw a card in 12 jerks", "jerks", {"number": 12}),
        ("draw two together 63.5 mm apart at 150 mm/s", "draw_two", {"mm": 63_500, "speed": 150}),
        ("pull a card 45.25 mm at 50 mm/s", "pull_mm", {"mm": 45_250, "speed": 50}),
        ("pull it 3 mm", "pull_on", {"mm": 3_000}),
        ("push it 3.5 mm back", "push_on", {"mm": 3_500}),
        ("push it back at 100 mm/s", "half_back", {"speed": 100}),
        ("pull it out at 2000 mm/s", "half_out", {"speed": 2000}),
        ("smudge As from 20 to 24.5 mm", "smudge", {"card": "As", "first": 20_000, "last": 24_500}),
        ("rub As from 0.9 to 1.8 mm", "rub", {"first": 900, "last": 1_800}),
        ("turn cut round", "turn", {"card": "cut"}),
        ("turn 2c over", "turn_over", {"card": "2c"}),
        ("shine a light on the lip for 2", "shine", {"sensors": (0, 1), "seconds": 2_000_000_000}),
        ("flicker a light on sensor B for 0.5", "flicker", {"sensors": (1,)}),
        ("cover sensor a for 1", "cover", {"sensors": (0,)}),
        ("break optical sensor 1", "break", {"part": ("optical sensor", 1)}),
        ("cut power after 17 bytes", "cut_power", {"number": 17}),
        ("supervisor rules late seat 1 ante refused", "rule", {"kind": "late", "ruling": "refused"}),
        ("supervisor rules late seat 1 ante valid 5.00", "rule", {"money": 500}),
    ],
)
def test_acts(text: str, act: str, values: dict[str, object]) -> None:
    found, there = only(text)
    assert found == act
    assert {name: there.get(name) for name in values} == values


def test_a_word_named_like_a_slot_does_not_take_its_place() -> None:
    read = script("chips A 5.00\nflip bit 3 in answers of A 2 times\nlose answers of A 4 times\n")
    assert read.steps[1].sentence.values["count"] == 2
    assert read.steps[1].sentence.values["number"] == 3
    assert read.steps[2].sentence.values["count"] == 4


def test_instants() -> None:
    read = script("mark here\n+0.25 draw\n@12.5 draw\nhere+0.000001 draw\ndraw")
    assert [step.when for step in read.steps] == [
        When(),
        When("after", 250_000_000),
        When("absolute", 12_500_000_000),
        When("mark", 1_000, "here"),
        When(),
    ]


def test_expectations() -> None:
    assert only("expect bar red within 0.1") == (
        "expect",
        {"condition": "bar", "within": 100_000_000, "bar": True, "colour": "red"},
    )
    assert only("expect gate open now")[1]["within"] == 0
    act, values = only("wait until state betting")
    assert (act, values["condition"], values["within"]) == ("wait_until", "state", None)
    values = only('expect no display "P1  #3" "S1"')[1]
    assert (values["quoted"], values["english"], "no" in values) == ("P1  #3", "S1", True)
    assert only('expect display line 3 "P1"')[1]["number"] == 3
    claim = only("expect no late anywhere seat 1 ante after 5.00, severity 2 within 2")[1]["claim"]
    assert isinstance(claim, Claim)
    assert (claim.record, claim.absent, claim.anywhere, claim.only) == ("late", True, True, False)
    assert [group.terms for group in claim.groups] == [
        (("seat", "1"), ("", "ante"), ("after", "5.00")),
        (("severity", "2"),),
    ]
    claim = only("expect no late severity 2 anywhere within 2")[1]["claim"]
    assert isinstance(claim, Claim)
    assert (claim.absent, claim.anywhere, claim.groups[0].terms) == (True, True, (("severity", "2"),))
    claim = only("expect next lock only seat 1 ante 25.00")[1]["claim"]
    assert isinstance(claim, Claim)
    assert (claim.following, claim.only) == (True, True)


@pytest.mark.parametrize(
    ("text", "line", "code", "told", "hint"),
    [
        ("", 0, "empty", "nothing happens", "acts"),
        ("power on\nprss rnvp", 2, "words", "'prss' begins no line", "press"),
        ("press rnpv", 1, "words", "'rnpv' cannot stand after 'press'", "did you mean 'rnvp'? "),
        ("press plus ouui", 1, "words", "'ouui' cannot stand after 'press plus'", "did you mean 'oui'? "),
        ("prss rnvp", 1, "words", "'prss' begins no line", "did you mean 'press'"),
        ("seat 1 pairplus 5.00", 1, "words", "'pairplus' cannot stand", "did you mean 'pair_plus'? "),
        ("table tree_card 2 seats", 1, "words", "'tree_card' cannot stand", "did you mean 'three_card'? "),
        ("expect setlement", 1, "words", "'setlement' cannot stand", "did you mean 'settlement'? "),
        ("expect late seat 1 befor 5.00", 1, "words", "'befor' cannot stand", "did you mean 'before'? "),
        ("chips LATE 5.00\nplace LAT on seat 1 ante", 2, "chips-unknown", "called LAT", "did you mean 'LATE'? "),
        ("mark hand\nexpect late covers hnd", 2, "mark-unknown", "'mark hnd'", "did you mean 'hand'? "),
        ("expect 3 keys since start", 1, "mark-unknown", "'mark start'", "mark the instant"),
        ("mark start\nexpect at most 3 kyes since start", 2, "words", "'kyes' cannot stand", "did you mean 'keys'"),
        ("break reader 4", 1, "words", "'4' cannot stand after 'break reader'", "0 to 3"),
        ("break dispaly", 1, "words", "'dispaly' cannot stand after 'break'", "did you mean 'display'? "),
        ("key in 25", 1, "words", "'25' cannot stand after 'key in'", "25.00"),
        ("supervisor declares tok seat 1 ante", 1, "words", "'tok' cannot stand", "did you mean 'toke'? "),
        ("expect no buzzer since start", 1, "mark-unknown", "'mark start'", "mark the instant"),
        ("lose 5 of answers everywhere", 1, "words", "'of' cannot stand after 'lose 5'", "%"),
        ("lose 200 % of answers everywhere", 1, "words", "'200' cannot stand after 'lose'", "5 %"),
        ("noise at seat 4 ante for 1", 1, "words", "'4' cannot stand after 'noise at seat'", "1 to 2"),
        ("stack all on seat 1 ante", 1, "words", "'all'", "amount"),
        ("swap 5.00 on seat 1 ante for all", 1, "words", "'all'", "amount"),
        ('title The "last', 1, "words", "second quotation mark", "write texts as"),
        ("press", 1, "words", "the end of the line cannot stand after 'press'", "KEY"),
        ("seat 3 ante 5.00", 1, "words", "'3' cannot stand after 'seat'", "1 to 2"),
        ("seat 1 initial 5.00", 1, "words", "'initial' cannot stand", "ante pair_plus play"),
        ("seat 1 ante 5", 1, "words", "'5' cannot stand", "25.00"),
        ("seat 1 ante 5.000", 1, "words", "'5.000' cannot stand", "two digits"),
        ("draw 3 cards", 1, "words", "'cards' cannot stand after 'draw 3'", "end of the line"),
        ("cards As 1c", 1, "words", "'1c' cannot stand after 'cards As'", "rank"),
        ("wait 0.0000000001", 1, "words", "cannot stand after 'wait'", "seconds"),
        ("wait ²", 1, "words", "cannot stand after 'wait'", "seconds"),
        ("draw ²", 1, "words", "cannot stand after 'draw'", "number"),
        ("+1 ", 1, "nothing-happens", "nothing that happens", "act"),
        ("5.0 draw", 1, "instant", "'5.0' is no instant", "@12.5"),
        ("+1.2.3 draw", 1, "instant", "'+1.2.3'", "@12.5"),
        ("there+1 draw", 1, "mark-unknown", "'mark there'", "mark the instant"),
        ("draw\nseed 4", 2, "heading-late", "'seed' comes after an act", "above"),
        ("+1 seed 4", 1, "heading-late", "no instant", "without"),
        ("table three_card 8 seats", 1, "seats", "8 seats", "1 to 7"),
        ("table poker 2 seats", 1, "words", "'poker' cannot stand", "three_card"),
        ("place A on seat 1 ante", 1, "chips-unknown", "called A", "chips A"),
        ("clone B of A", 1, "chips-unknown", "called A", "chips A"),
        ("lose answers of A", 1, "chips-unknown", "called A", "chips A"),
        ("place all on seat 1 ante", 1, "words", "'all'", "amount"),
        ("expect lokc", 1, "words", "'lokc' cannot stand", "record"),
        ("expect lock seat 1 forfeit", 1, "words", "'forfeit' cannot stand", "field"),
        ("expect lock seat", 1, "words", "cannot stand", "value"),
        ("expect lock covers hand", 1, "mark-unknown", "mark hand", "mark the instant"),
        ("mark hand\nexpect lock covers hand", 2, "covers", "tells no interval", "irregularity"),
        ("expect display FAITES", 1, "words", "'FAITES' cannot stand after 'display'", "quotation marks"),
        ('expect display ""', 1, "words", "cannot stand", "quotation marks"),
        ("expect bar pink", 1, "words", "'pink' cannot stand", "amber"),
        ("expect bar red within soon", 1, "words", "'soon'", "within 0.5"),
        ("supervisor rules late seat 1 ante perhaps", 1, "words", "'perhaps' cannot stand", "refused"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, code: str, told: str, hint: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        script(text)
    error = caught.value
    assert (error.file, error.line, error.code) == ("a.scn", line, code)
    assert told in error.message
    assert hint in error.hint


def entry() -> Entry:
    """A settlement of two rows."""
    rows: tuple[Row, ...] = (
        {"seat": 1, "bet": "ante", "result": "win", "stake": Money(2500), "paid": Money(2500)},
        {"seat": 2, "bet": "ante", "result": "lose", "stake": Money(1000), "paid": Money(0)},
    )
    return Entry(9, "settlement", "settlement", 0, {"round": 4}, rows)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("settlement", True),
        ("settlement round 4", True),
        ("settlement round 5", False),
        ("settlement seat 1 ante win paid 25.00", True),
        ("settlement seat 1 ante lose", False),
        ("settlement seat 1 ante win, seat 2 ante lose", True),
        ("settlement seat 2 win", False),
        ("settlement seat 1 25.00", True),
        ("settlement seat 2 25.00", False),
        ("settlement only seat 1 ante", False),
        ("settlement only seat 1 ante, seat 2 ante", True),
        ("lock", False),
    ],
)
def test_claims(text: str, expected: bool) -> None:
    claim = only("expect " + text)[1]["claim"]
    assert isinstance(claim, Claim)
    assert holds(claim, entry(), {}) is expected


def test_an_interval_covers_an_instant_or_does_not() -> None:
    claim = script("mark hand\nexpect late covers hand").steps[1].sentence.values["claim"]
    late = Entry(3, "late", "irregularity", 0, {"earliest": 100, "latest": 200}, ())
    assert [holds(claim, late, {"hand": ns}) for ns in (99, 100, 200, 201)] == [False, True, True, False]
