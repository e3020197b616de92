"""For freezing the package into a MicroPython firmware."""

metadata(description="Optical card shoe: the strip on a card's face", version="0.1.0")
package("optical_strip", ("__init__.py", "decoder.py", "encode.py", "ring.py", "words.py"), base_path="..")
