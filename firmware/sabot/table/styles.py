"""How a table deals and pays, where it is not card by card and without an order. Entry point: `attach`."""

from sabot.table.round import Round


def attach(course: Round) -> None:
    """Give a round the parts that its configuration asks for: `payment_order`, and `deal`: `packets` or `none`."""
    core = course.core
    if core.config.payment_order != "none":
        from sabot.table.payment import Payment

        course.ending.payment = course.showdown.settlement.payment = Payment(core, course.issues)
    style = core.config.deal
    if style == "packets":
        from sabot.table.packets import Packets

        course.packets = Packets(course.deal, course.dealing)
    elif style == "none":
        from sabot.table.by_hand import ByHand

        course.by_hand = ByHand(core, course.deal, course.dealing, course.decisions, course.showdown, course.proceed)
