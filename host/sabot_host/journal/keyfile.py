"""Keys come from files, never from the command line. Entry point: `read_key`."""

from pathlib import Path

from sabot_host.errors import FileError

KEY_SIZE = 32
_MOST = 4096


def read_key(path: Path) -> bytes:
    """Return the 32 bytes of a key file: as they are, or as 64 hexadecimal digits. FileError ``key-file-bad``."""
    with path.open("rb") as stream:
        data = stream.read(_MOST)
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
