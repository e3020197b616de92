"""What the documentation points to is there: files, make targets, commands."""

import re
from pathlib import Path

import pytest

from sabot_host.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


def test_the_files_that_the_page_of_standards_names_are_there() -> None:
    named = re.findall(r"`((?:firmware|drivers|host|hw-sim|tests)/[^`]*)`", (ROOT / "docs/standards.md").read_text())
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_make_targets_and_commands_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"[`\s]make ([a-z-]+)[`\s]", "\n".join(re.findall(r"`[^`]*`", text)) + "\n")) <= targets
    assert set(re.findall(r"^    (?:\$ )?(?:\.venv/bin/)?sabot ([a-z]+)", text, re.MULTILINE)) <= set(COMMANDS)


def test_the_help_explains_every_target_that_the_readme_names() -> None:
    explained = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)`", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named
    assert named <= explained
