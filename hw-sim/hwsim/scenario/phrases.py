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
    Phrase("open the table", "open_table", "power, host and table: the line ends when bets may be made"),
    Phrase("power on", "power_on", "the controller starts"),
    Phrase("power off", "power_off", "the power is cut, at once; chips, cards and lamps' places stay"),
    Phrase("press the reset button", "reset", "of the controller: it starts again"),
    Phrase("cut power after {NUMBER} bytes", "cut_power", "inside the byte after so many more stored in the journal"),
    Phrase("plug host", "plug", "a host is plugged in: it follows the journal"),
    Phrase("unplug host", "unplug", "its cable is pulled"),
    Phrase("cable flaps for {SECONDS} [every {every:SECONDS}]", "flap", "out and in again, every 0.5 s unless told"),
    Phrase("host stops reading", "host_stops", "it holds the port open and takes no byte"),
    Phrase("host reads again", "host_reads", "it takes what has come"),
    Phrase("host sends {NUMBER} bytes of garbage", "host_garbage", "random bytes, half frames and zeros among them"),
    Phrase("host floods for {SECONDS}", "host_floods", "garbage without a pause"),
    Phrase("host acknowledges", "host_acknowledges", "it has every record safe that it has been sent"),
    Phrase("supervisor voids the round", "void", "through the host, with the supervisor's key"),
    Phrase(
        "supervisor rules {KIND} [{spot:PLACE}] {RULING} [{MONEY}]", "rule", "ends an irregularity, through the host"
    ),
    Phrase("supervisor rules {KIND} keyed {CARD}", "rule_card", "says the face of a card that could not be read"),
    Phrase("supervisor declares {DECLARATION} {SPOT} [{MONEY}]", "declare", "what no antenna sees, through the host"),
    Phrase(
        "technician rules {KIND} [{spot:PLACE}] {RULING}", "technician_rules", "the same, with the technician's key"
    ),
    # staff
    Phrase("dealer {NUMBER} signs on", "sign_dealer_on", "through the host, with the dealers' key"),
    Phrase("dealer {NUMBER} signs off", "sign_dealer_off", "and off again"),
    Phrase("supervisor {NUMBER} signs on", "sign_supervisor_on", "with the supervisor's key: the desk is his"),
    Phrase("supervisor {NUMBER} signs off", "sign_supervisor_off", "and off again"),
    # badges
    Phrase("badge {NAME} [of {NUMBER} bytes]", "badge", "a card of the staff, of 7 bytes unless told"),
    Phrase("phone {NAME}", "phone", "what has another UID each time"),
    Phrase("enrol {NAME} as {ROLE} {NUMBER}", "enrol", "through the host, with the role's key"),
    Phrase("revoke {NAME}", "revoke", "through the host, with the key that enrolled it"),
    Phrase("show {NAME} [for {SECONDS}]", "show", "held to the badge reader, 1 s unless told"),
    # chips
    Phrase("chips {NAME} {AMOUNTS}", "chips", "chips of these values, in a hand, under a name"),
    Phrase("foreign chips {NAME} {AMOUNTS}", "foreign", "the same, of another casino"),
    Phrase("forged chips {NAME} {AMOUNTS}", "forged", "the same, with the house's number and a wrong check"),
    Phrase("clone {NAME} of {of:NAME}", "clone", "copies of named chips, with their UIDs"),
    Phrase("dead chips {NAME} {AMOUNTS}", "dead", "chips of the house whose tags do not answer"),
    Phrase("{SPOT} {MONEY}", "bet", "a player puts an amount there"),
    Phrase("place {PIECES} on {SPOT}", "place", "an amount (new chips) or named chips"),
    Phrase("stack {PIECES} on {SPOT} [every {SECONDS}]", "stack", "one chip after the other, 0.25 s apart unless told"),
    Phrase("toke {PIECES} on {SPOT}", "place", "a tip for the dealers; only the dealer's keys say that it is one"),
    Phrase("take {PIECES} from {SPOT}", "take", "an amount, named chips, or all"),
    Phrase("remove {PIECES} from {SPOT}", "take", "the same"),
    Phrase("move {PIECES} from {SPOT} to {to:SPOT} [in {SECONDS}]", "move", "0.4 s in the hand unless told"),
    Phrase("lift {PIECES} from {SPOT} for {SECONDS}", "lift", "taken up and put back on the same spot"),
    Phrase("nudge {PIECES} on {SPOT} [for {SECONDS}]", "nudge", "slid along the edge of its field, 0.3 s unless told"),
    Phrase("swap {PIECES} on {SPOT} for {other:PIECES} [in {SECONDS}]", "swap", "others in their place, 0.4 s later"),
    Phrase("pass {PIECES} over {SPOT} for {SECONDS}", "pass_over", "a hand with chips stays over the spot, puts none"),
    Phrase("hover a hand with {PIECES} over {SPOT} for {SECONDS}", "pass_over", "the same"),
    Phrase("hover a hand over {SPOT} for {SECONDS}", "hover", "without chips: the spot cannot be read well meanwhile"),
    # cards on the felt
    Phrase("tuck {CARD} under {SPOT}", "tuck", "a card that was dealt lies under the chips there"),
    Phrase("pull {CARD} from under {SPOT}", "untuck", "and is taken away again"),
    Phrase("expose {CARD}", "expose", "a card that was dealt lies face up for a moment: no part of the table sees it"),
    Phrase("discard {CARDS}", "discard", "they go to the discard's antenna; one that was not dealt is switched in"),
    Phrase("discard the rest", "discard_rest", "every card that has left the shoe and lies nowhere goes there"),
    # keys, shoe, case
    Phrase("press {KEYS} [for {SECONDS}]", "press", "one key, or several one after the other, 0.12 s each unless told"),
    Phrase("key in {ENTRY}", "key_in", "an amount, or the cards of a hand: their digits on the keys, and OUI"),
    Phrase("hold {KEY}", "hold", "down, until it is let go"),
    Phrase("let go of {KEY}", "let_go", "up again"),
    Phrase(
        "cards {CARDS}",
        "cards",
        "all cards go back into the shoe, these on top; `alien` is a card of another pack, `cut` the cut card",
    ),
    Phrase("shuffle", "shuffle", "all cards go back into the shoe, shuffled"),
    Phrase(
        "draw [{NUMBER}] [at {speed:NUMBER} mm/s] [every {SECONDS}]",
        "draw",
        "cards leave the shoe, 500 mm/s, one every 0.7 s unless told; the line ends when the last is out",
    ),
    Phrase("try to draw", "try_draw", "the same for one card, whether the gate lets it go or not"),
    Phrase(
        "draw a card in {NUMBER} jerks", "jerks", "at another speed from each, 50 to 2000 mm/s, after a stop or none"
    ),
    Phrase(
        "draw two together [{MM} mm apart] [at {speed:NUMBER} mm/s]",
        "draw_two",
        "the second close behind the first, 5 mm unless told",
    ),
    Phrase("draw a packet of {NUMBER}", "packet", "from a shuffler: it lies in the mouth for half a second"),
    Phrase(
        "draw {NUMBER} packets of {size:NUMBER} [every {SECONDS}]",
        "packet",
        "the same, one every 1.5 s unless told; the line ends when the last is out",
    ),
    Phrase("pull a card and push it back", "push_back", "through the beam and back into the shoe"),
    Phrase("pull a card halfway", "half_pull", "into the beam, where it stays"),
    Phrase(
        "push it back [at {speed:NUMBER} mm/s]", "half_back", "the card that is halfway out goes back into the shoe"
    ),
    Phrase("pull it out [at {speed:NUMBER} mm/s]", "half_out", "it leaves the shoe"),
    Phrase("pull a card {MM} mm [at {speed:NUMBER} mm/s]", "pull_mm", "from where it waits, of 120 mm, and no farther"),
    Phrase("pull it {MM} mm [at {speed:NUMBER} mm/s]", "pull_on", "the card that is halfway out goes on, and stops"),
    Phrase("push it {MM} mm back [at {speed:NUMBER} mm/s]", "push_on", "it goes back so far, and stops"),
    Phrase("open lid", "open_lid", "of the shoe"),
    Phrase("close lid", "close_lid", "of the shoe"),
    Phrase("open case", "open_case", "of the controller"),
    Phrase("close case", "close_case", "of the controller"),
    # an optical shoe
    Phrase("smudge {CARD} from {first:MM} to {last:MM} mm", "smudge", "dark dirt, behind the edge that leaves first"),
    Phrase("rub {CARD} from {first:MM} to {last:MM} mm", "rub", "what was printed there is gone"),
    Phrase("wipe {CARD}", "wipe", "it is as new"),
    Phrase(
        "turn {CARD} round", "turn", "by 180 degrees on the table: the strip of its other end comes before the sensors"
    ),
    Phrase("turn {CARD} over", "turn_over", "it lies in the shoe face up, or face down again"),
    Phrase("shine a light on {SENSORS} for {SECONDS}", "shine", "they see white, whatever is there"),
    Phrase("flicker a light on {SENSORS} for {SECONDS}", "flicker", "a pulse every 10 ms"),
    Phrase("cover {SENSORS} for {SECONDS}", "cover", "they see dark"),
    # faults on the air
    Phrase(
        "flip bit {NUMBER} in answers of {NAME} [{count:NUMBER} times]", "flip", "on the air; the check is then wrong"
    ),
    Phrase("change bit {NUMBER} in data of {NAME}", "change", "on the air, in memory reads, the check made good"),
    Phrase("lose answers of {NAME} [{count:NUMBER} times]", "lose", "nothing arrives of them"),
    Phrase("hear {NAME} again", "hear", "the end of what was done to its answers"),
    Phrase("lose {PERCENT} of answers {WHERE} [for {SECONDS}]", "thin", "each with this probability"),
    Phrase("noise {WHERE} for {SECONDS} [every {every:SECONDS}]", "jam", "a burst, or bursts: nothing arrives whole"),
    Phrase("quiet {WHERE}", "quiet", "the end of losses and bursts there"),
    # parts that fail, and the clock
    Phrase("break {PART}", "break", "it does not answer any more"),
    Phrase("mend {PART}", "mend", "it answers again"),
    Phrase("clock jumps {SECONDS} forward", "clock_forward", "the chip with the battery tells a later time"),
    Phrase("clock jumps {SECONDS} back", "clock_back", "or an earlier one"),
    Phrase("clock stops", "clock_stops", "its crystal does not swing"),
    Phrase("clock goes again", "clock_goes", "it swings"),
    # time
    Phrase("wait {SECONDS}", "wait", "nothing happens"),
    Phrase("mark {NAME}", "mark", "a name for this instant: a later line may begin `NAME+0.25`"),
    Phrase("note {TEXT}", "note", "shown when the scenario runs"),
)

CONDITIONS = (
    Phrase("bar {COLOUR}", "bar", 'the "Rien ne va plus" bar'),
    Phrase("lamp {SPOT} {COLOUR}", "lamp", "the lamp of a spot"),
    Phrase("[no] display {QUOTED} [{english:QUOTED}]", "display", "a line holds it; in English the second text"),
    Phrase("display line {NUMBER} {QUOTED} [{english:QUOTED}]", "display_line", "that line is it, from 1 to 8"),
    Phrase("display dark", "display_dark", "nothing is lit"),
    Phrase("buzzer sounding", "buzzer_sounding", "it is heard"),
    Phrase("buzzer silent", "buzzer_silent", "it is not"),
    Phrase("no buzzer since {NAME}", "no_buzzer", "it has not been heard since that mark"),
    Phrase("gate open", "gate_open", "a card can be drawn"),
    Phrase("gate shut", "gate_shut", "none can"),
    Phrase("state {STATE}", "state", "of the table, as its journal tells it"),
    Phrase("[no] prompt {PROMPT} [{spot:PLACE}]", "prompt", "the host has been told what the dealer is asked for"),
    Phrase("at most {NUMBER} prompts since {NAME}", "few_prompts", "since that mark"),
    Phrase("{NUMBER} keys since {NAME}", "keys", "pressed by the dealer since that mark"),
    Phrase("at most {NUMBER} keys since {NAME}", "few_keys", "the same, or fewer"),
    Phrase("host up", "host_up", "a session is open between host and controller"),
    Phrase("host away", "host_away", "none is"),
    Phrase("host has every record", "host_has", "each once, in order, up to the newest"),
    Phrase("meter {METER} {NUMBER}", "meter", "a counter of the journal"),
    Phrase(
        "meter {SPOT} staked {staked:MONEY} paid {paid:MONEY} returned {returned:MONEY}",
        "spot_meter",
        "what was settled at a spot since the journal began",
    ),
    Phrase("[no] [next] {CLAIM}", "record", "a record of the journal, see below"),
)
