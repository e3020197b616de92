"""The boards: the only place that touches ``machine``. Entry point: one module a board, each with ``Board``."""
