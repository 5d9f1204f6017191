"""Random streams: by seed and purpose; lots: by seed, purpose and item."""

from __future__ import annotations

import numpy as np

from jurybox.streams import lots, stream


def test_a_stream_hangs_on_seed_purpose_and_numbers() -> None:
    first = {stream(*given).random() for given in ((1, "a"), (2, "a"), (1, "b"), (1, "a", 1))}
    assert len(first) == 4
    assert stream(1, "a").random() in first


def test_lots_are_even_and_hang_on_seed_and_purpose() -> None:
    items = [f"c{number}" for number in range(20_000)]
    drawn = lots(1, "ties", items)
    assert (drawn >= 0).all()
    assert (drawn < 1).all()
    counts = np.histogram(drawn, bins=10, range=(0, 1))[0]
    # 2,000 in each tenth, with a standard deviation of 42
    assert abs(counts - 2000).max() < 5 * 42
    for other in (lots(2, "ties", items), lots(1, "orders", items)):
        assert abs(np.corrcoef(drawn, other)[0, 1]) < 0.03


def test_an_item_has_its_lot_wherever_it_stands() -> None:
    assert lots(1, "ties", ["a", "b"]).tolist() == lots(1, "ties", ["b", "a"]).tolist()[::-1]
