"""The audit journal: an append-only chain of records in ferroelectric memory (docs/journal.md).

`journal.Journal` is all that the rest of the firmware uses, with `errors.JournalError` for what can go wrong and
`recovery.last_round` for what a power cut interrupted. `layout` is the map of the memory, `ring` the ring of records,
`opening` what happens before the first append, `stamp` the times in a record's header. The storage is passed in.
"""
