"""The option that names a controller's port, for every command that speaks to one. Entry point: :data:`PORT`."""

from __future__ import annotations

import click

PORT = click.option("--port", help="Serial port of the controller; without it, the one that is attached.")
