"""Wrong keys at a whole table: the lock-out grows, and neither a session, nor a cable, nor the power ends it."""

from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import VirtualCable
from sabot_host.errors import SabotError
from sabot_host.link.client import Client
from sabot_host.sim.pytest_plugin import TestTable

WRONG = b"w" * 32


def tried(table: TestTable, key: bytes) -> str:
    """A new host proves the auditor's role with a key; what came of it."""
    client = Client(VirtualCable(table.table))
    try:
        client.open()
        client.authenticate("auditor", key)
    except SabotError as error:
        return error.code
    finally:
        client.close()
    return ""


def test_the_power_ends_no_lock_out(table: TestTable) -> None:
    table.play("power on\nwait 2.0")
    assert [tried(table, WRONG) for _ in range(4)] == ["link-wrong-key"] * 3 + ["link-locked-out"]
    for seconds in (2, 4):
        table.play("power off\nwait 1.0\npower on\nwait 1.0")
        assert tried(table, DEVELOPMENT_KEYS["auditor"]) == "link-locked-out", "the right key has to wait, too"
        table.table.run_for(seconds * 1000)
        assert tried(table, WRONG) == "link-wrong-key"
    table.table.run_for(8000)
    assert tried(table, DEVELOPMENT_KEYS["auditor"]) == ""
    table.play("power off\nwait 1.0\npower on\nwait 1.0")
    assert tried(table, DEVELOPMENT_KEYS["auditor"]) == "", "the right key starts the count anew"
    table.play("plug host\nwait until host up\nwait 1.0")
    assert [entry.fields["granted"] for entry in table.records("access")][:6] == [0, 0, 0, 0, 0, 1]
