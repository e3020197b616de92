"""Chip models: one module a chip, each with a byte side (pins and buses) and a world side (what people and tags do).

A model imports nothing of the firmware or of the drivers: its constants come from the data sheet, so that a wrong
constant on either side shows as a disagreement.
"""
