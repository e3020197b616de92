"""What is installed on a controller, for the journal: which settings, which program, which deck, and who changed them.

Entry points: :func:`stands_for` (configuration and keys in 8 bytes), :func:`left_by` and :func:`tell`. Needed at the
start only.
"""

from hashlib import sha256

from sabot import integrity
from sabot.wire import meters
from sabot.wire.records import RecordError, code_of, parse

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.journal.journal import Journal
    from sabot.settings import Settings

_LOOK_BACK = 8  # records: who leaves the table has nothing but the end of his session told behind it


def stands_for(found: "Settings") -> bytes:
    """8 bytes that stand for configuration and keys."""
    roles = [role.encode() + found.role_keys[role] for role in sorted(found.role_keys)]
    return sha256(found.hash + found.release + found.device_key + found.casino_key + b"".join(roles)).digest()[:8]


def left_by(journal: "Journal") -> int:
    """Who left the table for prompt or boot loader when it was last switched on (`codes.ROLES`); 0: nobody.

    JournalError as reading has it.
    """
    leaves = (code_of("prompt"), code_of("boot_loader"))
    for sequence in range(journal.last, max(journal.last - _LOOK_BACK, journal.first - 1), -1):
        data = journal.read(sequence)
        if data and data[2] in leaves:
            try:
                by: int = parse(data)["fields"]["by"]
            except RecordError:
                return 0  # a damaged record is the auditor's business
            return by
        if data and data[2] == code_of("power_on"):
            break
    return 0


def tell(journal: "Journal", found: "Settings", by: int) -> None:
    """Record what is installed, when it is not what it was at the start before; ``by`` as `left_by` says."""
    program, deck = integrity.program_and_deck()
    settings = stands_for(found)
    was = meters.installed(journal.meters)
    if meters.together(settings, program, deck) == was:
        return
    values = {"game": found.game_id, "game_hash": found.game_hash, "config_hash": found.hash, "by": by}
    values["was"] = was
    values["settings"], values["program"], values["deck"] = settings, program, deck
    journal.append(code_of("configured"), values)
