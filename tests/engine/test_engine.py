"""The same map over shards everywhere: in this process, in two others, on a Dask cluster."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from work import complain, deal, die_once, double, gather, slowly, total_of

from dask_cluster import DaskCluster, dask_cluster
from jurybox.engine import Jobs, jobs_of, map_batches, read_engine, shuffle
from jurybox.errors import EngineError, FormatError, JuryboxWarning, MissingExtraError, UsageError
from jurybox.shared_options import Jobs as JobsOptions


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskCluster]:
    with dask_cluster() as started:
        yield started


@pytest.fixture(params=[1, 2, pytest.param("dask", marks=pytest.mark.slow)])
def jobs(request: pytest.FixtureRequest) -> Jobs:
    if request.param == "dask":
        return str(request.getfixturevalue("cluster").address)
    return int(request.param)


def test_results_come_in_the_order_of_the_batches(jobs: Jobs) -> None:
    batches = [[number, number + 1] for number in range(50)]
    assert list(map_batches(double, batches, jobs=jobs)) == [double(b) for b in batches]


def test_no_batches_give_no_results(jobs: Jobs) -> None:
    assert list(map_batches(double, [], jobs=jobs)) == []


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_an_error_comes_back_with_its_file_and_line(jobs: Jobs) -> None:
    results = map_batches(complain, [[1], [2], [3], [4]], jobs=jobs)
    with pytest.warns(JuryboxWarning, match="1 numbers"):
        assert [next(results), next(results)] == [[1], [2]]
    with pytest.raises(FormatError) as caught:
        next(results)
    assert str(caught.value) == "numbers.txt:17: three is not wanted"
    assert (caught.value.path, caught.value.line) == ("numbers.txt", 17)


def test_warnings_come_back_with_the_results(jobs: Jobs) -> None:
    with pytest.warns(JuryboxWarning) as caught:
        assert list(map_batches(complain, [[1, 2], [4]], jobs=jobs)) == [[1, 2], [4]]
    assert [str(one.message) for one in caught] == ["2 numbers", "1 numbers"]


def test_dealt_parts_are_gathered_in_the_order_of_shards(jobs: Jobs) -> None:
    shards = [[5, 3, 1, 4], [], [9, 2, 7], [6], [8, 0]]
    ticks: list[int] = []
    found = list(shuffle(deal, shards, total_of, gather, 3, jobs=jobs, dealt=ticks.append))
    assert found == [(10, 0, [3, 9, 6, 0]), (10, 1, [1, 4, 7]), (10, 2, [5, 2, 8])]
    assert ticks == [4, 0, 3, 1, 2]


@given(st.lists(st.lists(st.integers(0, 99), max_size=9), max_size=7), st.integers(1, 2))
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_dealing_loses_and_reorders_nothing(shards: list[list[int]], jobs: int) -> None:
    found = list(shuffle(deal, shards, total_of, gather, 3, jobs=jobs))
    whole = [one for shard in shards for one in shard]
    groups = [[one for one in whole if one % 3 == rest] for rest in range(3)]
    assert found == [(len(whole), rest, group) for rest, group in enumerate(groups)]


def test_a_killed_process_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "5-once").touch()
    batches = [(tmp_path, number) for number in range(20)]
    with pytest.raises(EngineError, match=r"a worker process ended .* nothing was written"):
        list(map_batches(die_once, batches, jobs=2))


@pytest.mark.slow
def test_a_killed_worker_of_a_cluster_changes_nothing(tmp_path: Path) -> None:
    with dask_cluster(3) as cluster:
        for order in ("5-once", "12-again"):
            (tmp_path / order).touch()
        batches = [(tmp_path, number) for number in range(40)]
        found = list(map_batches(die_once, batches, jobs=cluster.address))
        assert found == [2 * number for number in range(40)]
        ended = [worker.poll() for worker in cluster.workers]
        assert ended.count(-9) == 2, "two workers were to be killed"


@pytest.mark.slow
def test_a_scheduler_that_goes_away_is_a_clear_error() -> None:
    with dask_cluster() as cluster:
        results = map_batches(slowly, range(200), jobs=cluster.address)
        assert next(results) == 0
        cluster.scheduler.kill()
        begun = time.monotonic()
        with pytest.raises(EngineError, match=r"went away .* nothing was written"):
            list(results)
        assert time.monotonic() - begun < 60


@pytest.mark.slow
def test_whoever_stops_early_leaves_no_task_behind(cluster: DaskCluster) -> None:
    import distributed

    open_client: Any = distributed.Client
    results = map_batches(slowly, range(1000), jobs=cluster.address)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]  # it is a generator
    with open_client(cluster.address.replace("dask", "tcp"), set_as_default=False) as client:
        deadline = time.monotonic() + 20
        while any(client.processing().values()):
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.mark.slow
def test_nobody_at_the_address_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from jurybox.engine import cluster as module

    monkeypatch.setattr(module, "PATIENCE", 1)
    with pytest.raises(EngineError, match="no Dask scheduler answers at dask://127"):
        list(map_batches(double, [[1]], jobs="dask://127.0.0.1:9"))
    with (
        dask_cluster(0) as started,
        pytest.raises(EngineError, match="has no worker; start one with: dask worker 127"),
    ):
        list(map_batches(double, [[1]], jobs=started.address))


def test_without_dask_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jurybox\[dask\]'"):
        list(map_batches(double, [[1]], jobs="dask://localhost:8786"))


@pytest.mark.parametrize(
    "name", ["", "spark", "local:", "local:0", "local:two", "dask://", "dask://host", "tcp://h:1"]
)
def test_other_names_of_engines_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"local:N .* or dask://HOST:PORT"):
        read_engine(name)


@pytest.mark.parametrize(
    ("given_options", "where"),
    [
        ({}, 1),
        ({"jobs": 3}, 3),
        ({"engine": "local:3"}, 3),
        ({"engine": "local:3", "jobs": 3}, 3),
        ({"engine": "dask://h:8786"}, "dask://h:8786"),
    ],
)
def test_jobs_are_short_for_an_engine(given_options: dict[str, Any], where: Jobs) -> None:
    assert jobs_of(JobsOptions(**given_options)) == where


def test_two_places_are_one_too_many() -> None:
    with pytest.raises(UsageError, match="--engine local:2 and --jobs 3: leave out one"):
        jobs_of(JobsOptions(engine="local:2", jobs=3))


def test_scoring_loads_no_part_of_a_cluster() -> None:
    code = (
        "import sys, jurybox.score.scoring, jurybox.cli._app\n"
        "print([name for name in sys.modules if name.partition('.')[0] in "
        "('dask', 'distributed', 'pyarrow', 'concurrent')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
