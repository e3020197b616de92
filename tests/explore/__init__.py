"""Every order of events at a small table, on the table code that ships: `make model`."""
