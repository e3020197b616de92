"""Corrections of the published stubs apply, or say that the stubs changed."""

from pathlib import Path

import pytest

from tools.patch_typings import Correction, apply


def test_a_correction_applies_everywhere(tmp_path: Path) -> None:
    (tmp_path / "a.pyi").write_text("x: Incomplete\ny: Incomplete\n")
    apply(tmp_path, (Correction("a.pyi", "Incomplete", "int", 2),))
    assert (tmp_path / "a.pyi").read_text() == "x: int\ny: int\n"


@pytest.mark.parametrize("text", ["x: Incomplete\n", "x: Incomplete\n" * 3, ""])
def test_stubs_that_changed_are_noticed(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.pyi").write_text(text)
    with pytest.raises(ValueError, match="the stubs changed"):
        apply(tmp_path, (Correction("a.pyi", "Incomplete", "int", 2),))
