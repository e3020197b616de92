"""What a machine lacks is said in two lines before anything is installed."""

import sys

import pytest

from tools import preflight


def test_this_machine_lacks_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert preflight.main() == 0
    assert capsys.readouterr() == ("", "")


def test_an_old_python_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(preflight, "MINIMUM", (3, 99))
    assert preflight.main() == 2
    what, what_to_do = capsys.readouterr().err.splitlines()
    assert what.startswith("error: Python 3.")
    assert "make PYTHON=" in what_to_do


def test_a_python_without_venv_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert preflight.main() == 2
    assert "python3-venv" in capsys.readouterr().err


def test_another_platform_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert preflight.main() == 2
    assert "linux aarch64" in capsys.readouterr().err
