"""Makes the unix interpreter start as MicroPython on a Pico does: littlefs as root, boot.py, main.py, then the prompt.

Entry point: :func:`start`, called by the command line that `hwsim.usb.micropython` gives the interpreter.

Limits: `machine` has only what a host tool asks for (id and resets, no pins); a program that needs the hardware runs in
`hwsim.controller`. The banner at the prompt is the interpreter's own. What was written to a file that is still open is
lost at a soft reset, not only at a hard one.
"""

import builtins
import os
import sys
from collections import namedtuple

import machine
import vfs

BLOCK = 4096
# What stands for a line feed that is not to become CR LF on its way (written by sys.stdout.buffer).
BARE_LINE_FEED = b"\x0e\x0f\x0e"


class Storage:
    """Block device over the file that holds the file system's part of the flash."""

    def __init__(self, path, blocks):
        self._file = open(path, "r+b")
        self._blocks = blocks

    def readblocks(self, block, buffer, offset=0):
        """Read from a block."""
        self._file.seek(block * BLOCK + offset)
        self._file.readinto(buffer)

    def writeblocks(self, block, buffer, offset=0):
        """Write into a block, which littlefs has erased."""
        self._file.seek(block * BLOCK + offset)
        self._file.write(buffer)
        self._file.flush()

    def ioctl(self, operation, argument):
        """Number and size of the blocks."""
        if operation == 4:
            return self._blocks
        if operation == 5:
            return BLOCK
        return 0


class Binary:
    """sys.stdout.buffer: nothing is added to what goes through it."""

    def write(self, data, *part):
        """Write bytes: all of them, the first `part[0]`, or `part[1]` from `part[0]`."""
        start = part[0] if len(part) > 1 else 0
        chosen = bytes(data)[start : start + part[-1]] if part else bytes(data)
        sys.stdout.buffer.write(chosen.replace(b"\n", BARE_LINE_FEED))
        return len(chosen)


class Output:
    """sys.stdout."""

    def __init__(self):
        self.buffer = Binary()

    def write(self, text):
        """Write text."""
        return sys.stdout.write(text)


class System:
    """The module `sys` of the board: its names instead of the interpreter's, the rest from the real one."""

    def __init__(self, machine_name, build, mpy):
        real = sys.implementation
        made = namedtuple("implementation", ("name", "version", "_machine", "_mpy", "_build"))
        self.implementation = made(real.name, real.version, machine_name, mpy, build)
        self.platform = "rp2"
        self.stdout = Output()

    def __getattr__(self, name):
        return getattr(sys, name)


def _run(name, names):
    try:
        os.stat(name)
    except OSError:
        return
    try:
        with open(name) as file:
            source = file.read()
        exec(compile(source, name, "exec"), names)
    except SystemExit:
        raise
    except BaseException as error:
        sys.print_exception(error)


def start(names, image, blocks, control, uid, machine_name, build, mpy, run_main):
    """Become the board; `names` is the prompt's namespace, `control` the number of the pipe to the supervisor."""
    machine.begin(open("/dev/fd/%d" % control, "wb"), bytes.fromhex(uid))
    storage = Storage(image, blocks)
    vfs.umount("/")
    vfs.mount(vfs.VfsLfs2(storage, progsize=256), "/")
    os.begin(machine_name, sys.implementation.version)
    sys.path[:] = ["", ".frozen", "/lib"]
    board_sys = System(machine_name, build, mpy)
    imported = builtins.__import__

    def import_(name, *rest):
        return board_sys if name == "sys" else imported(name, *rest)

    builtins.__import__ = import_
    del names["hwsim_board"]
    machine.ready()
    _run("boot.py", names)
    if run_main:
        _run("main.py", names)
