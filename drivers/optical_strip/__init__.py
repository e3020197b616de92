"""Optical card shoe: two reflective sensors that read the strip on a card's face while it is pulled.

Entry points: :mod:`optical_strip.ring` (edges by interrupt), :mod:`optical_strip.decoder` (edges to cards and
refusals), :mod:`optical_strip.encode` (the strip as it is printed), :mod:`optical_strip.words` (the codewords).
The strip is defined in docs/optical-strip.md. Nothing here measures time.
"""
