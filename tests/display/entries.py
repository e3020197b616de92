"""Every entry of the display's words, those that are seldom said too. Entry point: :func:`keys`."""

from sabot.display import more_words, words


def keys() -> list[str]:
    """Keys as `words.say` takes them."""
    groups = [entry for groups in (words.GROUPS, more_words.GROUPS) for entry in groups.items()]
    return [f"{group}_{line.split('|')[0]}" for group, lines in groups for line in lines.split("\n") if line]
