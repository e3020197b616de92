"""For freezing the package into a MicroPython firmware."""

metadata(description="RF antenna switch with binary select lines", version="0.1.0")
package("antenna_switch", ("__init__.py",), base_path="..")
