"""`screen`: raters who should perhaps not count, and what changes without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.options import Opt, Options, verb
from jurybox.records import HIDDEN
from jurybox.shared_options import ExpertAnswers, GivenRatings, JudgmentReading

if TYPE_CHECKING:
    from jurybox.raters.screen.result import ScreenResult

#: why a rater is suspicious, in the order in which it is said
FLAGS = ("inaccurate", "untrusted", "chance", "spammer", "same", "fast")
#: what drops a rater by default: a rater near chance may still be good, a fast one may be quick
DROPS = ("inaccurate", "untrusted", "spammer", "same")


def flags_in_order(given: Any, flag: str) -> tuple[str, ...]:
    """Flags in their order; all and none stand for all and none of them."""
    named = [given] if isinstance(given, str) else list(given)
    if named in (["all"], ["none"]):
        return FLAGS if named == ["all"] else ()
    for name in ("all", "none"):
        if name in named:
            raise UsageError(f"{flag} {name}: stands alone, or leave it out")
    return (*(flag for flag in FLAGS if flag in named), *(f for f in named if f not in FLAGS))


class Rule(Options, group="rule"):
    """When a rater is suspicious, and which suspicions drop them."""

    drop: Annotated[
        Sequence[str],
        Opt(
            "the flags that drop a rater: inaccurate, untrusted, chance, spammer, same, fast, or "
            "all or none",
            "FLAG",
            values=(*FLAGS, "all", "none"),
            noun="flag",
            take=flags_in_order,
            default=" ".join(DROPS),
        ),
    ] = DROPS
    min_accuracy: Annotated[
        float,
        Opt("inaccurate: a smaller share of known answers is right", "SHARE", least=0, most=1),
    ] = 0.7
    chance_level: Annotated[
        float,
        Opt("chance: a guesser would do as well with this probability", "SHARE", least=0, most=1),
    ] = 0.05
    spammer: Annotated[
        float,
        Opt("spammer: answers depend less on the case, from 0 to 1", "SHARE", least=0, most=1),
    ] = 0.05
    min_trust: Annotated[
        float | None,
        Opt(
            "untrusted: trust is below (accuracy drawn towards that of all raters)",
            "SHARE",
            least=0,
            most=1,
        ),
    ] = None
    min_gold: Annotated[
        int, Opt("inaccurate, untrusted, chance: by at least N known answers", "N", least=1)
    ] = 5
    min_judgments: Annotated[int, Opt("spammer, same: by at least N judgments", "N", least=1)] = 20
    fast: Annotated[
        float,
        Opt(
            "fast: the median time is below this share of the median rater's",
            "SHARE",
            least=0,
            most=1,
        ),
    ] = 0.33


class ScreenOptions(Rule, JudgmentReading, ExpertAnswers, group="reading"):
    """Everything that changes a number, and how raters are shown."""

    pseudonymise: Annotated[
        bool | str,
        Opt(
            "call raters R1, R2 … in order of appearance, also in --save-judgments; with a key, "
            "by names that are the same in every file written with it",
            "KEY",
            optional_value=True,
        ),
        HIDDEN,
    ] = False

    def check(self) -> None:
        super().check()
        if self.show_raters and self.pseudonymise:
            raise UsageError("--show-raters and --pseudonymise exclude each other")


class Screen(ScreenOptions, GivenRatings):
    """What `screen` is called with."""


@verb(Screen)
def screen(call: Screen) -> ScreenResult:
    """Flag raters who are wrong on gold, at chance, too fast, spammers, or never vary their answer.

    `judgments` are files, or (case, rater, label) in memory. `drop` names the flags that drop a
    rater, "all" or "none" of them. `pseudonymise` is True for R1, R2 …, or the key of names that
    are the same in every file. Options are those of `jurybox screen`.

    >>> said = [(f"c{n}", name, "ok" if n % 2 else "error") for n in range(20) for name in "ABC"]
    >>> said += [(f"c{n}", "D", "ok") for n in range(20)]
    >>> result = screen(said)
    >>> result.dropped, result["D"].flags
    (('D',), ('spammer', 'same'))
    """
    from jurybox.raters.screen.screening import screen_raters

    return screen_raters(call)
