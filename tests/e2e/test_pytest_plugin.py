"""The fixtures that integrators get, used as they use them: from a test suite of their own."""

import textwrap
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"
CONFTEST = 'pytest_plugins = ["sabot_host.sim.pytest_plugin"]\n'


def test_a_suite_of_ones_own(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        """
        import pytest

        from hwsim.scenario.errors import ScenarioError
        from sabot_host.errors import FileError, SabotError

        def test_good(table):
            table.open()
            table.play("seat 1 ante 25.00\\nwait 1.0\\npress rnvp\\n+0.4 seat 1 pair_plus 5.00")
            table.play("expect late seat 1 pair_plus after 5.00")
            assert table.records("late")[0].fields["severity"] == 2
            assert table.records("late") == table.records("irregularity")

        def test_an_expectation_fails(table):
            table.open()
            table.play("expect bar green\\nexpect bar red within 0.1")

        def test_three_seats(make_table):
            table = make_table(seats=3, seed=7, config={"gate_after": "key"})
            table.open()
            table.play("seat 3 ante 5.00\\nwait 0.8\\npress rnvp\\nexpect lock seat 3 ante 5.00")

        def test_a_heading_comes_too_late(table):
            with pytest.raises(ScenarioError, match="heading"):
                table.play("seed 5\\npower on")

        def test_a_configuration_that_is_refused(make_table):
            table = make_table(game="bataille", seats=3, config={"decks": 1})
            with pytest.raises(SabotError, match="decks is 1; allowed: 6 or 8 .*67.33"):
                table.open()

        def test_a_line_that_is_none(table):
            with pytest.raises(ScenarioError, match="'antee' cannot stand .*\\nwhat to do: did you mean 'ante'"):
                table.play("seat 1 antee 5.00")

        def test_readers_that_are_none(make_table):
            with pytest.raises(SabotError, match='readers is "x"; .* allowed: a list of 1 to 4 readers'):
                make_table(config={"readers": "x"})

        def test_a_game_that_there_is_not(make_table):
            with pytest.raises(FileError, match="no game whist") as refused:
                make_table(game="whist")
            assert "three_card" in "".join(refused.value.__notes__)

        def test_a_journal_that_does_not_hold(table):
            table.open()
            stored = table.records()[-1]
            table.witness.raw[stored.sequence] = b"another record"
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=8, failed=1, errors=1)
    result.stdout.fnmatch_lines(["*line 2: expect bar red within 0.1*", "*the bar is green*"])
    result.stdout.fnmatch_lines(["*journal memory: records *are not those that were stored*"])


def test_the_example_of_the_page(pytester: pytest.Pytester) -> None:
    section = PAGE.read_text(encoding="utf-8").split("## From pytest\n", 1)[1].split("\n`table` is", 1)[0]
    conftest, tests = textwrap.dedent(section).split("# a test\n", 1)
    pytester.makeconftest(conftest)
    pytester.makepyfile(tests)
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=2)
