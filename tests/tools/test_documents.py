"""What the documentation points to is there: files, make targets, commands."""

import re
from pathlib import Path

import pytest

from sabot_host.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "drivers").rglob("*.md")),
]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", ["standards", "security"])
def test_the_files_that_a_page_names_as_proof_are_there(page: str) -> None:
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:firmware|drivers|host|hw-sim|tests)/[^` ]*)(?: -k ([^`]*))?`", text)
    assert len(named) > 20
    assert [name for name, _ in named if not (ROOT / name).exists()] == []
    for name, word in named:
        tests = re.findall(r"def (test_\w+)", (ROOT / name).read_text(encoding="utf-8")) if word else []
        assert not word or [test for test in tests if word in test], (name, word)


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
