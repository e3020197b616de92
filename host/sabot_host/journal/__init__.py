"""The audit journal on the auditor's computer (docs/journal.md).

`file` reads and writes pulled journals, `pull` fetches one, `verify` judges it with the first key of its chain, `show`
puts it into words, `keyfile` reads the keys.
"""
