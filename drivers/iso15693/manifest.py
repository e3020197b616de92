"""For freezing the package into a MicroPython firmware."""

metadata(description="ISO 15693 over a reader such as the PN5180: inventory, visits, memory", version="0.1.0")
package(
    "iso15693",
    (
        "__init__.py",
        "exchange.py",
        "field.py",
        "icode.py",
        "inventory.py",
        "memory.py",
        "reader.py",
        "requests.py",
        "roll_call.py",
        "tag.py",
        "uid_table.py",
        "visit.py",
        "waiting.py",
    ),
    base_path="..",
)
