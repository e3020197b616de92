"""A hello does nothing to a program that is no controller: it holds none of the keys of a MicroPython prompt."""

import random
from pathlib import Path

import pytest

from sabot.wire import messages as m
from sabot_host.errors import DeviceError
from sabot_host.flash.raw_repl import RawRepl
from sabot_host.link.client import Client
from sabot_host.link.core import LinkCore, decode
from sabot_host.link.serial_port import SerialTransport
from tests.flash.interpreter import at_prompt


def test_no_hello_holds_a_key() -> None:
    source = random.Random(1)
    core = LinkCore(lambda: source.randbytes(m.HELLO_NONCE_SIZE))
    for now in range(1000):
        core.open(now)
        sent = core.outgoing()
        assert not set(sent) & {2, 3, 4, 5}
        payload = decode(sent.strip(b"\0"))
        assert payload is not None
        assert (payload[0], payload[m.HEADER_SIZE]) == (m.H_HELLO, m.PROTOCOL)
        assert payload[1] > 0


def test_a_source_that_cannot_do_better_is_not_asked_for_ever() -> None:
    core = LinkCore(lambda: b"\3" * m.HELLO_NONCE_SIZE)
    core.open(0)
    assert decode(core.outgoing().strip(b"\0")) is not None


def test_a_program_runs_on_while_a_controller_is_looked_for(tmp_path: Path) -> None:
    with at_prompt(tmp_path) as port:
        transport = SerialTransport(port)
        repl = RawRepl(transport)
        repl.enter()
        repl.start("while True: pass")
        with pytest.raises(DeviceError) as nobody:
            Client(transport).open(700)
        assert nobody.value.code in ("link-silent", "link-garbage")
        assert transport.read(200) == b""
        transport.write(b"\x03")
        said, end = b"", transport.now_ms() + 10_000
        while b"KeyboardInterrupt" not in said and transport.now_ms() < end:
            said += transport.read(1000)
        transport.close()
    assert b"KeyboardInterrupt" in said
