"""Every order of events at a small table, on the table code that ships: `python -m tests.explore`."""
