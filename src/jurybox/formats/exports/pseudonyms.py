"""Other names for raters: worker ids and addresses are about people."""

from __future__ import annotations

import hmac
from collections.abc import Iterable


class Pseudonyms(dict[str, str]):
    """Stable names: R1, R2 … in order of first appearance, or with a key from a keyed hash.

    The hash gives a rater the same name in every file that is written with the same key, and nobody
    without the key can find out whose it is.

    >>> names = Pseudonyms()
    >>> names["A2XY"], names["A7QQ"], names["A2XY"]
    ('R1', 'R2', 'R1')
    >>> Pseudonyms("secret")["A2XY"] == Pseudonyms("secret")["A2XY"] != Pseudonyms("other")["A2XY"]
    True
    """

    def __init__(self, key: str = "") -> None:
        super().__init__()
        self._key = key.encode()

    def __missing__(self, rater: str) -> str:
        if not rater:
            return ""
        if self._key:
            digest = hmac.new(self._key, rater.encode(), "sha256").hexdigest()
            found = f"R{digest[:12]}"
        else:
            found = f"R{len(self) + 1}"
        self[rater] = found
        return found


def pseudonymise(raters: Iterable[str], key: str = "") -> dict[str, str]:
    """Rater -> the name that stands for them.

    >>> pseudonymise(["A2XY", "A7QQ", "A2XY"])
    {'A2XY': 'R1', 'A7QQ': 'R2'}
    """
    names = Pseudonyms(key)
    return {rater: names[rater] for rater in raters}
