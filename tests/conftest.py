"""What holds for every test: nothing is skipped silently where the result is judged.

A skipped test (and an expected failure) is a failure when the environment says CI, because a part that is missing there
would otherwise look like a part that passes. Long tests carry the mark `campaign` and run by `make campaign`; the
import path of the tests is in pyproject.toml.
"""

import gc
import os
import signal
from collections.abc import Generator

import pytest


def pytest_configure() -> None:
    """Hear signals again that the caller ignores (a script's job in the background, nohup): tests send them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    _keep_to_a_processor()


def _keep_to_a_processor() -> None:
    """Give each test process a processor of its own, as far as there are enough.

    Simulator and interpreter take turns, thousands of times a second: two such pairs on one processor, with another
    idle, cost each other more than their share.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if worker.isdecimal():
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[int(worker) % len(allowed)]})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that are given the most time first: no processor waits at the end for one that began late."""

    def given(item: pytest.Item) -> int:
        mark = item.get_closest_marker("timeout")
        return int(mark.args[0]) if mark is not None else 0

    items.sort(key=given, reverse=True)


def pytest_collection_finish() -> None:
    """Leave what was collected, thousands of tests that live to the end, out of the garbage collector's rounds."""
    gc.collect()
    gc.freeze()


def _judged() -> bool:
    return os.environ.get("CI", "") not in ("", "0", "false")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip or an expected failure into a failure on CI."""
    report = yield
    if report.skipped and _judged():
        kind = "skipped"
        if hasattr(report, "wasxfail"):
            kind = "expected to fail"
            del report.wasxfail  # pytest does not count a report that has it as a failure
        report.outcome = "failed"
        report.longrepr = f"{kind} on CI, where that is a failure: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a module that skips itself while it is collected into a failure on CI."""
    report = yield
    if report.skipped and _judged():
        report.outcome = "failed"
        report.longrepr = f"skipped on CI, where that is a failure: {report.longrepr}"
    return report
