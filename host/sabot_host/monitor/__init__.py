"""The live view of a table: `sabot monitor`, and the screen of the simulated tables.

Entry points: ``picture`` (what a controller says of its table, taken apart), ``screen`` (a picture drawn), ``watcher``
(a session that follows a table over any cable).
"""
