"""Whatever a table may load stays clear of the next doubling of the interpreter's table of names.

The table takes 11 bytes a name on the 64-bit interpreter and doubles when it is full: 14 KB go at once (9 KB on the
board), out of a heap of 448.
"""

from __future__ import annotations

from tests.bench.bench_names import measure, table_size

CLEAR_OF_IT = 16


def test_all_modules_at_once_stay_clear_of_the_next_doubling() -> None:
    assert measure()["before_the_next_doubling"] >= CLEAR_OF_IT


def test_names_that_the_interpreter_has_take_no_room() -> None:
    assert table_size({"append", "self_made_1"}) == table_size({"self_made_1"})
    assert table_size({"self_made_1", "self_made_2"}) == table_size({"self_made_1"}) + 1
