"""The simulated table seen by those who know the link and the journal (docs/scenarios.md).

`play` runs a scenario and judges its journal, `demo` plays rounds by itself, `serve` gives a table to another program,
`pytest_plugin` gives one to tests. The simulator is an optional part: everything here needs the extra `sim`.
"""
