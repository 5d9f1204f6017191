"""The options that change a number, checked once, and the signature they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jurybox.edits.choice import RULES, check_beta
from jurybox.errors import UsageError, unknown_name
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.plugins import Plugin

METRICS = ("m2", "errant", "gleu")
#: those that count edits and have precision, recall and F; all others have one score
EDIT_METRICS = ("m2", "errant")
LEVELS = ("correction", "correction-type", "span", "token")
SIZES = ("any", "single", "multi")


@dataclass(frozen=True)
class Options:
    """Everything about a metric that changes its number."""

    metric: str = "m2"
    beta: float = 0.5
    choice: str = "running"
    max_unchanged_words: int = 2
    ignore_case_whitespace: bool = False
    tokenize: bool = False
    level: str = "correction"
    types: tuple[str, ...] | None = None  # may be given as one name or any sequence of them
    size: str = "any"
    expected_statistics: bool = False

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "beta", float(self.beta))
        except (TypeError, ValueError):
            raise UsageError(f"--beta must be a number, not {self.beta!r}") from None
        if self.types is not None:
            listed = (self.types,) if isinstance(self.types, str) else tuple(self.types)
            object.__setattr__(self, "types", listed)
        for kind, value, known in (
            ("level", self.level, LEVELS),
            ("choice", self.choice, RULES),
            ("size", self.size, SIZES),
        ):
            if value not in known:
                raise unknown_name(kind, value, known)
        if self.metric not in METRICS:
            self._plugin()  # raises where no package offers it
        check_beta(self.beta)
        if self.max_unchanged_words < 0:
            raise UsageError(
                f"--max-unchanged-words must be 0 or more, not {self.max_unchanged_words}"
            )
        defaults = {name: field.default for name, field in self.__dataclass_fields__.items()}
        for name, metric in _BELONGS_TO.items():
            if self.metric not in metric and getattr(self, name) != defaults[name]:
                option = name.replace("_", "-")
                raise UsageError(
                    f"--{option} goes with --metric {' or '.join(metric)}, not {self.metric}"
                )

    def signature(self, refs: int | str, extractor: str | None = None) -> str:
        """The line that lets a reader reproduce a number.

        `extractor` names what turned a plain-text hypothesis into typed edits (errant).
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
                level=self.level,
                choice=self.choice,
                beta=self.beta,
                types=self.types or "all",
                size=self.size,
                edits=extractor,
                tokenize=tokens,
            )
        return signature(
            "m2",
            refs=refs,
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return dict(vars(self))


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
    "size": ("errant",),
    "expected_statistics": ("gleu",),
    "choice": ("m2", "errant"),
    "beta": ("m2", "errant"),
}
