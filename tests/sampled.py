"""Parameters of which `make test` takes some and `make campaign` the rest. Entry point: :func:`sampled`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], kept: Iterable[Any]) -> list[Any]:
    """Values for ``pytest.mark.parametrize``: those in ``kept`` in every run, the others in the campaign.

    A value that stands for several parameters is a plain tuple (a named one is one value).
    AssertionError when a kept value is none of them.
    """
    every, often = list(values), list(kept)
    assert [value for value in often if value not in every] == []
    marks = {True: [], False: [pytest.mark.campaign]}
    return [
        pytest.param(*(value if type(value) is tuple else (value,)), marks=marks[value in often]) for value in every
    ]
