"""The host's side of the link to a controller.

Entry points: ``core`` (the protocol without any input or output), ``client`` (a session over a transport),
``serial_port`` (the transport over a serial port).
"""
