"""Random play at a whole simulated table while everything under it fails, and checks of what is left.

Entry points: :func:`hwsim.torture.plan.plan` (faults from a seed), :class:`hwsim.torture.life.Life` (plays them),
:func:`hwsim.torture.checks.judge` (what must be true of the records). Nothing here imports the firmware or its records:
the checks are written from ``docs/journal.md`` and from what bodies really did.
"""
