"""The options of a metric: what changes its number, and the signature they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError, unknown_name
from jurybox.formats.given_values import as_words
from jurybox.options import Opt, Options, flag_of, signature

if TYPE_CHECKING:
    from jurybox.plugins import Plugin

METRICS = ("m2", "errant", "gleu")
#: those that count edits and have precision, recall and F; all others have one score
EDIT_METRICS = ("m2", "errant")
LEVELS = ("correction", "correction-type", "span", "token")
SIZES = ("any", "single", "multi")
#: how the annotator of a sentence is chosen (metrics/choice.py)
RULES = ("running", "sentence")
#: what is said of sentences that nobody annotated
NOT_COUNTED = (
    "have no annotator and do not count; give those that need no edit an annotation without edits"
)
SMALLEST_BETA, LARGEST_BETA = 0.001, 1000.0


def check_beta(beta: float) -> float:
    """The square of beta; beyond these bounds F is precision or recall for all one could see.

    >>> check_beta(0.5)
    0.25
    """
    if not SMALLEST_BETA <= beta <= LARGEST_BETA:
        raise UsageError(
            f"beta must lie between {SMALLEST_BETA} and {LARGEST_BETA:g}, not {beta}; "
            "look at precision (smaller) or recall (larger) instead"
        )
    return beta**2


def _as_beta(given: Any, flag: str) -> float:
    try:
        beta = float(given)
    except (TypeError, ValueError):
        raise UsageError(f"{flag} must be a number, not {given!r}") from None
    check_beta(beta)
    return beta


def _split_types(given: Sequence[str], _flag: str) -> tuple[str, ...] | None:
    """The types of a command line, which may be separated by commas as well."""
    return tuple(name for listed in given for name in listed.split(",") if name) or None


class MetricOptions(Options, group="metric"):
    """Everything about a metric that changes its number."""

    metric: Annotated[
        str,
        Opt(
            "m2 (MaxMatch), errant, gleu, or one that a package brings",
            "NAME",
            values=METRICS,
            open_values=True,
        ),
    ] = "m2"
    beta: Annotated[float, Opt("weight of recall against precision in F", "B", take=_as_beta)] = 0.5
    choice: Annotated[
        str,
        Opt(
            "which annotator counts in a sentence: running (official: best for the totals so far) "
            "or sentence",
            "RULE",
            values=RULES,
            noun="choice",
        ),
    ] = "running"
    max_unchanged_words: Annotated[
        int,
        Opt("how many unchanged words an edit may contain (m2)", "N", least=0),
    ] = 2
    ignore_case_whitespace: Annotated[
        bool, Opt("leave out hypothesis edits that change only case or white space (m2)")
    ] = False
    tokenize: bool = False  # its flag is one of those that say how hypotheses are read
    level: Annotated[
        str,
        Opt(
            "what must be equal (errant): correction, correction-type, span or token",
            "LEVEL",
            values=LEVELS,
            noun="level",
        ),
    ] = "correction"
    types: Annotated[
        Sequence[str] | None,
        Opt(
            "compare only edits of these types (errant), as R:NOUN, NOUN or R",
            "TYPE",
            many=True,
            take=as_words,
            read=_split_types,
        ),
    ] = None
    edit_size: Annotated[
        str,
        Opt(
            "compare only single-token or multi-token edits (errant): any, single or multi",
            "SIZE",
            values=SIZES,
            noun="size",
        ),
    ] = "any"
    expected_statistics: Annotated[
        bool,
        Opt("average statistics over references instead of drawing them: another number (gleu)"),
    ] = False

    def check(self) -> None:
        super().check()
        if self.metric not in METRICS:
            self._plugin()  # raises where no package offers it
        given = self.changed()
        for name, metrics in _BELONGS_TO.items():
            if name in given and self.metric not in metrics:
                flag = flag_of(name, type(self).notes().get(name, Opt("")))
                raise UsageError(
                    f"{flag} goes with --metric {' or '.join(metrics)}, not {self.metric}"
                )

    def signature(
        self, refs: int | str, extractor: str | None = None, gold: str | None = None
    ) -> str:
        """The line that lets a reader reproduce a number.

        `extractor` names what turned a plain-text hypothesis into typed edits (errant), `gold` what
        found the gold edits, where the gold is corrected texts.
        """
        tokens = "jurybox" if self.tokenize else None
        if self.metric not in METRICS:
            plugin = self._plugin()
            by = f"{plugin.package}-{plugin.version}"
            return signature(self.metric, refs=refs, by=by, tokenize=tokens)
        if self.metric == "gleu":
            drawn = "none" if str(refs).startswith("1of") or refs in (0, 1) else "500-draws"
            averaged = "expected-statistics" if self.expected_statistics else drawn
            return signature("gleu", refs=refs, sampling=averaged, order=4, tokenize=tokens)
        if self.metric == "errant":
            return signature(
                "errant",
                refs=refs,
                gold=gold,
                level=self.level,
                choice=self.choice,
                beta=self.beta,
                types=self.types or "all",
                size=self.edit_size,
                edits=extractor,
                tokenize=tokens,
            )
        return signature(
            "m2",
            refs=refs,
            gold=gold,
            choice=self.choice,
            beta=self.beta,
            unchanged=self.max_unchanged_words,
            case="ignored" if self.ignore_case_whitespace else "kept",
            tokenize=tokens,
        )

    def _plugin(self) -> Plugin:
        """The metric of another package."""
        from jurybox import plugins

        plugin = plugins.find("metric", self.metric, METRICS)
        if plugin is None:
            raise unknown_name("metric", self.metric, plugins.names("metric", METRICS))
        return plugin


def title_of_score(metric: str, beta: float) -> str:
    """What people call a metric's one number.

    >>> title_of_score("m2", 0.5), title_of_score("gleu", 0.5), title_of_score("exactmatch", 0.5)
    ('F0.5', 'GLEU', 'exactmatch')
    """
    return f"F{beta:g}" if metric in EDIT_METRICS else metric.replace("gleu", "GLEU")


#: options that mean nothing for other metrics; giving them there is a mistake worth naming
_BELONGS_TO = {
    "max_unchanged_words": ("m2",),
    "ignore_case_whitespace": ("m2",),
    "level": ("errant",),
    "types": ("errant",),
    "edit_size": ("errant",),
    "expected_statistics": ("gleu",),
    "choice": ("m2", "errant"),
    "beta": ("m2", "errant"),
}
