"""The two sensors on the lip of an optical shoe, on any board. Entry point: :func:`edge_ring`.

Loaded by tables that have one.
"""

from machine import Pin
from optical_strip.ring import EdgeRing


def edge_ring(pins: "tuple[int, int]") -> EdgeRing:
    """The ring of the sensors' edges, not yet started; ``pins``: GPIO of sensor A and of sensor B, high for white.

    A broken wire reads dark, as if no card were there.
    """
    sensor_a, sensor_b = [Pin(number, Pin.IN, Pin.PULL_DOWN) for number in pins]
    return EdgeRing(sensor_a, sensor_b)
