"""Random numbers: the one place that derives a stream from a seed.

A stream depends on the seed and on what it is drawn for: a fixed word, and numbers that the data
itself gives. It never depends on names of files, systems, annotators or raters, on their order, or
on who else is in the call. So renaming a file, naming systems in another order, or adding one
changes no digit. Systems that are compared share one stream, and are looked at on the same
resamples.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def stream(seed: int, purpose: str, *numbers: int) -> np.random.Generator:
    """The random numbers of a seed for one purpose.

    >>> first, again, other = stream(1, "bootstrap"), stream(1, "bootstrap"), stream(1, "exchange")
    >>> a, b, c = first.random(), again.random(), other.random()
    >>> a == b, a == c
    (True, False)
    """
    import numpy as np

    return np.random.default_rng([seed, crc32(purpose.encode()), *numbers])


def lots(seed: int, purpose: str, items: Iterable[str]) -> NDArray[np.float64]:
    """A number from 0 to below 1 for each item, whatever other items there are, in any order.

    Items are data, as the ids of cases: a tie of a case is settled the same way in every file that
    has the case.

    >>> lots(1, "ties", ["c1", "c2"])[1:].tolist() == lots(1, "ties", ["c2"]).tolist()
    True
    """
    from hashlib import blake2b

    import numpy as np

    head = blake2b(f"{seed}|{purpose}|".encode(), digest_size=8)
    drawn = []
    for item in items:
        own = head.copy()
        own.update(item.encode())
        drawn.append(int.from_bytes(own.digest(), "big") >> 11)
    return np.array(drawn, dtype=np.float64) / 2**53
