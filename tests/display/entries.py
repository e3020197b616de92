"""Every entry of the display's words, those that are seldom said too. Entry point: :func:`keys`."""

from sabot.display import more_words_en, more_words_fr, words_en, words_fr


def keys() -> list[str]:
    """Keys as `words.say` takes them; AssertionError when the languages do not have the same ones."""
    french, english = ([*_keys(often), *_keys(seldom)] for often, seldom in (_FRENCH, _ENGLISH))
    assert french == english
    return french


_FRENCH = (words_fr.GROUPS, more_words_fr.GROUPS)
_ENGLISH = (words_en.GROUPS, more_words_en.GROUPS)


def _keys(groups: dict[str, str]) -> list[str]:
    return [f"{group}_{line.split('|')[0]}" for group, lines in groups.items() for line in lines.split("\n") if line]
