"""How a page of the payment ended: names and numbers of the `paid` record. Entry point: :data:`PAYMENTS`.

Apart from `codes`, because only tables that pay in an order load it. "cleared": the player took all before it was seen
whole. "not_verified" is a normal end: a dealer pays into the hand too. "wrong" was told, "corrected" was put right.
"""

PAYMENTS = ("none", "verified", "cleared", "not_verified", "corrected", "wrong")
