"""Sabot's host tools: what a technician's, an auditor's or the pit's computer runs.

Entry points: the command `sabot` (`sabot_host.cli.main`), the error hierarchy (`sabot_host.errors`), and the
modules that the commands call, each usable as a library. Rules and record layouts are not here: the host imports
the firmware's own `sabot.rules` and `sabot.wire`, so that the two cannot disagree.
"""
