"""Sabot, the controller of a casino card table: the firmware's packages.

`wire` and `rules` are pure and shared with the host tools; the rest runs on the table controller. Who may import whom
is in docs/architecture.md and enforced by `make imports`. Nothing is imported here: each part is asked for by name.
"""

__version__ = "0.1.0"
