"""For freezing the package into a MicroPython firmware."""

metadata(description="RFID reader PN5180 on SPI", version="0.1.0")
package("pn5180", ("__init__.py", "bringup.py", "fast.py", "frames.py", "registers.py", "transport.py"), base_path="..")
