"""A strict, small JSON reader (RFC 8259). Entry points: `read`, `quote`, `NOT_WHOLE`.

MicroPython's own `json.loads` takes commas, colons and control characters where there should be none, and the last of
two equal keys wins silently; CPython's differs in turn. Money is read here, so both interpreters run this one reader,
on bytes. Numbers that are not written as whole numbers come out as NOT_WHOLE: no float ever exists.
"""

from . import errors
from .errors import RuleError

MAX_DEPTH = 16
MAX_DIGITS = 18  # a longer whole number is NOT_WHOLE: no bet, card or count comes near it


class _NotWhole:
    """The type of NOT_WHOLE."""


NOT_WHOLE = _NotWhole()

_SPACE = b" \t\r\n"
_DIGITS = b"0123456789"
_HEX = b"0123456789abcdefABCDEF"
_ESCAPES = {0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9}


def read(text: bytes) -> object:
    """The value that `text` holds: dict, list, str, int, True, False, None or NOT_WHOLE.

    RuleError (article None) with code NOT_JSON, TOO_DEEP or DUPLICATE_KEY. Characters beyond ASCII stay one character a
    byte: the names of the rules are ASCII, so such a string can only be an unknown name.
    """
    reader = _Reader(text)
    value = reader.value(0)
    if reader.peek() >= 0:
        raise reader.error("text after the value")
    return value


def quote(text: str) -> str:
    """A JSON string of ASCII characters, as `json.dumps` of CPython prints it."""
    parts = ['"']
    for letter in text:
        code = ord(letter)
        if letter in '"\\':
            parts.append("\\" + letter)
        elif 32 <= code < 127:
            parts.append(letter)
        else:
            parts.append("\\u%04x" % code)
    parts.append('"')
    return "".join(parts)


class _Reader:
    """A cursor over the text of one value."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._end = len(text)
        self._at = 0

    def error(self, what: str) -> RuleError:
        """The error of this place in the text."""
        return RuleError(errors.NOT_JSON, None, "not JSON: %s at byte %d" % (what, self._at + 1))

    def peek(self) -> int:
        """The next byte after white space, not consumed; -1 at the end."""
        while self._at < self._end and self._text[self._at] in _SPACE:
            self._at += 1
        return self._text[self._at] if self._at < self._end else -1

    def value(self, depth: int) -> object:
        """Read one value that has `depth` objects or lists around it."""
        if depth > MAX_DEPTH:
            raise RuleError(errors.TOO_DEEP, None, "nested deeper than %d levels" % MAX_DEPTH)
        first = self.peek()
        if first == 0x7B:
            return self._object(depth)
        if first == 0x5B:
            return self._list(depth)
        if first == 0x22:
            return self._string()
        if first == 0x2D or 0x30 <= first <= 0x39:
            return self._number()
        if self._word(b"true"):
            return True
        if self._word(b"false"):
            return False
        if self._word(b"null"):
            return None
        raise self.error("a value is missing")

    def _word(self, word: bytes) -> bool:
        if self._text[self._at : self._at + len(word)] != word:
            return False
        self._at += len(word)
        return True

    def _object(self, depth: int) -> "dict[str, object]":
        members: "dict[str, object]" = {}
        self._at += 1
        if self.peek() == 0x7D:
            self._at += 1
            return members
        while True:
            if self.peek() != 0x22:
                raise self.error("a key is missing")
            key = self._string()
            if key in members:
                raise RuleError(errors.DUPLICATE_KEY, None, "a key is named twice before byte %d" % (self._at + 1))
            if self.peek() != 0x3A:
                raise self.error("':' is missing")
            self._at += 1
            members[key] = self.value(depth + 1)
            if not self._more(0x7D):
                return members

    def _list(self, depth: int) -> "list[object]":
        items: "list[object]" = []
        self._at += 1
        if self.peek() == 0x5D:
            self._at += 1
            return items
        while True:
            items.append(self.value(depth + 1))
            if not self._more(0x5D):
                return items

    def _more(self, closing: int) -> bool:
        """Consume a comma (True) or the closing bracket (False)."""
        mark = self.peek()
        if mark != 0x2C and mark != closing:
            raise self.error("',' or the closing bracket is missing")
        self._at += 1
        return mark == 0x2C

    def _number(self) -> object:
        text = self._text
        start = self._at
        if text[start] == 0x2D:
            self._at += 1
        first = self._at
        self._digits()
        if text[first] == 0x30 and self._at > first + 1:
            raise self.error("a number starts with 0")
        last = self._at
        whole = True
        if self._at < self._end and text[self._at] == 0x2E:
            whole = False
            self._at += 1
            self._digits()
        if self._at < self._end and text[self._at] in b"eE":
            whole = False
            self._at += 1
            if self._at < self._end and text[self._at] in b"+-":
                self._at += 1
            self._digits()
        if not whole or last - first > MAX_DIGITS:
            return NOT_WHOLE
        return int(str(text[start:last], "ascii"))

    def _digits(self) -> None:
        start = self._at
        while self._at < self._end and self._text[self._at] in _DIGITS:
            self._at += 1
        if self._at == start:
            raise self.error("a digit is missing")

    def _string(self) -> str:
        text = self._text
        self._at += 1
        letters: "list[str]" = []
        start = self._at
        while True:
            if self._at >= self._end:
                raise self.error("a string has no end")
            byte = text[self._at]
            if byte == 0x22:
                letters.append(_plain(text[start : self._at]))
                self._at += 1
                return "".join(letters)
            if byte < 0x20:
                raise self.error("a control character in a string")
            if byte == 0x5C:
                letters.append(_plain(text[start : self._at]))
                letters.append(self._escape())
                start = self._at
            else:
                self._at += 1

    def _escape(self) -> str:
        self._at += 1
        mark = self._text[self._at] if self._at < self._end else -1
        if mark in _ESCAPES:
            self._at += 1
            return chr(_ESCAPES[mark])
        if mark != 0x75:
            raise self.error("an unknown escape")
        code = 0
        for _ in range(4):
            self._at += 1
            digit = self._hex_digit()
            if digit < 0:
                raise self.error("four hexadecimal digits are missing")
            code = code * 16 + digit
        self._at += 1
        if code < 0x80:
            return chr(code)
        # As the bytes of UTF-8, like the characters that are not escaped; half a surrogate pair is kept as it is.
        if code < 0x800:
            return chr(0xC0 | code >> 6) + chr(0x80 | code & 63)
        return chr(0xE0 | code >> 12) + chr(0x80 | code >> 6 & 63) + chr(0x80 | code & 63)

    def _hex_digit(self) -> int:
        place = _HEX.find(self._text[self._at : self._at + 1]) if self._at < self._end else -1
        return place - 6 if place > 15 else place


def _plain(piece: bytes) -> str:
    """A stretch of a string without escapes."""
    for byte in piece:
        if byte >= 0x80:
            return "".join([chr(each) for each in piece])
    return str(piece, "ascii")
