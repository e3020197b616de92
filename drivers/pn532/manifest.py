"""For freezing the package into a MicroPython firmware."""

metadata(description="NFC reader PN532 on I2C or UART", version="0.1.0")
package("pn532", ("__init__.py", "frames.py", "i2c.py", "uart.py"), base_path="..")
