"""For freezing the package into a MicroPython firmware."""

metadata(description="FRAM MB85RS on SPI", version="0.1.0")
package("mb85rs", ("__init__.py",), base_path="..")
