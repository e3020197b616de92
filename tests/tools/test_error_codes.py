"""docs/errors.md lists every code that the host tools raise, and the check notices what it does not."""

from pathlib import Path

import pytest

from tools import error_codes

ROOT = Path(__file__).parents[2]
ERRORS = (ROOT / "host/sabot_host/errors.py").read_text(encoding="utf-8")


def _tree(folder: Path, text: str) -> Path:
    package = folder / "host" / "sabot_host"
    package.mkdir(parents=True)
    (package / "errors.py").write_text(ERRORS)
    (package / "part.py").write_text(text)
    return folder


def test_the_page_is_fresh() -> None:
    page = (ROOT / error_codes.PAGE).read_text(encoding="utf-8")
    assert error_codes.updated(page, error_codes.tables(ROOT)) == page


def test_codes_of_families_and_of_the_base_are_listed(tmp_path: Path) -> None:
    root = _tree(
        tmp_path,
        "raise DeviceError('link-silent', 'x', 'y')\n"
        "raise errors.SabotError('bad-line', 'x', 'y')\n"
        "raise SabotError('odd', 'x', 'y', Exit.REFUSED)\n",
    )
    listed = error_codes.tables(root)["codes"]
    assert "| `link-silent` | 3 | `sabot_host/part.py` |" in listed
    assert "| `bad-line` | 1 | `sabot_host/part.py` |" in listed
    assert "| `odd` | 4 | `sabot_host/part.py` |" in listed


def test_a_family_derived_elsewhere_counts(tmp_path: Path) -> None:
    root = _tree(tmp_path, "class Torn(FileError):\n    pass\n\nraise Torn('torn', 'x', 'y')\n")
    assert "| `torn` | 5 | `sabot_host/part.py` |" in error_codes.tables(root)["codes"]


def test_a_prefix_stands_for_the_controllers_names(tmp_path: Path) -> None:
    root = _tree(tmp_path, "raise RefusedError('link-' + text[0], text[1], text[2])\n")
    assert "| `link-*` | 4 | `sabot_host/part.py` |" in error_codes.tables(root)["codes"]


def test_a_code_must_be_written_out(tmp_path: Path) -> None:
    root = _tree(tmp_path, "code = 'made-up'\nraise DeviceError(code, 'x', 'y')\n")
    with pytest.raises(ValueError, match=r"part\.py:2: the error's code is not written out"):
        error_codes.tables(root)


def test_a_code_has_one_exit_status(tmp_path: Path) -> None:
    root = _tree(tmp_path, "raise DeviceError('same', 'x', 'y')\nraise FileError('same', 'x', 'y')\n")
    with pytest.raises(ValueError, match="'same' exits with FILE here and with DEVICE elsewhere"):
        error_codes.tables(root)


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="markers"):
        error_codes.updated("# Errors\n", {"codes": ""})
