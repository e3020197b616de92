"""For freezing the package into a MicroPython firmware."""

metadata(description="Display SSD1306 on I2C", version="0.1.0")
package("ssd1306", ("__init__.py",), base_path="..")
