"""Scenarios: plain text that says what people, cards, cables and faults do at a table, and what must come of it.

Entry points: :func:`hwsim.scenario.parser.parse`, :class:`hwsim.scenario.runner.Runner`,
:class:`hwsim.scenario.errors.ScenarioError`. The language is described in docs/scenarios.md.

Acts are physical. What the controller made of them is known to a scenario through a *witness*, passed in: this package
knows neither the firmware nor the layout of its records.
"""
