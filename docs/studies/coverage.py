"""Do intervals hold what they promise? Every interval the tool prints, tried in simulations.

    python docs/studies/coverage.py --simulate    measures anew: over two hours of one core
    python docs/studies/coverage.py --simulate pairs shares    these parts only
    python docs/studies/coverage.py               writes tables from what was measured
    python docs/studies/coverage.py --check       writes nothing; tries some cells again, shorter

What was measured stands in coverage.csv beside the page, a row for each cell.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from io import StringIO
from math import inf, isnan, sqrt
from pathlib import Path
from unittest.mock import patch

import numpy as np
from coverage_agreement import PARTS as AGREEMENT
from coverage_agreement import cover_crowd, made_crowds
from coverage_rows import EXACT, LEAST, MOST, REASONS, CoverageRow, explain
from coverage_scores import COMMANDS, all_rows
from sampled_designs import DESIGNS, try_design
from studying import HERE, Findings, Study, carry_out, find_data, parser_of

from jurybox.raters import intervals as raters_intervals
from jurybox.sample.estimate.detection_intervals import MEASURES
from jurybox.sample.options import ABOUT
from jurybox.stats.intervals import t_quantiles
from jurybox.tables import Column, Table

ROWS = HERE / "coverage.csv"
SIMULATIONS, SAMPLE_DRAWS = 2000, 4000
#: ends of the names of intervals that others make, to compare with
USUAL = ("± 1.96 SE", "percentiles")
#: parts that take longest
LONGEST = ("running", "compare-running", "essays", "raters", "made-crowds")
#: simulations of a cell that is tried again by --check, and how far it may be off
AGAIN, STANDARD_ERRORS = 300, 4.5
#: titles of the page's tables, and the beginnings of the intervals' names they hold
SECTIONS = {
    "score": ("score",),
    "ceiling": ("ceiling",),
    "compare": ("compare difference",),
    "null": ("compare p",),
    "evaluate": ("evaluate",),
    "agree": ("agree",),
    "metaeval": ("metaeval",),
    "sample": ("sample",),
}


# --- what is measured ---


def measure(data: Path, names: Sequence[str], jobs: int | None = None) -> None:
    """Every cell of some parts, on so many cores; each part is saved as soon as it is done."""
    with ProcessPoolExecutor(jobs) as pool:
        # the longest first, so that none of them is waited for alone
        order = sorted(names, key=lambda name: name not in LONGEST)
        waiting = {pool.submit(measure_part, name, data): name for name in order}
        for part in as_completed(waiting):
            kept = {**read_parts(), waiting[part]: part.result()}
            ROWS.write_text(as_csv({name: kept.get(name, []) for name in PARTS}), encoding="utf-8")
            print(f"{waiting[part]}: {len(part.result())} rows", file=sys.stderr, flush=True)


def _scores_of(command: str, data: Path) -> Iterator[CoverageRow]:
    return all_rows(data, SIMULATIONS, [command])


def _agreement_of(part: str, data: Path) -> Iterator[CoverageRow]:
    return AGREEMENT[part](data, SIMULATIONS)


def measure_part(name: str, data: Path) -> list[CoverageRow]:
    return list(PARTS[name](data))


def sample_rows(draws: int) -> Iterator[CoverageRow]:
    """The recommended intervals of `sample estimate`, about both questions."""
    for number, design in enumerate(DESIGNS):
        for about in ABOUT:
            if about == "corpus" and all(part.judged >= design.cases for part in design.parts):
                continue
            held = try_design(design, about, draws, np.random.default_rng([2014, number]))
            judged = sum(min(part.judged, design.cases) for part in design.parts)
            for name in MEASURES:
                found = held[name]["recommended"]
                if found.width > 1e-9:
                    yield CoverageRow(
                        f"sample {name.replace('_', ' ')}, about this {about}",
                        design.name,
                        "case",
                        judged,
                        draws,
                        found.coverage,
                        found.width,
                        0.0,
                        EXACT if found.method == "exact" else "",
                        found.narrower,
                    )


PARTS: dict[str, Callable[[Path], Iterator[CoverageRow]]] = {
    **{name: partial(_scores_of, name) for name in COMMANDS},
    **{name: partial(_agreement_of, name) for name in AGREEMENT},
    "sample": lambda _: sample_rows(SAMPLE_DRAWS),
}


# --- what is kept ---


def as_csv(parts: Mapping[str, Sequence[CoverageRow]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("part", *CoverageRow._fields))
    for part, rows in parts.items():
        for row in rows:
            known = {"coverage": row.coverage, "width": row.width, "narrower": row.narrower}
            text_of = {name: "" if isnan(one) else f"{one:.4f}" for name, one in known.items()}
            cells = {**row._asdict(), **text_of, "warned": f"{row.warned:g}"}
            writer.writerow((part, *cells.values()))
    return text.getvalue()


def read_parts() -> dict[str, list[CoverageRow]]:
    """What was measured, part by part."""
    parts: dict[str, list[CoverageRow]] = {}
    with ROWS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cells = CoverageRow(
                row["interval"],
                row["data"],
                row["unit"],
                int(row["n"]),
                int(row["simulations"]),
                float(row["coverage"]),
                float(row["width"] or "nan"),
                float(row["warned"]),
                row["note"],
                float(row["narrower"] or "nan"),
            )
            parts.setdefault(row["part"], []).append(cells)
    return parts


def read_rows() -> list[CoverageRow]:
    return [row for rows in read_parts().values() for row in rows]


# --- what the page shows ---


def find(_: Path) -> Findings:
    found = Findings()
    rows = read_rows()
    for name, beginnings in SECTIONS.items():
        own = [row for row in rows if row.interval.startswith(beginnings)]
        found.table(name, table_of(own, rejected=name == "null"), "text")
    found.table("summary", summary(rows), "markdown")
    plain = without_caution(intervals(rows))
    below = [row for row in plain if row.coverage < LEAST]
    above = [row for row in plain if row.coverage > MOST]
    why = {name: [row for row in above if explain(row, rows) == name] for name in REASONS}
    listed = [*below, *(row for name in REASONS for row in why[name])]
    found.table("outside", table_of(listed, rejected=False), "text")
    found.says(f"{len(plain)} cells without a caution")
    found.says(f"{len(below)} of them below 93 %")
    found.says(f"{len(above)} above 97 %")
    found.says(f"two standard errors of the simulation: {len(why['chance'])}")
    found.says(f"possible outcomes for a narrower interval: {len(why['few outcomes'])}")
    found.says(f"exact: {len(why['exact'])}")
    found.says(f"missed at one end only: {len(why['one end'])}")
    found.says(f"a selection: {len(why['selection'])}")
    found.says(f"none of these: {len(why['none'])}")
    highest = max((row.coverage for row in why["none"]), default=MOST)
    found.says(f"holds in {100 * highest:.1f} %")
    nulls = [1 - row.coverage for row in rows if row.interval.startswith(SECTIONS["null"])]
    found.says(f"p is .05 or smaller in {min(nulls):.3f} to {max(nulls):.3f} of the data sets")
    fewer = [row for row in plain if row.simulations < SIMULATIONS and not has_more(row, rows)]
    found.says(f"{len(fewer)} cells without a caution have fewer than 2,000 simulations")
    found.quotes("95 %", "93 %", "97 %", ".065 may be .05 or smaller", "fewer than .035")
    found.quotes("93 to 97 %", "2.5 % beyond each end", "97.5 % is what", "labels are rare (99 %)")
    found.quotes("grades of 30 cases", "2,000 simulations", "10,000 simulations", "100 data sets")
    found.quotes("300 resamples", "199 exchanges", "AC1 of 30 cases")
    found.says(f"would still hold in {100 * ac1_with_normal_quantile():.1f} %")
    found.quotes("(5,000 simulations)", "held in 93.4 %", "again 1 was above 97 %")
    found.quotes("Fleiss' kappa of 30 cases by five raters, 97.5 %")
    return found


def ac1_with_normal_quantile() -> float:
    """How often AC1 of five raters who seldom say "error" holds with the smallest quantile."""
    crowd = next(one for one in made_crowds() if one.name == "5 raters, 0.05 errors, kappa 0.4")
    with patch.object(raters_intervals, "t_quantiles", lambda level, _: t_quantiles(level, inf)):
        rows = cover_crowd(crowd, 30, 10_000)
        return next(row.coverage for row in rows if row.interval == "agree ac1")


def has_more(row: CoverageRow, rows: Sequence[CoverageRow]) -> bool:
    """Whether the simulations of a cell are 2,000 or more with those that the row leaves out:

    data sets that got a caution, or have no interval (fewer than 5 %).
    """
    total = sum(other.simulations for other in rows if other[:4] == row[:4])
    return total >= 0.95 * SIMULATIONS


def without_caution(rows: Sequence[CoverageRow]) -> list[CoverageRow]:
    """Cells in which most data sets get no caution: the rows of these data sets.

    Where most get one, the others are a selection: they look better than they are.
    """
    cautioned = {row[:4]: row.simulations for row in rows if row.warned}
    return [row for row in rows if not row.warned and row.simulations > cautioned.get(row[:4], 0)]


def intervals(rows: Sequence[CoverageRow]) -> list[CoverageRow]:
    """Rows of the tool's own intervals: no p-values, and none of the usual ones beside them."""
    return [
        row
        for row in rows
        if not row.interval.startswith(SECTIONS["null"]) and not row.interval.endswith(USUAL)
    ]


def table_of(rows: Sequence[CoverageRow], *, rejected: bool) -> Table:
    """All cells of a command; p-values under a true null hypothesis as shares rejected."""
    share = "p ≤ .05" if rejected else "coverage"
    columns = (
        *(Column(title, text=True) for title in ("interval", "data", "unit")),
        *(Column("n"), Column("simulations")),
        *(Column(share, digits=3), Column("± error", digits=3), Column("width", digits=3)),
        Column("narrower", digits=3),
        *(Column("caution", text=True), Column("note", text=True)),
    )
    cells = [
        (
            row.interval,
            row.data,
            row.unit,
            row.n,
            row.simulations,
            1 - row.coverage if rejected else row.coverage,
            sqrt(row.coverage * (1 - row.coverage) / row.simulations),
            None if isnan(row.width) or rejected else row.width,
            None if isnan(row.narrower) or rejected else row.narrower,
            "yes" if row.warned else "",
            row.note,
        )
        for row in rows
    ]
    return Table(columns, tuple(cells))


def summary(rows: Sequence[CoverageRow]) -> Table:
    """Per command and unit: the lowest and highest coverage, without and with a caution."""
    columns = (
        *(Column(title, text=True) for title in ("intervals of", "over")),
        *(Column("cells"), Column("lowest", digits=3), Column("highest", digits=3)),
        *(Column("with a caution"), Column("lowest", digits=3), Column("highest", digits=3)),
    )
    groups: dict[tuple[str, str], list[CoverageRow]] = {}
    for row in intervals(rows):
        groups.setdefault((row.interval.split()[0], row.unit), []).append(row)
    cells = []
    for (command, unit), own in groups.items():
        line: list[object] = [f"`{command}`", f"{unit}s"]
        plain = without_caution(own)
        for part in (plain, [row for row in own if row not in plain]):
            held = [row.coverage for row in part]
            line += [len(held), min(held, default=None), max(held, default=None)]
        cells.append(tuple(line))
    return Table(columns, tuple(cells))  # type: ignore[arg-type]  # cells are text and numbers


# --- the command ---


def try_again(data: Path) -> Iterator[str]:
    """Some cells of every family, measured again; those that are further off than chance."""
    known = {(row.interval, row.data, row.unit, row.n, row.warned): row for row in read_rows()}
    again = [*all_rows(data, AGAIN // 3, ["compare"]), *AGREEMENT["made-pairs"](data, AGAIN)]
    again += sample_rows(AGAIN)
    for row in again:
        before = known.get((row.interval, row.data, row.unit, row.n, row.warned))
        if before is None or row.simulations < 50:
            continue
        p = before.coverage
        error = sqrt(max(p * (1 - p), 0.01) * (1 / row.simulations + 1 / before.simulations))
        if abs(row.coverage - p) > STANDARD_ERRORS * error:
            yield f"{row.interval}, {row.data}, n {row.n}: {row.coverage:.3f}, the page {p:.3f}"


STUDY = Study("coverage", ("conll14-10", "systems", "gug"), find)


def main() -> None:
    parser = parser_of(STUDY, __doc__)
    parser.add_argument(
        "--simulate",
        nargs="*",
        metavar="PART",
        help=f"measure anew, all (over two hours of one core) or some of: {', '.join(PARTS)}",
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="parts measured at the same time; default: all cores"
    )
    options = parser.parse_args()
    if options.simulate is not None:
        if unknown := set(options.simulate) - set(PARTS):
            sys.exit(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
        measure(find_data(options.data), options.simulate or tuple(PARTS), options.jobs)
    carry_out(STUDY, options)
    if options.check and (wrong := list(try_again(find_data(options.data)))):
        sys.exit("\n".join(["measured again, these differ:", *wrong]))


if __name__ == "__main__":
    main()
