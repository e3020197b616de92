"""A table put together: drivers, services and the table's own parts, each given what it needs.

Entry points: :func:`compose`, :func:`lamp_places`. Nothing here touches a bus: the parts start when their tasks do.
Needed at the start only: a function that stays behind would keep the whole module in the heap.
"""

from sabot.composed import Composed, Patience, Ports, ReaderFaults
from sabot.display.words import ENGLISH, FRENCH
from sabot.services.buzzer import Buzzer
from sabot.services.chips import Chips, Lying
from sabot.services.contacts import Contacts
from sabot.services.lamps import Lamps
from sabot.services.mouth import Gate
from sabot.services.newcomers import Newcomers
from sabot.services.panel import AnnouncementKey, KeyPad, Panel
from sabot.services.reader_scan import ReaderScan
from sabot.services.scanner import Scanner
from sabot.services.supervisor import WATCHDOG_MS, Supervisor
from sabot.settings import ANTENNAS_A_READER
from sabot.table.presence import Presence
from sabot.table.table import Table

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot.services.deck import Deck
    from sabot.services.display import Display
    from sabot.settings import Settings

NEWCOMERS = 128  # chips heard and not identified yet
CHIPS = 254  # chips known at a time: what lies on 28 spots, and what lay there in the last rounds


def compose(
    app: "Any",
    board: "Any",
    parts: "Any",
    settings: "Settings",
    deck: "Deck | None",
    badges: bytes,
    display: "Display",
    so_far: "tuple[int, int]",
) -> Composed:
    """Make everything that plays.

    Args:
        app: ``journal``, ``clock``, ``reporter`` (`faults.Faults`), ``may_collect()``, ``task_died(name, reason)``,
            ``tick(ticks)``, ``part(name)``; it is given ``badges``.
        board: module of ``boards``.
        parts: its driver objects.
        settings: the configuration in force.
        deck: which cards there are.
        badges: whose badge is whose (`services.badge_met`).
        display: the dealer's.
        so_far: number of the last round, and how many were played.
    """
    chips = Chips(CHIPS, settings.casino, settings.casino_key)
    buzzer = Buzzer(parts.buzzer)
    lamps = Lamps(parts.lamps, lamp_places(settings), buzzer.signal)
    gate = Gate(parts.gate)
    ports = Ports(app, chips, lamps, gate, board.random_bytes, display)
    table = Table(settings, settings.game, ports, *so_far)
    presence = Presence(len(settings.antennas), CHIPS, table)
    if settings.discard >= 0:
        from sabot.services.discard import Discard

        tables = parts.discard
        ports.discard = Discard(settings.discard, settings.afi_card, tables.known, tables.fresh, deck, table.discarded)
    scanner = _scanner(app, parts, settings, presence, chips, ports.discard, table)
    ports.scanner = scanner
    mouth = _exits(app, board, parts, settings, gate, deck, table)
    announcement = AnnouncementKey(parts.rnvp)
    scanner.patience = Patience(announcement, mouth).left
    pad = KeyPad(parts.interrupt, parts.expanders, parts.keys, parts.expander_fault, app.reporter)
    panel = Panel(announcement, pad, table, table.stuck, app.reporter)
    if settings.badge_reader:
        from sabot.services.badges import BadgeReader

        given = (parts.badges, parts.badge_fault, badges, ports, table, announcement, app.part("badge_reader"))
        app.badges = BadgeReader(*given)
    display.language = ENGLISH if settings.language == "en" else FRENCH
    display.attend(table, announcement)
    supervisor = Supervisor(
        board.watchdog(WATCHDOG_MS),
        app.clock,
        (scanner, panel) + mouth,
        ("scanner", "panel", "shoe"),
        app.may_collect,
        app.task_died,
        app.tick,
    )
    contacts = Contacts(parts.lid, parts.case, table)
    announcement.start(board.BOTH_EDGES)
    contacts.start(board.RISING_EDGE)
    pad.start(board.FALLING_EDGE)
    tasks = [("panel", panel.run()), ("scanner", scanner.run())]
    for each in mouth:
        each.start(board.FALLING_EDGE)
        tasks.append(("shoe", each.run()))
    tasks.append(("supervisor", supervisor.run()))
    checks = [parts.fram.start]
    for expander in parts.expanders:
        checks.append(expander.check)
    checks.append(parts.clock.seconds)
    checks.append(parts.display.renew)
    if app.badges:
        checks.append(app.badges.check)
    return Composed(table, ports, announcement, contacts, buzzer, supervisor, tasks, mouth, pad, tuple(checks))


def lamp_places(settings: "Settings") -> "tuple[int, ...]":
    """Place byte of each lamp in the order of the chain: seat by seat, in the game's order of bets."""
    return tuple(sorted([place for place in settings.antennas if place]))


def _exits(
    app: "Any", board: "Any", parts: "Any", settings: "Settings", gate: Gate, deck: "Deck | None", table: Table
) -> "tuple[Any, ...]":
    """Where the cards come from: a shoe, a shuffler, or, where no reader sees a card, nothing."""
    told = app.reporter.of("shoe", 0)
    make, beam, afi = parts.shoe, parts.beam, settings.afi_card
    if settings.deal == "cards" and settings.shoe == "rfid":
        from sabot.services.shoe import Shoe

        return (Shoe(make.reader, make, beam, gate, deck, afi, table.leaving, table.card, told),)
    if settings.deal == "cards":
        from sabot.boards.lip import edge_ring
        from sabot.services.optical import CardBeam, OpticalShoe, Strip

        ring = edge_ring(board.PINS_OPTICAL)
        ring.start(board.BOTH_EDGES)
        beam = CardBeam(beam, ring, board.BOTH_EDGES)
        sensors = app.reporter.of("shoe", 1)
        strip = Strip(ring, beam, sensors)

        def refused(words: str) -> None:
            app.reporter.record("shoe", 1, words)

        if settings.shoe == "optical":
            return (OpticalShoe(strip, beam, gate, table.leaving, table.card, told, refused),)
        from sabot.services.both_shoes import BothShoes

        given = (make.reader, make, beam, gate, deck, afi, table.leaving, table.card, told)
        return (BothShoes(strip, *given, sensors, refused),)
    if settings.deal == "packets":
        from sabot.services.shuffler import Shuffler

        return (Shuffler(make.reader, make, beam, gate, deck, afi, table.leaving, table.packet, told),)
    return ()


def _scanner(
    app: "Any", parts: "Any", settings: "Settings", presence: Presence, chips: Chips, discard: "Any", table: Table
) -> Scanner:
    """All readers with the antennas that are wired."""
    scans: list[ReaderScan] = []
    newcomers = Newcomers(chips, NEWCOMERS)
    lying = Lying(chips, CHIPS)
    for number in range(settings.readers):
        first = number * ANTENNAS_A_READER
        antennas = range(first, first + ANTENNAS_A_READER)
        wired = tuple([n for n in antennas if settings.antennas[n] or n == settings.discard])
        make = parts.readers[number]
        ports = tuple([n - first for n in wired])
        told = ReaderFaults(app, table, number, wired).told
        given = (make.reader, parts.switches[number], wired, ports, make, presence, chips, lying, newcomers, told)
        if settings.discard in wired:
            from sabot.services.discard import DiscardScan

            scans.append(DiscardScan(discard, *given))
        else:
            scans.append(ReaderScan(*given))
    return Scanner(scans, settings.antennas, settings.couples)
