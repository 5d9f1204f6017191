"""Made judgments of any number, for benchmarks: ten on every case, in random order.

    python bench/made_judgments.py FOLDER [--judgments 10000000] [--name j] [--forms csv,parquet]
                                   [--shards 1]

writes FOLDER/NAME.csv and so on with the columns case, rater and label (error, ok, unknown), one
judgment in a hundred by a rater who had judged the case before, and FOLDER/d1.csv and d2.csv, what
two systems decide on all cases. With shards there is a folder NAME of part files for each form. The
same numbers give the same files.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

PER_CASE = 10
RATERS = 1000
LABELS = ("error", "ok", "unknown")
#: rows made and written at once: a row group of Parquet
ROWS = 1 << 20
FORMS = ("csv", "jsonl", "parquet")


def difficulty(cases: int, rng: np.random.Generator) -> np.ndarray:
    """How likely a rater calls each case an error; most cases are clear."""
    return rng.choice([0.05, 0.4, 0.9], cases, p=[0.7, 0.15, 0.15]) + rng.uniform(
        -0.04, 0.04, cases
    )


def make_judgments(judgments: int, seed: int = 1) -> Iterator[tuple[np.ndarray, ...]]:
    """Numbers of cases, raters and labels, `ROWS` judgments at a time."""
    cases = max(judgments // PER_CASE, 1)
    rng = np.random.default_rng(seed)
    likely = difficulty(cases, rng)
    order = rng.permutation(np.arange(judgments, dtype=np.uint32))
    for start in range(0, judgments, ROWS):
        turn, case = np.divmod(order[start : start + ROWS].astype(np.int64), cases)
        turn[rng.random(len(case)) < 0.01 * PER_CASE / (PER_CASE - 1)] = 0  # judged again
        says_error = rng.random(len(case)) < likely[case]
        label = np.where(rng.random(len(case)) < 0.03, 2, np.where(says_error, 0, 1))
        yield case, (case * 7 + turn * 131) % RATERS, label


def case_ids(numbers: np.ndarray, cases: int) -> Any:
    """Names of cases as an Arrow array: c0000000 and so on."""
    import pyarrow as pa

    width = max(len(str(cases)), 7)
    text = np.empty((len(numbers), width + 1), np.uint8)
    text[:, 0] = ord("c")
    for place in range(width, 0, -1):
        text[:, place] = ord("0") + numbers % 10
        numbers = numbers // 10
    ends = np.arange(0, text.size + 1, width + 1, dtype=np.int32)
    return pa.StringArray.from_buffers(len(text), pa.py_buffer(ends), pa.py_buffer(text.ravel()))


def write_judgments(
    folder: Path,
    name: str,
    judgments: int,
    *,
    forms: tuple[str, ...] = ("csv", "parquet"),
    shards: int = 1,
    seed: int = 1,
) -> None:
    """One file for each form, or a folder of `shards` files."""
    import pyarrow as pa

    raters = pa.array([f"W{number}" for number in range(RATERS)])
    outs = {form: _Shards(folder, name, form, shards) for form in forms}
    for number, (case, rater, label) in enumerate(make_judgments(judgments, seed)):
        table = pa.table(
            {
                "case": case_ids(case, judgments // PER_CASE),
                "rater": pa.DictionaryArray.from_arrays(
                    pa.array(rater), raters
                ).dictionary_decode(),
                "label": pa.array(LABELS).take(pa.array(label)),
            }
        )
        for out in outs.values():
            if shards == 1:
                out.write(0, table)
                continue
            step = -(-len(table) // shards)
            for shard in range(shards):  # every block is dealt to all of them
                out.write((shard + number) % shards, table.slice(shard * step, step))
    for out in outs.values():
        out.close()


class _Shards:
    """The files of one form."""

    def __init__(self, folder: Path, name: str, form: str, shards: int) -> None:
        self.form = form
        self.paths = [folder / f"{name}.{form}"]
        if shards > 1:
            inner = folder / f"{name}-{form}"
            inner.mkdir(parents=True, exist_ok=True)
            self.paths = [inner / f"part-{shard:05d}.{form}" for shard in range(shards)]
        self.writers: dict[int, Any] = {}

    def write(self, shard: int, table: Any) -> None:
        if not len(table):
            return
        import pyarrow.compute as pc
        from pyarrow import csv, parquet

        writer = self.writers.get(shard)
        if self.form == "jsonl":
            writer = writer or self.paths[shard].open("wb")
            parts = ['{"case": "', table["case"], '", "rater": "', table["rater"]]
            parts += ['", "label": "', table["label"], '"}\n', ""]
            for line in pc.binary_join_element_wise(*parts).chunks:
                writer.write(_characters(line))
        elif self.form == "csv":
            options = csv.WriteOptions(quoting_style="none", quoting_header="none")
            writer = writer or csv.CSVWriter(self.paths[shard], table.schema, write_options=options)
            writer.write_table(table)
        else:
            writer = writer or parquet.ParquetWriter(self.paths[shard], table.schema)
            writer.write_table(table)
        self.writers[shard] = writer

    def close(self) -> None:
        for writer in self.writers.values():
            writer.close()


def _characters(column: Any) -> Any:
    """All strings of an Arrow array behind one another."""
    ends = np.frombuffer(column.buffers()[1], np.int32)[column.offset :][: len(column) + 1]
    return column.buffers()[2][int(ends[0]) : int(ends[-1])]


def write_decisions(file: Path, cases: int, *, seed: int = 1, noise: float = 0.2) -> None:
    """A system that sees how difficult a case is, with some noise: case, label and score."""
    import pyarrow as pa
    from pyarrow import csv

    likely = difficulty(cases, np.random.default_rng(1))
    rng = np.random.default_rng(seed + 1)
    score = np.round(likely + rng.normal(0, noise, cases), 4)
    table = pa.table(
        {
            "case": case_ids(np.arange(cases), cases),
            "label": pa.array(LABELS).take(pa.array((score < 0.6).astype(np.int64))),
            "score": score,
        }
    )
    csv.write_csv(table, file, csv.WriteOptions(quoting_style="none", quoting_header="none"))


def main() -> None:
    """Write the files that the command line asks for."""
    parser = argparse.ArgumentParser(description="Write made judgments and decisions.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judgments", type=int, default=10_000_000)
    parser.add_argument("--name", default="j")
    parser.add_argument("--forms", default="csv,parquet", help=f"of {', '.join(FORMS)}")
    parser.add_argument("--shards", type=int, default=1)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    forms = tuple(given.forms.split(","))
    write_judgments(given.folder, given.name, given.judgments, forms=forms, shards=given.shards)
    for number, noise in enumerate((0.15, 0.25), 1):
        file = given.folder / f"d{number}.csv"
        write_decisions(file, given.judgments // PER_CASE, seed=number, noise=noise)


if __name__ == "__main__":
    main()
