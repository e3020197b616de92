"""The vocabulary of scenarios: every act and every expectation that a line can be.

Entry points: :data:`ACTS`, :data:`CONDITIONS`, :data:`HEADINGS`: tuples of :class:`Phrase`.

A pattern is words and slots: ``{KIND}`` or ``{name:KIND}``; what stands in ``[...]`` may be left out. The kinds are
those of :mod:`hwsim.scenario.matcher`. The page docs/scenarios.md lists each pattern; a test compares the two.
"""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """``act`` names the handler; ``help`` is one line for people."""

    pattern: str
    act: str
    help: str


HEADINGS = (
    Phrase("title {TEXT}", "title", "what the scenario shows"),
    Phrase("table {GAME} {NUMBER} seats", "table", "game and seats; without it Three Card Poker with 2 seats"),
    Phrase("seed {NUMBER}", "seed", "of chips, bounce, shuffles and the controller's entropy; without it 0"),
    Phrase("limit {BET} {low:MONEY} to {high:MONEY}", "limit", "lowest and highest amount of a bet"),
    Phrase("config {NAME} {TEXT}", "config", "a field of the table's configuration, its value as JSON or a word"),
)

ACTS = (
    # power and cables
    Phrase("power on", "power_on", "the controller starts"),
    Phrase("power off", "power_off", "the power is cut, at once; chips, cards and lamps' places stay"),
    Phrase("cut power after {NUMBER} bytes", "cut_power", "inside the byte after so many more stored in the journal"),
    Phrase("plug host", "plug", "a host is plugged in: it follows the journal"),
    Phrase("unplug host", "unplug", "its cable is pulled"),
    Phrase("host stops reading", "host_stops", "it holds the port open and takes no byte"),
    Phrase("host reads again", "host_reads", "it takes what has come"),
    Phrase("host sends {NUMBER} bytes of garbage", "host_garbage", "random bytes, half frames and zeros among them"),
    Phrase("host floods for {SECONDS}", "host_floods", "garbage without a pause"),
    Phrase("host acknowledges", "host_acknowledges", "it has every record safe that it has been sent"),
    Phrase("supervisor voids the round", "void", "through the host, with the supervisor's key"),
    Phrase("supervisor rules {KIND} {SPOT} {RULING} [{MONEY}]", "rule", "ends an irregularity, through the host"),
    # chips
    Phrase("chips {NAME} {AMOUNTS}", "chips", "chips of these values, in a hand, under a name"),
    Phrase("foreign chips {NAME} {AMOUNTS}", "foreign", "the same, of another casino"),
    Phrase("forged chips {NAME} {AMOUNTS}", "forged", "the same, with the house's number and a wrong check"),
    Phrase("clone {NAME} of {of:NAME}", "clone", "copies of named chips, with their UIDs"),
    Phrase("{SPOT} {MONEY}", "bet", "a player puts an amount there"),
    Phrase("place {PIECES} on {SPOT}", "place", "an amount (new chips) or named chips"),
    Phrase("take {PIECES} from {SPOT}", "take", "an amount, named chips, or all"),
    Phrase("move {PIECES} from {SPOT} to {to:SPOT} [in {SECONDS}]", "move", "0.4 s in the hand unless told"),
    Phrase("lift {PIECES} from {SPOT} for {SECONDS}", "lift", "taken up and put back on the same spot"),
    Phrase("pass {PIECES} over {SPOT} for {SECONDS}", "pass_over", "a hand with chips stays over the spot, puts none"),
    # keys, shoe, case
    Phrase("press {KEY} [for {SECONDS}]", "press", "a key of the dealer's, 0.12 s unless told, with its bounce"),
    Phrase(
        "cards {CARDS}", "cards", "all cards go back into the shoe, these on top; `alien` is a card of another pack"
    ),
    Phrase("shuffle", "shuffle", "all cards go back into the shoe, shuffled"),
    Phrase(
        "draw [{NUMBER}] [at {speed:NUMBER} mm/s] [every {SECONDS}]",
        "draw",
        "cards leave the shoe, 500 mm/s, one every 0.7 s unless told; the line ends when the last is out",
    ),
    Phrase("try to draw", "try_draw", "the same for one card, whether the gate lets it go or not"),
    Phrase("draw two together", "draw_two", "the second close behind the first"),
    Phrase("pull a card and push it back", "push_back", "through the beam and back into the shoe"),
    Phrase("open lid", "open_lid", "of the shoe"),
    Phrase("close lid", "close_lid", "of the shoe"),
    Phrase("open case", "open_case", "of the controller"),
    Phrase("close case", "close_case", "of the controller"),
    # faults on the air
    Phrase(
        "flip bit {NUMBER} in answers of {NAME} [{count:NUMBER} times]", "flip", "on the air; the check is then wrong"
    ),
    Phrase("change bit {NUMBER} in data of {NAME}", "change", "on the air, in memory reads, the check made good"),
    Phrase("lose answers of {NAME} [{count:NUMBER} times]", "lose", "nothing arrives of them"),
    Phrase("hear {NAME} again", "hear", "the end of what was done to its answers"),
    # time
    Phrase("wait {SECONDS}", "wait", "nothing happens"),
    Phrase("mark {NAME}", "mark", "a name for this instant: a later line may begin `NAME+0.25`"),
    Phrase("note {TEXT}", "note", "shown when the scenario runs"),
)

CONDITIONS = (
    Phrase("bar {COLOUR}", "bar", 'the "Rien ne va plus" bar'),
    Phrase("lamp {SPOT} {COLOUR}", "lamp", "the lamp of a spot"),
    Phrase("gate open", "gate_open", "a card can be drawn"),
    Phrase("gate shut", "gate_shut", "none can"),
    Phrase("state {STATE}", "state", "of the table, as its journal tells it"),
    Phrase("prompt {PROMPT} [{SPOT}]", "prompt", "the host has been told what the dealer is asked for"),
    Phrase("host up", "host_up", "a session is open between host and controller"),
    Phrase("host has every record", "host_has", "each once, in order, up to the newest"),
    Phrase("meter {METER} {NUMBER}", "meter", "a counter of the journal"),
    Phrase(
        "meter {SPOT} staked {staked:MONEY} paid {paid:MONEY} returned {returned:MONEY}",
        "spot_meter",
        "what was settled at a spot since the journal began",
    ),
    Phrase("[no] [next] {CLAIM}", "record", "a record of the journal, see below"),
)
