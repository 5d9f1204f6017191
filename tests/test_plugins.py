"""What other packages bring is found by name, loaded when asked for, and never in our way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jurybox import plugins
from jurybox.errors import InputError, JuryboxWarning
from plugin_packages import write_package

OURS = ("m2", "gleu")


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that packages are installed in; what other tests looked up is forgotten."""
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins.forget()
    yield tmp_path
    plugins.forget()


def offer(site: Path, package: str, name: str, code: str = "class Thing: ...\n") -> None:
    points = {"jurybox.metrics": {name: f"{package}:Thing"}}
    write_package(site, package, "1.0", points, code)


def test_a_metric_of_a_package_is_found_with_its_version(site: Path) -> None:
    offer(site, "firstone", "mine")
    found = plugins.find("metric", "mine", OURS)
    assert found is not None
    assert (found.name, found.package, found.version) == ("mine", "firstone", "1.0")
    assert str(found) == "metric 'mine' of package firstone"
    assert plugins.names("metric", OURS) == ("m2", "gleu", "mine")
    assert plugins.listed() == ["metric mine, by firstone 1.0"]
    assert plugins.find("format", "mine", OURS) is None


def test_a_class_is_made_an_object_and_anything_else_is_taken_as_it_is(site: Path) -> None:
    offer(site, "madeone", "mine")
    found = plugins.find("metric", "mine", OURS)
    assert found is not None
    assert type(found.load()).__name__ == "Thing"
    offer(site, "readyone", "yours", "Thing = 17\n")
    plugins.forget()
    ready = plugins.find("metric", "yours", OURS)
    assert ready is not None
    assert ready.load() == 17


def test_our_own_names_win_and_the_package_is_told_of(site: Path) -> None:
    offer(site, "thief", "m2")
    assert plugins.find("metric", "m2", OURS) is None
    with pytest.warns(JuryboxWarning, match="metric 'm2' of package thief: jurybox has a metric"):
        assert plugins.names("metric", OURS) == OURS


def test_a_name_that_nobody_could_type_is_told_of(site: Path) -> None:
    offer(site, "shouter", "My Metric")
    with pytest.warns(JuryboxWarning, match="names are small letters and digits"):
        assert plugins.names("metric", OURS) == OURS


def test_two_packages_with_one_name_are_not_chosen_between(site: Path) -> None:
    offer(site, "firstpack", "mine")
    offer(site, "secondpack", "mine")
    with pytest.raises(InputError, match="offered by firstpack and secondpack; remove one"):
        plugins.find("metric", "mine", OURS)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import nothing_of_this_name\n", "ModuleNotFoundError: No module named 'nothing_of_"),
        ("x = 1\n", "AttributeError"),
        ("class Thing:\n    def __init__(self): 1 / 0\n", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named(site: Path, code: str, why: str) -> None:
    package = f"broken{len(code)}"
    offer(site, package, "mine", code)
    found = plugins.find("metric", "mine", OURS)
    assert found is not None
    with pytest.raises(InputError, match=f"of package {package} failed to load: {why}"):
        found.load()


def test_code_of_a_package_does_not_run_before_it_is_asked_for(site: Path) -> None:
    offer(site, "eager", "mine", "raise SystemExit('too early')\n")
    assert plugins.names("metric", OURS) == (*OURS, "mine")


def test_scoring_with_our_own_metrics_does_not_look_through_what_is_installed() -> None:
    sample = Path(plugins.__file__).parent / "data" / "sample" / "tiny"
    code = (
        "import sys; from jurybox.cli import run; "
        f"assert run(['score', r'{sample / 'bold.txt'}', '--gold', r'{sample / 'gold.m2'}']) == 0; "
        "assert 'importlib.metadata' not in sys.modules, 'looked through'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
