"""Judgments dealt by their cases: the JSON of evaluate in memory, whatever the files and parts."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jurybox as jb
from dask_cluster import dask_cluster
from jurybox.counting import dealt_judgments
from jurybox.engine import processes
from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats.tables import table_parts

Row = tuple[str, str, str]
cases = st.sampled_from([f"c{number}" for number in range(12)] + ["größe", "a b"])
raters = st.sampled_from(["Ann", "Bob", "Cem", "Dee"])
labels = st.sampled_from(["error", "ok", "ok", "unknown"])
shards = st.lists(st.lists(st.tuples(cases, raters, labels), max_size=12), min_size=1, max_size=7)


def write(path: Path, titles: str, rows: Iterable[Iterable[str]]) -> Path:
    lines = [titles, *(",".join(row) for row in rows)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def json_of(*given_files: Any, **options: Any) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = jb.evaluate(None, *given_files, **options).to_dict()
        except InputError as error:  # nothing to measure: both ways must say so
            return {"error": str(error).rpartition(": ")[2]}
    for name in ("inputs", "warnings"):
        found.pop(name)
    return found


def in_any_order(draw: Callable[[list[int]], list[int]]) -> Any:
    """A map that does the work in some order, and gives the results in the right one."""

    def map_batches(function: Callable[[Any], Any], work: Iterable[Any], **_: Any) -> Iterator[Any]:
        todo = list(work)
        done = {place: function(todo[place]) for place in draw(list(range(len(todo))))}
        return iter([done[place] for place in range(len(todo))])

    return map_batches


@given(shards, st.data())
@settings(max_examples=15)
def test_files_and_parts_change_no_digit(
    tmp_path_factory: pytest.TempPathFactory, given_shards: list[list[Row]], data: st.DataObject
) -> None:
    """Repeats across files, empty and skewed ones, parts of a few lines, done in any order."""
    given_shards = [shard for shard in given_shards if shard] or [[("c1", "Ann", "ok")]]
    folder = tmp_path_factory.mktemp("judgments")
    rows = [row for shard in given_shards for row in shard]
    if not any(label != "unknown" for _, _, label in rows):
        rows.append(("c1", "Zoe", "error"))
        given_shards[-1].append(rows[-1])
    whole = write(folder / "all.csv", "case,rater,label", rows)
    files = [
        write(folder / f"{number}.csv", "case,rater,label", shard)
        for number, shard in enumerate(given_shards)
    ]
    met = list(dict.fromkeys(case for case, _, _ in rows))
    systems = {}
    for name in ("one", "two"):
        decided = data.draw(st.lists(st.sampled_from(met), min_size=1, unique=True))
        chosen = [(case, data.draw(st.sampled_from(["error", "ok"]))) for case in decided]
        systems[name] = write(folder / f"{name}.csv", "case,label", chosen)
    options: dict[str, Any] = {
        "missing": data.draw(st.sampled_from(["skip", "ok", "error"])),
        "ties": data.draw(st.sampled_from(["ok", "error", "drop"])),
        "ci": data.draw(st.booleans()),
        "resamples": 5,
    }
    expected = json_of(whole, systems, **options)
    work = in_any_order(lambda places: data.draw(st.permutations(places)))
    with (
        mock.patch.object(table_parts, "PART", data.draw(st.integers(20, 200))),
        mock.patch.object(dealt_judgments, "GROUPS", data.draw(st.sampled_from([1, 3]))),
        mock.patch("jurybox.formats._io.BLOCK", 16),
        mock.patch("jurybox.engine.map_batches", work),
    ):
        assert json_of(files, systems, engine="local:1", **options) == expected
        assert json_of(whole, systems, engine="local:2", **options) == expected


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven files of judgments, one of them empty but for a header's worth of rows."""
    import numpy as np

    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("many")
    rows = [
        (f"c{case}", f"r{rater}", ("error", "ok", "unknown")[label])
        for case, rater, label in zip(
            rng.integers(0, 2000, 30_000),
            rng.integers(0, 40, 30_000),
            rng.choice(3, 30_000, p=[0.3, 0.6, 0.1]),
            strict=True,
        )
    ]
    edges = [0, 1, 100, 9_000, 9_001, 20_000, 29_000, 30_000]
    for number in range(7):
        part = rows[edges[number] : edges[number + 1]]
        write(path / f"part{number}.csv", "case,rater,label", part)
    write(path / "all.csv", "case,rater,label", rows)
    decided = [(f"c{case}", "error" if case % 3 else "ok") for case in range(2000)]
    write(path / "mine.csv", "case,label", decided)
    return path


def test_a_lost_row_would_be_seen(folder: Path) -> None:
    """The same notes and inputs, too: nothing is said otherwise than in memory."""
    systems = {"mine": folder / "mine.csv"}
    with pytest.warns(jb.JuryboxWarning) as here:
        local = jb.evaluate(None, folder / "all.csv", systems, ci=True)
    with pytest.warns(jb.JuryboxWarning) as there:
        dealt = jb.evaluate(None, folder / "all.csv", systems, ci=True, engine="local:2")
    assert dealt.to_dict() == local.to_dict()
    assert [str(one.message) for one in there] == [str(one.message) for one in here]


@pytest.mark.slow
def test_a_cluster_gives_the_same_digits_when_workers_are_killed(folder: Path) -> None:
    files, systems = sorted(folder.glob("part*.csv")), {"mine": folder / "mine.csv"}
    expected = json_of(folder / "all.csv", systems, ci=True)
    with dask_cluster(1) as cluster:
        assert json_of(files, systems, ci=True, engine=cluster.address) == expected
    with dask_cluster(3) as cluster:
        share = dealt_judgments._share
        killed: list[int] = []

        def kill_and_share(notes: Any) -> Any:
            if not killed:  # all parts are dealt: whoever dies now takes some along
                for worker in cluster.workers[:2]:
                    worker.kill()
                    killed.append(worker.wait())
            return share(notes)

        with mock.patch.object(dealt_judgments, "_share", kill_and_share):
            assert json_of(files, systems, ci=True, engine=cluster.address) == expected
        assert killed == [-9, -9]


def test_what_is_wrong_is_said_of_its_file_and_line(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "part2.csv").read_text("utf-8").splitlines()
    lines[7000] = "c7,r7,perhaps"
    bad = tmp_path / "bad.csv"
    bad.write_text("\n".join(lines) + "\n", "utf-8")
    files = [folder / "part1.csv", bad]
    with (
        mock.patch.object(table_parts, "PART", 10_000),
        mock.patch("jurybox.formats._io.BLOCK", 4096),
        pytest.raises(FormatError, match=r"bad\.csv:7001, column 3 \(label\): label 'perhaps'"),
    ):
        jb.evaluate(None, files, {"mine": folder / "mine.csv"}, engine="local:2")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [("c1", "ok"), ("c2", "ok"), ("c1", "ok")],
            r"two\.csv:4: case 'c1' is decided before, in",
        ),
        ([("c1", "ok"), ("nobody", "ok")], r"two\.csv:3: there is no case 'nobody' among those"),
    ],
)
def test_wrong_decisions_are_named(
    rows: list[tuple[str, str]], message: str, tmp_path: Path
) -> None:
    judgments = write(
        tmp_path / "j.csv", "case,rater,label", [("c1", "Ann", "ok"), ("c2", "Ann", "ok")]
    )
    decisions = write(tmp_path / "two.csv", "case,label", rows)
    with pytest.raises(FormatError, match=message):
        jb.evaluate(None, judgments, {"two": decisions}, engine="local:1")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"stability": True}, "--stability"),
        ({"judges": 3}, "--judges"),
        ({"ties": "random"}, "--ties random"),
        ({"ci": True, "ci_unit": "rater"}, "--ci-unit rater"),
    ],
)
def test_what_needs_the_cases_is_refused(folder: Path, options: dict[str, Any], what: str) -> None:
    systems = {"mine": folder / "mine.csv"}
    with pytest.raises(UsageError, match=f"leave out {what}, or leave out --engine"):
        jb.evaluate(None, folder / "part1.csv", systems, engine="local:1", **options)


def test_a_column_of_corrections_is_refused(folder: Path, tmp_path: Path) -> None:
    rows = [("c1", "Ann", "error", "at")]
    judgments = write(tmp_path / "j.csv", "case,rater,label,correction", rows)
    with pytest.raises(UsageError, match=r"leave out the column correction of .*j\.csv"):
        jb.evaluate(None, judgments, {"mine": folder / "mine.csv"}, engine="local:1")


def test_nothing_is_left_in_the_temporary_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    seen: list[str] = []
    gather = processes._gather_spilled

    def look(*given_values: Any) -> Any:
        seen.extend(path.name for path in tmp_path.iterdir())
        return gather(*given_values)

    with mock.patch.object(processes, "_gather_spilled", look):
        json_of(
            folder / "part2.csv",
            {"mine": folder / "mine.csv"},
            engine="local:1",
            other_cases="skip",
        )
    assert seen
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_memory_is_bounded(tmp_path: Path) -> None:
    """Three million judgments of a million cases in a process that may take little."""
    import numpy as np

    rng = np.random.default_rng(1)
    path = tmp_path / "many.csv"
    with path.open("w") as out:
        out.write("case,rater,label\n")
        for _ in range(30):
            case, rater = rng.integers(0, 10**6, 10**5), rng.integers(0, 200, 10**5)
            label = rng.choice(["error", "ok"], 10**5)
            out.writelines(
                f"a-rather-long-name-of-a-case-{c},r{r},{x}\n"
                for c, r, x in zip(case.tolist(), rater.tolist(), label.tolist(), strict=True)
            )
    write(tmp_path / "mine.csv", "case,label", [("a-rather-long-name-of-a-case-1", "ok")])
    program = (
        "import sys, resource, jurybox as jb\n"
        "import numpy, pandas, pyarrow.csv, jurybox.jury.evaluate.evaluation\n"
        "from jurybox.formats.tables import table_parts\n"
        "table_parts.PART = 1 << 22\n"
        "status = open('/proc/self/status').read().split()\n"
        "used = int(status[status.index('VmData:') + 1]) << 10  # by what is imported\n"
        "limit = used + (int(sys.argv[1]) << 20)\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))\n"
        "given = {'engine': 'local:1'} if sys.argv[2] == 'dealt' else {}\n"
        f"result = jb.evaluate(None, {str(path)!r}, {{'m': {str(tmp_path / 'mine.csv')!r}}}, "
        "other_cases='skip', **given)\n"
        "print(result.judges.judgments)\n"
    )

    def run(how: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "ignore", "-c", program, "200", how]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    dealt = run("dealt")
    assert dealt.returncode == 0, dealt.stderr[-500:]
    assert int(dealt.stdout) > 2_900_000
    assert run("in memory").returncode != 0, "the limit is no limit: cases in memory fit too"
