"""The bench that drivers by strangers run on: their clock is the simulator's, and no real board is looked for."""

import importlib
import os

import pytest

os.environ["BLINKA_OS_AGNOSTIC"] = "1"  # the drivers' platform layer asks the machine what board it is

from tests.strangers.bus import World

CLOCKED = (
    "adafruit_bus_device.i2c_device",
    "adafruit_bus_device.spi_device",
    "adafruit_pn532.adafruit_pn532",
    "adafruit_pn532.i2c",
    "adafruit_pn532.uart",
    "adafruit_ssd1306",
)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Scheduler, buses and pins; `time` of every driver that sleeps or looks at the clock is the scheduler's."""
    made = World()
    for name in CLOCKED:
        monkeypatch.setattr(importlib.import_module(name), "time", made.clock)
    return made
