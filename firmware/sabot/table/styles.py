"""How a table deals, pays and collects, where that is not the plainest way. Entry point: `attach`."""

from sabot.table.round import Round


def attach(course: Round) -> None:
    """Give a round what its configuration asks for: `payment_order`, `discard`, and `deal`: `packets` or `none`."""
    core = course.core
    if core.config.discard >= 0:
        from sabot.table.discard import Discard

        course.ending.discard = Discard(core, course.issues, course.deal, course.dealing)
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
