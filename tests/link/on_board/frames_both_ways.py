"""Encodes and decodes on MicroPython. Lines in: ``e HEX`` a payload, ``d HEX`` bytes from the wire; one line out each.

For ``d`` the payloads found, separated by commas, and the number of frames dropped.
"""

import sys
from binascii import hexlify, unhexlify

from sabot.wire.frame import Deframer, encode


def answer(line: str) -> str:
    data = unhexlify(line[2:])
    if line[0] == "e":
        return hexlify(encode(data)).decode()
    deframer = Deframer()
    found = []
    for byte in data:
        length = deframer.push(byte)
        if length:
            found.append(hexlify(bytes(deframer.buffer[:length])).decode())
    return f"{','.join(found)} {deframer.dropped}"


for text in sys.stdin:
    if text.strip():
        print(answer(text.strip()))
