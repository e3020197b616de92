"""A settings file that says whether it is whole: its text, then a line with its version and a check.

Entry points: :func:`kept` (the file of a text), :func:`split` (the text of a file), :data:`COPY`, the folder of the
second copies. A file without that line is new: somebody has put it there, and the controller adds the line at its next
start. Damage cannot make one of the other: what is not JSON with the line is not JSON without it.
"""

from binascii import hexlify
from hashlib import sha256

COPY = "copy/"
_LINE = 75  # bytes: a line feed, eight digits, a blank, 64 hexadecimal digits, a line feed
_CHECK = 65  # from the end


def kept(version: int, text: bytes) -> bytes:
    """The file of ``text`` in its ``version``, from 1."""
    number = b"%08d" % version
    return text + b"\n" + number + b" " + hexlify(sha256(number + text).digest()) + b"\n"


def split(data: bytes) -> "tuple[int, bytes] | None":
    """Version and text of a file, version 0 for one without the line; None for a damaged one."""
    if len(data) < _LINE or data[-_LINE : 1 - _LINE] != b"\n" or data[-_CHECK - 1 : -_CHECK] != b" ":
        return 0, data
    try:
        found = int(data[1 - _LINE : -_CHECK - 1]), data[:-_LINE]
    except ValueError:
        return None
    return found if found[0] > 0 and kept(found[0], found[1]) == data else None
