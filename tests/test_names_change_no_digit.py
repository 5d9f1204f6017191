"""Renaming files, naming systems in another order, adding one, `--jobs`: the same digits.

Raters and cases are in test_rater_invariance.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

import jurybox as jb
from calling import Call
from jurybox.records import plain

SAMPLE = Path(jb.__file__).parent / "data" / "sample"
GOLD = sorted(SAMPLE.glob("A*.m2"))
DOCUMENTS = SAMPLE / "documents.txt"
NAMES = ("cautious", "bold", "rewriter")
#: file of a system -> what is known of it, by its name
Systems = Mapping[str, Path]
Verb = Callable[[Systems], Mapping[Any, Any]]


def pick(record: Mapping[str, Any], *left_out: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in ("name", *left_out)}


def scores(systems: Systems) -> Mapping[Any, Any]:
    found = jb.score(dict(systems), GOLD, ci=True, documents=DOCUMENTS, resamples=50)
    return {one.name: pick(plain(one)) for one in found.systems}


def gleu(systems: Systems) -> Mapping[Any, Any]:
    found = jb.score(dict(systems), GOLD, metric="gleu", ci=True, resamples=20)
    return {one.name: pick(plain(one)) for one in found.systems}


def pairs(systems: Systems) -> Mapping[Any, Any]:
    found = jb.compare(dict(systems), GOLD, all_pairs=True, resamples=100, top=0)
    return {
        frozenset((pair.first, pair.second)): (
            abs(pair.difference),
            pair.interval.high - pair.interval.low,
            pair.standard_error,
            pair.p_randomisation,
            pair.p_bootstrap,
        )
        for pair in found.pairs
    }


def ceilings(systems: Systems) -> Mapping[Any, Any]:
    found = jb.ceiling(GOLD, dict(systems), sizes=[3, 7], max_subsets=5, ci=True, resamples=30)
    sizes = found.to_dict()["sizes"]
    return {
        "human": [(size["human"], size.get("interval")) for size in sizes],
        **{name: [size["systems"][name] for size in sizes] for name in systems},
    }


def decisions(systems: Systems, **how: Any) -> Mapping[Any, Any]:
    found = jb.evaluate(
        SAMPLE / "cases.jsonl",
        SAMPLE / "judgments.csv",
        {name: path.with_suffix(".csv") for name, path in systems.items()},
        ci=True,
        resamples=50,
        **how,
    )
    told: dict[Any, Any] = {one.name: pick(plain(one), "inputs") for one in found.systems}
    for one in found.comparisons:
        told[frozenset((one.first, one.second))] = {
            (kind, name): (difference.p, difference.spread.standard_error)
            for kind, measures in one.differences.items()
            for name, difference in measures.items()
        }
    return told


def over_raters(systems: Systems) -> Mapping[Any, Any]:
    return decisions(systems, ci_unit="rater", stability=True)


def developed(systems: Systems) -> Mapping[Any, Any]:
    return decisions(systems, develop=0.5, ties="random", judges=5)


VERBS: dict[str, Verb] = {
    "score": scores,
    "gleu": gleu,
    "compare": pairs,
    "ceiling": ceilings,
    "evaluate": decisions,
    "evaluate over raters": over_raters,
    "evaluate develop": developed,
}
every_verb = pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)


def systems_called(names: Mapping[str, str]) -> dict[str, Path]:
    return {names[name]: SAMPLE / f"{name}.txt" for name in names}


def rounded(found: Any) -> Any:
    """Numbers to ten places: sums in another order differ in the last of sixteen digits."""
    if isinstance(found, float):
        return round(found, 10)
    if isinstance(found, Mapping):
        return {key: rounded(value) for key, value in found.items()}
    return [rounded(one) for one in found] if isinstance(found, list | tuple) else found


def with_names(found: Mapping[Any, Any], names: Mapping[str, str]) -> dict[Any, Any]:
    """What was found, with systems called by other names."""
    back = {
        key: frozenset(names.get(one, one) for one in key)
        if isinstance(key, frozenset)
        else names.get(key, key)
        for key in found
    }
    return {back[key]: value for key, value in found.items()}


@every_verb
def test_renaming_systems_changes_no_digit(verb: Verb) -> None:
    own = verb(systems_called({name: name for name in NAMES}))
    renamed = {"cautious": "z", "bold": "sys1", "rewriter": "a b"}
    assert rounded(with_names(own, renamed)) == rounded(verb(systems_called(renamed)))


@every_verb
def test_naming_systems_in_another_order_changes_no_digit(verb: Verb) -> None:
    own = verb(systems_called({name: name for name in NAMES}))
    turned = verb(systems_called({name: name for name in reversed(NAMES)}))
    assert rounded(own) == rounded(turned)


@every_verb
def test_adding_a_system_changes_no_digit_of_the_others(verb: Verb) -> None:
    two = verb(systems_called({name: name for name in NAMES[:2]}))
    three = verb(systems_called({name: name for name in NAMES}))
    assert rounded(two) == rounded({key: three[key] for key in two})


def numbers_of(call: Call, *arguments: object) -> Any:
    """The JSON of a command, without what names files, and without the signature."""
    code, out, err = call(*arguments, "--format", "json")
    assert code == 0, err
    return without_names(json.loads(out))


def without_names(record: Any) -> Any:
    if isinstance(record, dict):
        kept = {k: v for k, v in record.items() if k not in ("inputs", "name", "path", "warnings")}
        return {key: without_names(value) for key, value in kept.items()}
    return [without_names(one) for one in record] if isinstance(record, list) else record


COMMANDS = {
    "score": ("score", "bold.txt", "--gold", "A1.m2", "A2.m2", "--ci", "--resamples", 50),
    "compare": ("compare", "bold.txt", "cautious.txt", "--gold", "A1.m2", "--resamples", 50),
    "ceiling": ("ceiling", "--gold", "A1.m2", "A2.m2", "A3.m2", "--ci", "--resamples", 50),
    "evaluate": (
        *("evaluate", "cases.jsonl", "--judgments", "judgments.csv", "--system", "bold.csv"),
        *("--ci", "--stability", "--resamples", 50),
    ),
    "agree": ("agree", "judgments.csv", "--ci", "--expert", "R01", "--draws", 20),
    "aggregate": ("aggregate", "judgments.csv", "--ties", "random"),
    "screen": ("screen", "judgments.csv"),
    "metaeval": ("metaeval", "scores.csv", "--human", "rankings.csv", "--resamples", 50),
    "simulate": (
        *("sample", "simulate", "cases.jsonl", "--judgments", "judgments.csv", "--system"),
        *("bold.csv", "--error", 10, "--ok", 20, "--draws", 50),
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_renaming_files_changes_no_digit_of_a_command(
    name: str, call: Call, tmp_path: Path
) -> None:
    """What a file is called shows in names only: of systems, annotators and the file itself."""
    files = [word for word in COMMANDS[name] if isinstance(word, str) and (SAMPLE / word).is_file()]
    assert files
    outputs = []
    for number, prefix in enumerate(("", "zz-")):
        folder = tmp_path / str(number)
        folder.mkdir()
        places = {word: folder / f"{prefix}{word}" for word in files}
        for word, place in places.items():
            copy(SAMPLE / word, place)
        outputs.append(numbers_of(call, *(places.get(str(w), w) for w in COMMANDS[name])))
    own, renamed = (json.dumps(one, sort_keys=True).replace("zz-", "") for one in outputs)
    assert own.replace(str(tmp_path / "0"), "") == renamed.replace(str(tmp_path / "1"), "")


@pytest.mark.parametrize("command", ["score", "compare", "ceiling"])
def test_jobs_change_no_digit(command: str, call: Call) -> None:
    places = [SAMPLE / str(w) if (SAMPLE / str(w)).is_file() else w for w in COMMANDS[command]]
    assert numbers_of(call, *places, "--jobs", 1) == numbers_of(call, *places, "--jobs", 2)


def test_only_one_place_derives_streams() -> None:
    """No command makes a generator of a seed by itself, but for those that learn or draw files."""
    package = Path(jb.__file__).parent
    allowed = {
        "streams.py",
        # learners: their streams are part of a trained model, and have no systems beside them
        *("detect/learning.py", "detect/features.py"),
    }
    own = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if "default_rng(" in line and ">>>" not in line and "..." not in line
    }
    assert own <= allowed
