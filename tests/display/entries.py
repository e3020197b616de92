"""Every entry of the display's words, those that are seldom said too. Entry point: :func:`keys`."""

from sabot.display import words_en, words_fr


def keys() -> list[str]:
    """Keys as `words.say` takes them; AssertionError when the languages do not have the same ones."""
    french, english = ([*_keys(module.GROUPS), *_keys(module.MORE)] for module in (words_fr, words_en))
    assert french == english
    return french


def _keys(groups: dict[str, str]) -> list[str]:
    return [f"{group}_{line.split('|')[0]}" for group, lines in groups.items() for line in lines.split("\n") if line]
