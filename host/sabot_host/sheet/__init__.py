"""The rule sheet of a game, written from the very data that the table plays by: `sabot rules`.

Entry points: ``content`` (a game to a :class:`~sabot_host.sheet.content.Sheet`), ``layout`` (a sheet as text or HTML),
``words`` (everything that is said, in French and in English).
"""
