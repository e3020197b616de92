"""What a controller says of itself to whoever asks. Entry point: :func:`asked`."""

from typing import Any

from hwsim.table import SimTable, VirtualCable
from sabot_host.link.client import Client


def asked(table: SimTable) -> dict[str, Any]:
    """The controller's answer to anybody."""
    client = Client(VirtualCable(table))
    try:
        client.open()
        return client.status()
    finally:
        client.close()
