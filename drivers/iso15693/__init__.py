"""ISO/IEC 15693 on any reader chip: requests, anticollision, visits to an antenna, memory.

Entry points: `Inventory`, `Visit`, `UidTable`, `BlockRead`, `Field`, `ReaderFault`; the reader's contract and the air
times are in `iso15693.reader`, the requests themselves in `iso15693.requests`.
"""

from .field import Field
from .inventory import Inventory
from .memory import BlockRead
from .reader import ReaderFault
from .uid_table import UidTable
from .visit import Visit

__all__ = ("BlockRead", "Field", "Inventory", "ReaderFault", "UidTable", "Visit")
