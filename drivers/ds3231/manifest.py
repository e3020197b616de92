"""For freezing the package into a MicroPython firmware."""

metadata(description="Clock DS3231 on I2C", version="0.1.0")
package("ds3231", ("__init__.py",), base_path="..")
