"""What a number depends on, in one line.

Like sacreBLEU's (Post 2018): a reader who has the files and the signature gets the same number.
"""

from __future__ import annotations

from jurybox._version import __version__


def signature(metric: str, **fields: object) -> str:
    """The metric, every option that changes the number in a fixed order, and the version.

    Fields that are None are left out.

    >>> signature("m2", refs=2, choice="running", beta=0.5)  # doctest: +ELLIPSIS
    'jurybox m2|refs:2|choice:running|beta:0.5|v:...'
    """
    parts = [f"{name}:{_show(value)}" for name, value in fields.items() if value is not None]
    return "|".join([f"jurybox {metric}", *parts, f"v:{__version__}"])


def signed_text(text: str) -> str:
    """A user's words as a signature can hold them: its parts are set apart by bars."""
    return text.replace("|", "/")


def _show(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, (list, tuple)):
        return "+".join(map(str, value))
    return str(value)
