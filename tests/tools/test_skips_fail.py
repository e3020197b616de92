"""On CI a skipped test fails; at a desk it stays a skip."""

from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"

SKIPPING = {
    "mark": "import pytest\n@pytest.mark.skip(reason='later')\ndef test_a(): pass\n",
    "call": "import pytest\ndef test_a(): pytest.skip('not here')\n",
    "fixture": "import pytest\n@pytest.fixture\ndef part(): pytest.skip('no part')\ndef test_a(part): pass\n",
    "module": "import pytest\npytest.skip('nothing', allow_module_level=True)\n",
    "import": "import pytest\npytest.importorskip('no_such_module_anywhere')\n",
    "expected": "import pytest\n@pytest.mark.xfail(reason='known')\ndef test_a(): raise ValueError\n",
}


@pytest.mark.parametrize("case", sorted(SKIPPING))
def test_a_skip_fails_on_ci(case: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile(SKIPPING[case])
    monkeypatch.setenv("CI", "true")
    assert pytester.runpytest_subprocess().ret not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


@pytest.mark.parametrize("case", sorted(SKIPPING))
def test_a_skip_stays_a_skip_at_a_desk(case: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile(SKIPPING[case])
    monkeypatch.delenv("CI", raising=False)
    assert pytester.runpytest_subprocess().ret in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def test_a_skip_fails_on_ci_in_parallel_runs_too(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile(SKIPPING["mark"])
    monkeypatch.setenv("CI", "true")
    result = pytester.runpytest_subprocess("-n", "1")
    result.assert_outcomes(errors=1)
