"""Keys come from files, never from the command line. Entry point: `read_key`."""

from pathlib import Path

from sabot_host.errors import FileError
from sabot_host.files import KEY_BYTES, read_bytes

KEY_SIZE = 32


def read_key(path: Path) -> bytes:
    """Return the 32 bytes of a key file: as they are, or as 64 hexadecimal digits. FileError ``key-file-bad``."""
    data = read_bytes(path, KEY_BYTES)
    if len(data) == KEY_SIZE:
        return data
    try:
        key = bytes.fromhex(data.decode("ascii"))
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        raise FileError(
            "key-file-bad",
            f"{path} holds no key: a key is 32 bytes, or 64 hexadecimal digits",
            "name the file that provisioning wrote",
        )
    return key
