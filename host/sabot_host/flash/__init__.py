"""Bringing a board from blank to running: UF2 files, the boot loader's protocol, writing, finding it again.

Entry points: :mod:`.uf2`, :mod:`.boards`, :mod:`.picoboot` (the boot loader's commands, without any cable),
:mod:`.usb_bus` (boot loaders on the bus), :mod:`.writer` (erase, write, verify), :mod:`.devices` (what is attached),
:mod:`.raw_repl` and :mod:`.file_copy` (a board with MicroPython on it).
"""
