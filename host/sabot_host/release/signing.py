"""Keys that sign releases: read, made, used.

Entry points: :class:`SigningKey` (:func:`read_key`, :func:`development`), :func:`make_key`, :func:`read_signer` (whom a
technician trusts), :func:`house_signer`, :func:`named`. RSA with 2048 or 3072 bits; PKCS #1 version 1.5 has no chance
in it, so the same release and key give the same bytes. `sabot.wire.signed` checks signatures, here as on the board.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NoReturn

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from sabot.wire.signed import DEVELOPMENT, EXPONENT, SIZES, fingerprint, signer, text
from sabot_host.errors import FileError
from sabot_host.files import KEY_BYTES, read_bytes, write_new
from sabot_host.provision.keys import check_guarded
from sabot_host.release.development import PRIVATE

BITS = 8 * max(SIZES)
RELEASE = "release.pub"
_HINT = "name a key made with: sabot build --new-key FILE"


class SigningKey:
    """A private key. ``fingerprint`` tells whose signature a board has found."""

    def __init__(self, key: rsa.RSAPrivateKey) -> None:
        self._key = key
        self._modulus = _modulus(key.public_key())
        self.fingerprint = fingerprint(self._modulus).decode()

    def sign(self, manifest: bytes) -> bytes:
        """The signature's file for a manifest's text."""
        made = text(self._modulus, self._key.sign(manifest, padding.PKCS1v15(), hashes.SHA256()))
        if signer(made, hashlib.sha256(manifest).digest()).decode() != self.fingerprint:
            raise RuntimeError("a signature just made does not verify")
        return made


def read_key(path: Path) -> SigningKey:
    """A private key of a PEM file. FileError when it is none, is encrypted, or others may read it."""
    data = read_bytes(path, KEY_BYTES)
    check_guarded(path)
    return _private(data, str(path))


def development() -> SigningKey:
    """The key that everybody has."""
    return _private(PRIVATE, "the development key")


def make_key(path: Path) -> Path:
    """Make a key in a new file that only its owner may read; the file with its public part, which is no secret."""
    public = path.with_suffix(".pub")
    key = rsa.generate_private_key(EXPONENT, BITS)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    open_part = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    write_new(path, pem, 0o600)
    write_new(public, open_part)
    return public


def read_signer(path: Path) -> str:
    """Fingerprint of a public key's PEM file. FileError when it is none."""
    try:
        key = serialization.load_pem_public_key(read_bytes(path, KEY_BYTES))
    except ValueError as error:
        raise FileError("signer-key", f"{path} is no public key (PEM)", "name the .pub file of the key") from error
    if not isinstance(key, rsa.RSAPublicKey):
        _unfit(str(path), "it is no RSA key")
    return fingerprint(_checked(key, str(path))).decode()


def house_signer(keys: Path) -> str:
    """Fingerprint of the key that signs the house's releases: `release.pub` in its folder, else the development key."""
    path = keys / RELEASE
    return read_signer(path) if path.exists() else DEVELOPMENT.decode()


def named(signed_by: str) -> str:
    """A signer in words."""
    if signed_by == DEVELOPMENT.decode():
        return "the development key, which everybody has"
    return f"the key {signed_by[:16]}"


def _private(data: bytes, name: str) -> SigningKey:
    try:
        key = serialization.load_pem_private_key(data, None)
    except TypeError as error:
        raise FileError("signing-key", f"{name} is locked with a pass phrase", _HINT) from error
    except (ValueError, UnicodeDecodeError) as error:
        raise FileError("signing-key", f"{name} is no private key (PEM)", _HINT) from error
    if not isinstance(key, rsa.RSAPrivateKey):
        _unfit(name, "it is no RSA key")
    _checked(key.public_key(), name)
    return SigningKey(key)


def _checked(key: rsa.RSAPublicKey, name: str) -> bytes:
    if key.key_size not in [8 * size for size in SIZES]:
        _unfit(name, f"it has {key.key_size} bits, 2048 or 3072 are read")
    if key.public_numbers().e != EXPONENT:
        _unfit(name, f"its exponent is {key.public_numbers().e}, {EXPONENT} is read")
    return _modulus(key)


def _unfit(name: str, why: str) -> NoReturn:
    raise FileError("signing-key-unfit", f"{name} signs no release: {why}", _HINT)


def _modulus(key: rsa.RSAPublicKey) -> bytes:
    return key.public_numbers().n.to_bytes(key.key_size // 8, "big")
