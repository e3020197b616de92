"""What crosses a boundary: records, codes, states, frames and messages, shared by the firmware and the host.

Entry points: ``codes`` (numbers and names), ``states`` (the three state machines as data), ``records`` (journal
record layout), ``expand`` (a record as triggers of the state machines), ``crc`` (record check), ``frame`` and
``messages`` (the host link).
"""
