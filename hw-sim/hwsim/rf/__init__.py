"""What happens between a reader's antenna and the tags above it.

Entry points: ``air`` (times, CRC and frames of ISO/IEC 15693 on the air), ``antenna`` (one antenna, the tags in its
field, and the hooks that damage what is heard), ``switch`` (which antenna a reader is wired to), ``reception`` (what a
receiver makes of answers that come at once).
"""
