"""One table's round: presence, lock of the bets, deal, decisions, irregularities, settlement. No bus, no waiting.

Entry points: `table.Table` (the whole: fed by events, see its inputs), `presence.Presence` (the scanner's answers as
chips with intervals), `machine.Machines` (the state machines of `sabot.wire.states`).

Who does what: `core` holds what all share; `spots` the layout and the amounts; `ledger` each chip on each spot; `lock`
the announcement (the hot path); `confirm` what lay there at that instant, `verdict` what that means; `watch` what
changes afterwards, `alarms` and `clones` what it is; `issues` open irregularities, `rulings` what ends them; `deal` and
`dealing` the cards, `decisions` and `close` what the seats decide, `showdown` and `settlement` hands and amounts,
`ending` the end; `round` their course; `keys` the dealer's panel with `menu`, `desk` and `entry`; `declared` what
people say; `staff` who has signed on; `advice` the prompts before the lock; `history` a seat's past; `report` the
status. Loaded when a game, a house or a moment needs them: `first_card`, `wars`, `halves`, `payment`, `packets`,
`by_hand`, `astray`.
"""
