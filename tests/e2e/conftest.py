"""End to end: the whole firmware on simulated chips, its journal pulled through the simulated port."""

from sabot_host.sim.pytest_plugin import make_table, table

__all__ = ["make_table", "table"]
