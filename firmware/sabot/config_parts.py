"""Single values of a configuration, each checked or refused. Entry points: :class:`ConfigError` and the functions."""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class ConfigError(Exception):
    """A field that is missing or wrong: ``field``, ``value``, ``allowed`` (text) and ``article`` or ``None``."""

    def __init__(self, field: str, value: "Any", allowed: str, article: "str | None" = None) -> None:
        text = "%s is %r; allowed: %s" % (field, value, allowed)
        super().__init__(text + (" (article %s)" % article if article else ""))
        self.field = field
        self.value = value
        self.allowed = allowed
        self.article = article


def is_whole(value: "Any", low: int, high: int) -> bool:
    """Whether a value is a whole number of that range; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def whole(data: "dict[str, Any]", field: str, low: int, high: int, default: "int | None") -> int:
    """A whole number; without a default it must be there."""
    value: int = data.get(field, default)
    if not is_whole(value, low, high):
        raise ConfigError(field, value, "a whole number from %d to %d" % (low, high))
    return value


def choice(
    data: "dict[str, Any]", field: str, allowed: "Sequence[str]", default: "str | None" = "", prefix: str = ""
) -> str:
    """One word of ``allowed``; ``default`` "" is the first of them, None: it must be there."""
    value = data.get(field, allowed[0] if default == "" else default)
    if value not in allowed:
        raise ConfigError(prefix + field, value, " or ".join(allowed))
    return value  # type: ignore[no-any-return]


def dictionary(data: "dict[str, Any]", field: str) -> "dict[str, Any]":
    """An object, empty when it is not there."""
    value = data.get(field, {})
    if not isinstance(value, dict):
        raise ConfigError(field, value, "an object")
    return value
