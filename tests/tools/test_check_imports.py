"""`make imports` finds each planted violation, lets every lawful import pass, and finds nothing in this tree."""

from pathlib import Path

import pytest

from tools import check_imports

ROOT = Path(__file__).parents[2]

REFUSED = {
    "wire imports a service": ("firmware/sabot/wire/a.py", "from sabot.services import scanner\n"),
    "wire imports time": ("firmware/sabot/wire/a.py", "import time\n"),
    "wire imports all of micropython": ("firmware/sabot/wire/a.py", "import micropython\n"),
    "wire imports the table, relatively": ("firmware/sabot/wire/a.py", "from ..table import spot\n"),
    "rules import typing at run time": ("firmware/sabot/rules/a.py", "from typing import Any\n"),
    "rules import the journal": ("firmware/sabot/rules/games/a.py", "import sabot.journal.ring\n"),
    "table imports struct": ("firmware/sabot/table/a.py", "import struct\n"),
    "table imports the journal": ("firmware/sabot/table/a.py", "from sabot import journal\n"),
    "journal imports rules": ("firmware/sabot/journal/a.py", "from sabot.rules import cards\n"),
    "journal imports a driver": ("firmware/sabot/journal/a.py", "import mb85rs\n"),
    "services import machine": ("firmware/sabot/services/a.py", "from machine import Pin\n"),
    "services import machine inside a function": (
        "firmware/sabot/services/a.py",
        "def now():\n    import machine\n    return machine\n",
    ),
    "services import the board": ("firmware/sabot/services/a.py", "from sabot.boards import pico2\n"),
    "services import a name made up at run time": ("firmware/sabot/services/a.py", "__import__('mach' + 'ine')\n"),
    "rules import another package by a name made up at run time": (
        "firmware/sabot/rules/a.py",
        "def load(name):\n    return __import__('sabot.table.' + name)\n",
    ),
    "rules import anything that starts alike": (
        "firmware/sabot/rules/a.py",
        "def load(name):\n    return __import__('sabot.rules' + name)\n",
    ),
    "services import machine by a call": ("firmware/sabot/services/a.py", "p = __import__('machine')\n"),
    "services hide machine in a try": (
        "firmware/sabot/services/a.py",
        "try:\n    import machine\nexcept ImportError:\n    machine = None\n",
    ),
    "boards import the table": ("firmware/sabot/boards/a.py", "from sabot.table import spot\n"),
    "boards make a pin at import": ("firmware/sabot/boards/a.py", "import machine\nKEY = machine.Pin(3)\n"),
    "boards make a pin in a class": (
        "firmware/sabot/boards/a.py",
        "from machine import Pin as P\nclass Board:\n    key = P(3)\n",
    ),
    "boards make a pin as a default": (
        "firmware/sabot/boards/a.py",
        "from machine import Pin\ndef key(pin=Pin(3)):\n    return pin\n",
    ),
    "app imports machine": ("firmware/sabot/app.py", "import machine\n"),
    "main imports a service": ("firmware/main.py", "from sabot.services import scanner\n"),
    "drivers import machine": ("drivers/pn5180/__init__.py", "import machine\n"),
    "drivers import the firmware": ("drivers/pn5180/__init__.py", "from sabot.wire import codes\n"),
    "hwsim imports a driver's constants": ("hw-sim/hwsim/chips/a.py", "from pn5180 import registers\n"),
    "hwsim imports the firmware": ("hw-sim/hwsim/a.py", "import sabot.wire\n"),
    "hwsim imports the host": ("hw-sim/hwsim/a.py", "from sabot_host import errors\n"),
    "overlay imports hwsim": ("hw-sim/overlay/machine.py", "import hwsim.fabric\n"),
    "host imports the table": ("host/sabot_host/a.py", "from sabot.table import spot\n"),
    "host imports a driver": ("host/sabot_host/a.py", "import pn5180\n"),
    "host imports the simulator": ("host/sabot_host/link.py", "import hwsim.fabric\n"),
    "host imports an undeclared library": ("host/sabot_host/a.py", "import requests\n"),
    "a file outside every layer": ("firmware/extra/a.py", ""),
    "a package of the firmware outside every layer": ("firmware/sabot/extra/a.py", "import machine\n"),
    "a file that is no Python": ("firmware/sabot/wire/a.py", "def (:\n"),
}

ALLOWED = {
    "wire": (
        "firmware/sabot/wire/a.py",
        (
            "import struct\nimport binascii\nfrom .codes import X\nfrom sabot.rules import cards\n"
            "try:\n    from micropython import const\nexcept ImportError:\n    def const(x):\n        return x\n"
        ),
    ),
    "typing under its guard": (
        "firmware/sabot/wire/a.py",
        (
            "try:\n    from typing import TYPE_CHECKING\nexcept ImportError:\n    TYPE_CHECKING = False\n"
            "if TYPE_CHECKING:\n    from collections.abc import Iterator\n"
        ),
    ),
    "rules of a game by name": (
        "firmware/sabot/rules/a.py",
        "from collections import namedtuple\ndef load(name):\n    return __import__('sabot.rules.games.' + name)\n",
    ),
    "services": (
        "firmware/sabot/services/a.py",
        "import asyncio\nimport time\nfrom sabot.table import spot\nfrom sabot.journal import ring\nimport pn5180\n",
    ),
    "boards": (
        "firmware/sabot/boards/a.py",
        (
            "import machine\nimport rp2\nfrom pn5180 import PN5180\n"
            "@rp2.asm_pio(out_init=rp2.PIO.OUT_LOW)\ndef program():\n    pass\n"
            "def key():\n    return machine.Pin(3)\n"
        ),
    ),
    "app": ("firmware/sabot/app.py", "from sabot.boards import pico2\nfrom sabot.services import scanner\n"),
    "main": ("firmware/main.py", "import micropython\nfrom sabot import app\n"),
    "drivers": ("drivers/iso15693/visit.py", "import time\nfrom . import requests\nimport pn5180\n"),
    "drivers' types": (
        "drivers/pn5180/__init__.py",
        (
            "try:\n    from typing import TYPE_CHECKING\nexcept ImportError:\n    TYPE_CHECKING = False\n"
            "if TYPE_CHECKING:\n    from machine import SPI\n"
        ),
    ),
    "hwsim": ("hw-sim/hwsim/a.py", "import heapq\nfrom hwsim.core import Scheduler\n"),
    "host": (
        "host/sabot_host/a.py",
        "import json\nimport serial\nfrom sabot.wire import codes\nfrom . import errors\n",
    ),
    "host's simulator command": ("host/sabot_host/cli/sim.py", "from hwsim.scenario import run\n"),
}


def _plant(root: Path, where: str, text: str) -> None:
    (root / "drivers" / "pn5180").mkdir(parents=True)
    (root / "drivers" / "mb85rs").mkdir()
    (root / "drivers" / "iso15693").mkdir()
    (root / where).parent.mkdir(parents=True, exist_ok=True)
    (root / where).write_text(text)


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_planted_violation_is_found(case: str, tmp_path: Path) -> None:
    where, text = REFUSED[case]
    _plant(tmp_path, where, text)
    found = list(check_imports.violations(tmp_path))
    assert len(found) == 1
    assert found[0].startswith(f"{where}:")


@pytest.mark.parametrize("case", sorted(ALLOWED))
def test_a_lawful_import_passes(case: str, tmp_path: Path) -> None:
    where, text = ALLOWED[case]
    _plant(tmp_path, where, text)
    assert list(check_imports.violations(tmp_path)) == []


def test_the_line_is_the_imports_own(tmp_path: Path) -> None:
    _plant(tmp_path, "firmware/sabot/wire/a.py", "import struct\n\nimport machine\n")
    assert list(check_imports.violations(tmp_path)) == ["firmware/sabot/wire/a.py:3: wire may not import machine"]


def test_this_tree_keeps_the_table() -> None:
    assert list(check_imports.violations(ROOT)) == []
