"""A house's keys: files of 64 hexadecimal digits that only their owner may read.

Entry points: :class:`KeyFolder`, :data:`ROLES`, :func:`fingerprint`, :func:`check_guarded`. A key that is not there is
made, from the operating system's entropy, and never changed afterwards: chips, decks and journals depend on it.

    keys/casino.key              in every chip of the house
    keys/release.pub             public: who signs the house's releases; the development key where there is none
    keys/table-12/device.key     hides the cards of the deck list
    keys/table-12/journal.key    the first key of the journal's chain: for the auditor, who verifies with it
    keys/table-12/dealer.key …   one for each role, to prove itself over the link
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from sabot_host.errors import DeviceError, FileError
from sabot_host.files import write_new
from sabot_host.journal.keyfile import KEY_SIZE, read_key

ROLES = ("dealer", "supervisor", "technician", "auditor")
CASINO, DEVICE, JOURNAL = "casino", "device", "journal"


class KeyFolder:
    """The keys under ``folder``, which is made. ``made`` names those that were not there before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.made: list[Path] = []

    def casino(self) -> bytes:
        """The house's key."""
        return self._key(self._folder / f"{CASINO}.key")

    def table(self, number: int) -> dict[str, bytes]:
        """A table's own keys by their names: device, journal, and each role's."""
        folder = self._folder / f"table-{number}"
        return {name: self._key(folder / f"{name}.key") for name in (DEVICE, JOURNAL, *ROLES)}

    def held(self, number: int, role: str) -> bytes:
        """A role's key of a table, which is there already. FileError when it is not, or others may read it.

        DeviceError for table 0: whoever asks has heard that number from a board that cannot read its settings.
        """
        if not number:
            raise DeviceError(
                "settings-damaged",
                "the board does not know which table it is: its settings are damaged or missing",
                "hold BOOTSEL while plugging it in: sabot flash --bundle FILE --erase-settings, then sabot provision",
            )
        path = self._folder / f"table-{number}" / f"{role}.key"
        if not path.exists():
            raise FileError(
                "key-file-none", f"there is no {path}", "name the folder of the house's keys, which provisioning wrote"
            )
        return _guarded(path)

    def keep(self, number: int, keys: Mapping[str, bytes]) -> None:
        """Keys that are given, by their names, a table's own and the house's. FileError when others lie there."""
        for name, key in keys.items():
            folder = self._folder if name == CASINO else self._folder / f"table-{number}"
            path = folder / f"{name}.key"
            if self._key(path, key) != key:
                raise FileError("key-file-other", f"{path} is another key", "name another folder")

    def _key(self, path: Path, given: bytes | None = None) -> bytes:
        """The key that lies there; where none does, the one that is given or a new one is written first."""
        if path.exists():
            return _guarded(path)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = secrets.token_bytes(KEY_SIZE) if given is None else given
        write_new(path, key.hex() + "\n", 0o600)
        self.made.append(path)
        return key


def _guarded(path: Path) -> bytes:
    check_guarded(path)
    return read_key(path)


def check_guarded(path: Path) -> None:
    """FileError when somebody else than its owner may read a key's file."""
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise FileError("key-file-open", f"{path} may be read by others", f"chmod 600 {path}, and ask who has read it")


def fingerprint(key: bytes) -> str:
    """What may be printed of a key, to tell it from others: it says nothing of the key itself."""
    return hashlib.sha256(b"sabot key fingerprint" + key).hexdigest()[:12]
