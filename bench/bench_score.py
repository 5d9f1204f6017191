"""Scoring CAMB (1,312 sentences, two annotators), imports included, against the yardstick.

Promise: no more than one yardstick, in processor time. Also printed: `jurybox --help`, which must
stay under 0.3 s.

    python bench/bench_score.py
"""

from __future__ import annotations

from measuring import CAMB, GOLD, camb_pairs, jurybox, need_data, yardstick

ROUNDS = 7


def main() -> None:
    """Best of several rounds, taken in turns so that both see the same weather."""
    need_data()
    pairs = camb_pairs()
    scored, measured, helped = [], [], []
    for _ in range(ROUNDS):
        measured.append(yardstick(pairs))
        scored.append(jurybox("score", CAMB, "--gold", GOLD).processor)
        helped.append(jurybox("--help").processor)
    print(f"yardstick           {min(measured):6.3f} s")
    ratio = min(scored) / min(measured)
    print(f"jurybox score CAMB  {min(scored):6.3f} s  {ratio:5.2f} yardsticks (promise: 1)")
    print(f"jurybox --help      {min(helped):6.3f} s  (promise: 0.3 s on an idle machine)")


if __name__ == "__main__":
    main()
