"""One table's round: presence, lock of the bets, deal, decisions, irregularities, settlement. No bus, no waiting.

Entry points: `table.Table` (the whole: fed by events, see its inputs), `presence.Presence` (the scanner's answers as
chips with intervals), `machine.Machine` (the state machines of `sabot.wire.states`).

Who does what: `core` holds what all share; `spots` the layout and the amounts; `ledger` each chip on each spot; `lock`
the announcement (the hot path); `confirm` what lay there at that instant, `verdict` what that means; `watch` what
changes afterwards; `issues` open irregularities, `rulings` what ends them; `deal`, `decisions`, `settlement`, `ending`
the middle and the end; `round` their course; `keys` the dealer's panel; `advice` the prompts before the lock; `history`
a seat's past.
"""
