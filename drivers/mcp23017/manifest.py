"""For freezing the package into a MicroPython firmware."""

metadata(description="Port expander MCP23017 on I2C", version="0.1.0")
package("mcp23017", ("__init__.py", "line.py"), base_path="..")
