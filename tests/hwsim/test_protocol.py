"""The two copies of the pipe protocol's numbers are one."""

import re
from pathlib import Path

from hwsim import protocol

OVERLAY = Path(__file__).parents[2] / "hw-sim" / "overlay" / "_protocol.py"


def test_interpreter_and_simulator_use_the_same_numbers() -> None:
    pairs = re.findall(r"^([A-Z_0-9]+) = const\(([\d <]+)\)$", OVERLAY.read_text(), re.MULTILINE)
    theirs = {name: eval(value, {}) for name, value in pairs}
    assert len(theirs) == OVERLAY.read_text().count(" = const("), "every constant was understood"
    ours = {name: value for name, value in vars(protocol).items() if name.isupper()}
    own = {"MODE_IN", "MODE_OUT", "MODE_OPEN_DRAIN", "PULL_UP", "EDGE_FALLING", "EDGE_RISING"}
    assert theirs == {name: value for name, value in ours.items() if name not in own}
