"""Fault simulation over the whole firmware, and proof that its checks find what is wrong."""
