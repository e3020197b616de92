"""A weak tag under strong ones: of answers at once the reader hears the strongest alone, and the weak one is found."""

from __future__ import annotations

import pytest

from tests.drivers.table import uid
from tests.drivers.test_visit_on_chips import visited


@pytest.mark.parametrize("known", [1, 3])
@pytest.mark.parametrize("antennas", range(1, 9))
def test_a_weak_tag_that_a_strong_one_hides_is_heard_all_the_same(known: int, antennas: int) -> None:
    """Of answers at once the reader never hears the weak one's; visits to other antennas lie between."""
    rig = visited(*range(0x11, 0x11 + known))
    (weak,) = rig.put(0x99)
    rig.antenna.capture = lambda tags: [tag for tag in tags if tag is not weak] or tags
    heard = []
    for number in range(12 * antennas):
        rig.make_visit()
        assert {index for index, _, _ in rig.heard.answers} == set(range(known)) and rig.heard.clean
        if not number % antennas:
            heard.append([one for one, _, _ in rig.heard.strangers] == [uid(0x99)])
    longest = max(len(silence) for silence in "".join("x" if one else "." for one in heard).split("x"))
    assert 1 <= longest <= 3, "it is told within four visits"
    rig.make_visit(confirm=True)
    assert [one for one, _, _ in rig.heard.strangers] == [uid(0x99)]


def test_a_weak_stranger_that_a_strong_one_hides_is_heard_when_that_one_is_known() -> None:
    rig = visited()
    strong = rig.put(0x11, 0x99)[0]
    rig.antenna.capture = lambda tags: [strong] if strong in tags else tags
    rig.make_visit()
    assert [one for one, _, _ in rig.heard.strangers] == [uid(0x11)]
    rig.known.add(uid(0x11))
    for _ in range(4):
        rig.make_visit()
        if rig.heard.strangers:
            break
    assert [one for one, _, _ in rig.heard.strangers] == [uid(0x99)]
