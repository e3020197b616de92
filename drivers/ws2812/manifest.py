"""For freezing the package into a MicroPython firmware."""

metadata(description="LED chain WS2812 on a PIO state machine", version="0.1.0")
package("ws2812", ("__init__.py",), base_path="..")
