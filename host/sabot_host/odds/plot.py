"""The odds as a picture. Entry point: `draw`. Needs matplotlib, of the extra `odds`."""

import io
from fractions import Fraction
from pathlib import Path

from matplotlib.figure import Figure

from sabot_host.errors import FileError
from sabot_host.files import write_whole

from .model import BetOdds, GameOdds


def draw(odds: GameOdds, path: Path) -> None:
    """Write a PNG: for each bet, how likely each net result is (logarithmic), with its edge in the title.

    Raises:
        FileError: the file cannot be written.
    """
    figure = Figure(figsize=(9, 3 * len(odds.bets) + 0.5), layout="constrained")
    figure.suptitle(f"{odds.game}, {odds.decks} pack{'s' if odds.decks > 1 else ''}: net result in units of the bet")
    for number, bet in enumerate(odds.bets, start=1):
        axes = figure.add_subplot(len(odds.bets), 1, number)
        nets = _by_net(bet)
        axes.bar(range(len(nets)), [float(likely) for likely in nets.values()], log=True)
        axes.set_xticks(range(len(nets)), [f"{float(net):+g}" for net in nets], rotation=45, fontsize="small")
        axes.set_ylabel("probability")
        axes.set_title(
            f"{bet.name}: house edge {float(100 * bet.house_edge):.4f} %,"
            f" element of risk {float(100 * bet.element_of_risk):.4f} %",
            fontsize="medium",
        )
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    try:
        write_whole(path, picture.getvalue())
    except OSError as reason:
        raise FileError(
            "plot-not-written", f"{path} cannot be written: {reason.strerror}", "name another file with --plot"
        ) from reason


def _by_net(bet: BetOdds) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for result in bet.results:
        found[result.net] = found.get(result.net, Fraction(0)) + result.probability
    return dict(sorted(found.items()))
