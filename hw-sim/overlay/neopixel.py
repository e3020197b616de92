"""``neopixel`` drives lamps with ``machine.bitstream``, which holds interrupts off for the whole chain.

Entry point: :class:`NeoPixel`, which refuses. The table's lamps hang on a PIO state machine.
"""


class NeoPixel:
    """Refuses: NotImplementedError."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise NotImplementedError("neopixel holds interrupts off; drive lamps with rp2.StateMachine")
