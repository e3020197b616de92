"""The board's end of the USB cable, without a board: boot loaders to flash through, serial ports to talk to.

Entry points: :func:`hwsim.usb.bus.rig` and :class:`hwsim.usb.bus.Bus` (boards on a bus),
:meth:`~hwsim.usb.bus.Bus.backend` (for pyusb in this process), :class:`hwsim.usb.server.Server` and
:mod:`hwsim.usb.client` (for other processes), :class:`hwsim.usb.faults.Faults` (what goes wrong),
:func:`hwsim.usb.filesystem.unpack` (what was flashed, as a folder). ``python -m hwsim.usb`` serves a bus by hand.
docs/usb-emulation.md tells it whole.
"""
