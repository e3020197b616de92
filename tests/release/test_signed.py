"""Signatures of releases: what the usual library signs is accepted, and nothing that only looks like it."""

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from sabot.wire import signed
from sabot_host.release.development import PRIVATE
from sabot_host.release.signing import development
from sabot_host.settle_device import find_interpreter

MANIFEST = b"sabot-release 2\nversion 0.1.0\n"
DIGEST = hashlib.sha256(MANIFEST).digest()
INFO = bytes.fromhex("3031300d060960864801650304020105000420")
OTHER_HASH = bytes.fromhex("3031300d060960864801650304020205000420")  # SHA-384's name with 32 bytes


def key_of(bits: int = 0) -> rsa.RSAPrivateKey:
    if bits:
        return rsa.generate_private_key(65537, bits)
    key = load_pem_private_key(PRIVATE, None)
    assert isinstance(key, rsa.RSAPrivateKey)
    return key


def modulus(key: rsa.RSAPrivateKey) -> bytes:
    return key.public_key().public_numbers().n.to_bytes(key.key_size // 8, "big")


def raw(key: rsa.RSAPrivateKey, block: bytes) -> bytes:
    """The signature whose block, taken to the public exponent, is exactly this one."""
    numbers = key.private_numbers()
    return pow(int.from_bytes(block, "big"), numbers.d, numbers.public_numbers.n).to_bytes(key.key_size // 8, "big")


@pytest.mark.parametrize("bits", [2048, 3072])
def test_what_a_library_signs_is_accepted(bits: int) -> None:
    key = key_of(bits)
    text = signed.text(modulus(key), key.sign(MANIFEST, padding.PKCS1v15(), hashes.SHA256()))
    assert signed.signer(text, DIGEST) == hashlib.sha256(modulus(key)).hexdigest().encode()


def test_the_development_key_is_the_one_that_is_known_as_such() -> None:
    assert signed.signer(development().sign(MANIFEST), DIGEST) == signed.DEVELOPMENT
    assert development().sign(MANIFEST) == development().sign(MANIFEST)  # a release is reproducible


@pytest.mark.parametrize("bits", [1024, 2056, 4096])
def test_other_sizes_are_refused(bits: int) -> None:
    key = key_of(bits)
    text = signed.text(modulus(key), key.sign(MANIFEST, padding.PKCS1v15(), hashes.SHA256()))
    assert signed.signer(text, DIGEST) == b""


SIZE = 384
FILL = SIZE - 3 - len(INFO) - 32
BLOCKS: dict[str, Callable[[], bytes]] = {
    "first byte": lambda: b"\1\1" + b"\xff" * FILL + b"\0" + INFO + DIGEST,
    "encryption's padding": lambda: b"\0\2" + b"\xff" * FILL + b"\0" + INFO + DIGEST,
    "padding of zeros": lambda: b"\0\0" + b"\0" * FILL + b"\0" + INFO + DIGEST,
    "one byte of the padding": lambda: b"\0\1" + b"\xff" * (FILL - 1) + b"\xfe\0" + INFO + DIGEST,
    "short padding, rubbish after": lambda: b"\0\1" + b"\xff" * 8 + b"\0" + INFO + DIGEST + b"\1" * (FILL - 8),
    "short padding, rubbish before": lambda: b"\0\1" + b"\xff" * 8 + b"\0" + b"\1" * (FILL - 8) + INFO + DIGEST,
    "hash alone": lambda: b"\0\1" + b"\xff" * (FILL + len(INFO)) + b"\0" + DIGEST,
    "another hash's name": lambda: b"\0\1" + b"\xff" * FILL + b"\0" + OTHER_HASH + DIGEST,
    "no NULL parameter": lambda: (
        b"\0\1" + b"\xff" * (FILL + 2) + b"\0" + bytes.fromhex("302f300b0609608648016503040201") + b"\4\x20" + DIGEST
    ),
    "another digest": lambda: b"\0\1" + b"\xff" * FILL + b"\0" + INFO + hashlib.sha256(b"x").digest(),
    "a digest's bit": lambda: b"\0\1" + b"\xff" * FILL + b"\0" + INFO + DIGEST[:-1] + bytes((DIGEST[-1] ^ 1,)),
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_that_is_not_exactly_the_one_is_refused(block: Callable[[], bytes]) -> None:
    """Signed with the private key: only the comparison of the block stands between these and acceptance."""
    key, data = key_of(), block()
    assert len(data) == SIZE
    assert signed.signer(signed.text(modulus(key), raw(key, data)), DIGEST) == b""


def test_the_right_block_made_the_same_way_is_accepted() -> None:
    key = key_of()
    block = b"\0\1" + b"\xff" * FILL + b"\0" + INFO + DIGEST
    assert signed.signer(signed.text(modulus(key), raw(key, block)), DIGEST) == signed.DEVELOPMENT


def cube_root(value: int) -> int:
    low, high = 0, 1 << (value.bit_length() // 3 + 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle**3 < value else (low, middle)
    return low


def test_a_cube_root_forges_nothing() -> None:
    """With exponent 3 and a loose parser a cube root of a padded prefix signs anything (Bleichenbacher, 2006)."""
    prefix = b"\0\1\xff\xff\xff\xff\xff\xff\xff\xff\0" + INFO + DIGEST
    root = cube_root(int.from_bytes(prefix.ljust(SIZE, b"\0"), "big"))
    assert (root**3).to_bytes(SIZE, "big").startswith(prefix)  # a verifier of that kind would be taken in
    text = signed.text(modulus(key_of()), root.to_bytes(SIZE, "big"))
    assert signed.signer(text, DIGEST) == b""


@pytest.mark.parametrize("value", [0, 1, -1], ids=["zero", "one", "minus one"])
def test_trivial_signatures_are_refused(value: int) -> None:
    n = key_of().public_key().public_numbers().n
    assert signed.signer(signed.text(modulus(key_of()), (value % n).to_bytes(SIZE, "big")), DIGEST) == b""


def test_a_signature_is_smaller_than_the_modulus() -> None:
    """The same number plus the modulus gives the same block: it is refused all the same."""
    for attempt in range(64):  # a modulus of 3072 bits leaves room above it in few cases
        manifest = b"%d" % attempt
        text = development().sign(manifest)
        number = int(text.split(b"\n")[1], 16) + key_of().public_key().public_numbers().n
        if number < 1 << 8 * SIZE:
            digest = hashlib.sha256(manifest).digest()
            assert signed.signer(signed.text(modulus(key_of()), number.to_bytes(SIZE, "big")), digest) == b""
            return
    pytest.fail("no such number in 64 tries")


TEXT = development().sign(MANIFEST)
FIRST, SECOND = TEXT.split(b"\n")[:2]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n\n",
        TEXT[:-1],
        TEXT + b"\n",
        TEXT + b"00\n",
        TEXT.upper(),
        b" " + TEXT,
        TEXT.replace(b"\n", b"\r\n"),
        FIRST + b"\n" + SECOND[:-2] + b"\n",
        FIRST + b"\n00" + SECOND + b"\n",
        FIRST[2:] + b"\n" + SECOND[2:] + b"\n",
        SECOND + b"\n" + FIRST + b"\n",
        b"0" * len(FIRST) + b"\n" + SECOND + b"\n",
        FIRST + b"\n" + b"zz" * SIZE + b"\n",
        FIRST + b"\n" + b"\xff" * len(SECOND) + b"\n",
    ],
)
def test_another_text_is_no_signature(text: bytes) -> None:
    assert signed.signer(text, DIGEST) == b""


@pytest.mark.parametrize("digest", [b"", DIGEST[:31], DIGEST + b"\0", hashlib.sha384(MANIFEST).digest()])
def test_a_digest_of_another_length_is_refused(digest: bytes) -> None:
    assert signed.signer(TEXT, digest) == b""


def test_each_bit_of_a_signature_counts() -> None:
    """A bit in each byte of both numbers."""
    for at in range(0, 2 * SIZE, 7):
        data = bytearray(bytes.fromhex((FIRST + SECOND).decode()))
        data[at] ^= 1 << at % 8
        assert signed.signer(signed.text(bytes(data[:SIZE]), bytes(data[SIZE:])), DIGEST) == b"", at


def test_the_board_judges_alike(tmp_path: Path) -> None:
    """On MicroPython: what is accepted here is accepted there, and each forgery is refused there too."""
    small = key_of(2048)
    good = {
        TEXT: signed.DEVELOPMENT,
        signed.text(modulus(small), small.sign(MANIFEST, padding.PKCS1v15(), hashes.SHA256())): hashlib.sha256(
            modulus(small)
        )
        .hexdigest()
        .encode(),
    }
    forged = [signed.text(modulus(key_of()), raw(key_of(), block())) for block in BLOCKS.values()]
    cases = list(good.items()) + [(text, b"") for text in [*forged, TEXT[:-1], TEXT.upper(), b""]]
    program = tmp_path / "judge.py"
    program.write_text(
        "from sabot.wire.signed import signer\n"
        f"for text, expected in {cases!r}:\n"
        f"    found = signer(text, {DIGEST!r})\n"
        "    print('ok' if found == expected else (expected, found))\n"
    )
    done = subprocess.run(
        [str(find_interpreter()), "-X", "heapsize=448k", str(program)],
        env={"MICROPYPATH": f"{Path(__file__).parents[2] / 'firmware'}:.frozen", "PATH": os.defpath},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stdout.split() == ["ok"] * len(cases), done.stdout + done.stderr
