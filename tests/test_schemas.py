"""The JSON of every command is what its schema says, and the schemas say it strictly."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import jurybox as jb
from jurybox import data as data_sets
from jurybox.cli import run
from jurybox.cli._app import CALLS
from jurybox.data.result import DataFile, DataSet
from jurybox.metrics.measures import MEASURES
from jurybox.saved_results import HOMES, REPORTS, result_kind
from saved_results import SCHEMAS, complaints, refuse, schema, validator

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    *("score", "compare", "metaeval", "ceiling", "annotators", "show", "cases", "evaluate"),
    *("agree", "screen", "aggregate", "cost", "convert", "measures", "counts"),
    *("data-list", "data-get", "cases-balance"),
    *("sample-plan", "sample-draw", "sample-estimate", "sample-simulate"),
    *("detect-train", "detect-run", "detect-info", "detect-selection", "detect-mine"),
)
#: pages for people, scripts for shells, a server, folders of files
#: what they give is a file, a folder or a server
WITHOUT_JSON = {
    *("demo", "report", "completion", "init", "run"),
    *("serve", "serve-new", "serve-password"),
    *("db-dump", "db-load", "db-verify", "db-forget"),
}

#: a test set that is at hand
TINY = DataSet("tiny", "Tiny", "ours", "", "ours", "nobody", (DataFile("bold.txt", ()),))
GOLD = "--gold sample/gold.m2"
RANKED = ("bold", "cautious", "third")
FOUR = "--gold a.m2 b.m2 c.m2 d.m2"
FIVE = f"{FOUR} e.m2"
TRAIN = "detect train lm --text said.txt --tokenised --order 2 --fallback-discounts .5,1,1.5"
PAIR = f"sample/cautious.txt sample/bold.txt {GOLD}"
TWO = f"{PAIR} --resamples 30"
RESULTS = {
    "score, one system": f"score sample/bold.txt {GOLD}",
    "score, several systems with intervals": f"score {TWO} --ci",
    "score graded": f"score sample/rewriter.txt {GOLD} --graded",
    "score by type": f"score sample/rewriter.txt {GOLD} --by type",
    "score, every sentence": f"score sample/rewriter.txt {GOLD} --verbose",
    "score, everything at once": (
        f"score {TWO} --ci --by type --graded --verbose --choice sentence --beta 1"
    ),
    "score, nothing proposed": f"score sample/source.txt {GOLD} --ci --resamples 5",
    "score, nothing to resample": f"score one.txt {GOLD} --ci --ci-unit document --documents d.txt",
    "score with warnings": f"score odd.txt {GOLD}",
    "score with a gold edit that stands twice": "score twice.txt --gold twice.m2 --by type",
    "score prose": f"score sample/bold.txt {GOLD} --tokenize --ignore-case-whitespace",
    "score by errant": f"score bold.m2 {GOLD} --metric errant --level span --by type --ci",
    "score some types": f"score bold.m2 {GOLD} --metric errant --level token --types Prep SVA",
    "score gleu": f"score sample/bold.txt {GOLD} --metric gleu --ci --resamples 5",
    "score gleu, averaged": f"score sample/bold.txt {GOLD} --metric gleu --expected-statistics",
    "score gleu, one reference": (
        "score sample/bold.txt --metric gleu --source sample/source.txt --refs sample/cautious.txt"
    ),
    "score saved counts": "score counts.json",
    "score saved counts with intervals": "score counts.json --ci --resamples 5",
    "compare": f"compare {TWO}",
    "compare all pairs": f"compare {TWO} --all-pairs --top 2",
    "compare without deciding sentences": f"compare {TWO} --top 0",
    "compare by one document": f"compare {TWO} --documents d.txt --ci-unit document",
    "compare by gleu": f"compare {TWO} --metric gleu",
    "compare the same text": f"compare same.txt {TWO}",
    "compare one resample": (f"compare sample/cautious.txt sample/bold.txt {GOLD} --resamples 1"),
    "compare saved counts": "compare counts.json --resamples 30",
    "metaeval": "metaeval scores.csv --human ranks.csv --resamples 5",
    "metaeval on the spot": (
        f"metaeval --system bold=sample/bold.txt cautious=sample/cautious.txt {GOLD} "
        "--metrics m2 m2:recall gleu --human ranks.csv --resamples 5 --without-judges Bob"
    ),
    "metaeval of sentences": (
        "metaeval single.csv --human ranks.csv --resamples 5 --lower-is-better single"
    ),
    "metaeval, given scores": (
        "metaeval scores.csv --human people.csv --resamples 5 --without third"
    ),
    "metaeval, all the same": "metaeval flat.csv --human people.csv --resamples 5",
    "ceiling": f"ceiling {GOLD} --system bold=sample/bold.txt",
    "ceiling of people alone": f"ceiling {GOLD} --sizes 1",
    "ceiling, everything at once": (
        f"ceiling {FIVE} --system bold=sample/bold.txt --sizes all --pairwise --by type --ci "
        "--resamples 5 --extrapolate 6 --documents d.txt essay"
    ),
    "ceiling by errant": f"ceiling {GOLD} --system bold=bold.m2 --metric errant --level span",
    "ceiling by gleu": f"ceiling {GOLD} --system bold=sample/bold.txt --metric gleu --pairwise",
    "ceiling, sampled": f"ceiling {FIVE} --sizes 2 --max-subsets 4",
    "ceiling of people who share nothing": (
        "ceiling --gold a.m2 d.m2 --coverage shared.csv --system bold=sample/bold.txt --ci"
    ),
    "ceiling, nothing to resample": (
        f"ceiling {GOLD} --ci --ci-unit document --documents d.txt --resamples 5"
    ),
    "ceiling of skipped sentences": f"ceiling {FOUR} --sizes all --coverage cover.csv",
    "ceiling with a missing annotator": "ceiling --gold gap.m2 --missing-annotator same",
    "annotators": f"annotators {GOLD}",
    "annotators by gleu": f"annotators {GOLD} --metric gleu",
    "annotators without scores": f"annotators {GOLD} --no-pairwise",
    "annotators, one": "annotators --gold twice.m2",
    "annotators with documents": f"annotators {GOLD} --documents d.txt",
    "show": f"show 3 {GOLD} --system b=sample/bold.txt m=bold.m2 --documents d.txt",
    "show, nothing changed": f"show 13 {GOLD}",
    "cases": (
        f"cases derive {GOLD} --construction preposition missing-preposition --tagger words "
        "--system bold=sample/bold.txt"
    ),
    "cases, written": f"cases derive {GOLD} --construction token -o made-cases.jsonl",
    "cases-balance": "cases balance c.csv --judgments j.csv --duplicates drop -o balanced.jsonl",
    "evaluate": "evaluate c.csv --judgments j.csv --system a=a.csv",
    "evaluate, everything at once": (
        "evaluate c.csv --judgments j.csv --system a=a.csv b=b.csv --ci --ci-unit document "
        "--resamples 5 --stability --develop .5 --compare-with there.json"
    ),
    "convert judgments": "convert j.csv j.jsonl",
    "screen": "screen full.csv --gold known.csv",
    "screen without gold": "screen full.csv --drop none",
    "aggregate": "aggregate full.csv --ties drop",
    "aggregate by gold": "aggregate full.csv --gold known.csv --method gold-weighted",
    "aggregate by dawid-skene": "aggregate full.csv --gold known.csv --method dawid-skene",
    "cost": "cost full.csv --fee 20% --more 10 --by-batch",
    "cost, not told": "cost j.csv",
    "agree": "agree t.tsv",
    "agree, everything at once": (
        "agree raters.csv --expert Ann Bob --ci --draws 5 --by-batch --show-models"
    ),
    "agree, choices": "agree choices.csv --accuracy .75",
    "agree, nothing to pair": "agree alone.csv",
    "sample-plan": (
        "sample plan --size error=1000 ok=9000 --precision .8 --error-rate .35 --recall-within .02 "
        "--budget 90 --pay .05"
    ),
    "sample-plan, verification": (
        "sample plan a.csv --precision .5 --error-rate .4 --precision-within .2"
    ),
    "sample-estimate": "sample estimate --part error=100:50:20 ok=900:50:3",
    "sample-estimate, verification": "sample estimate --part error=100:50:20 ok=900:0:0",
    "sample-simulate": (
        "sample simulate c.csv --judgments j.csv --system a=a.csv --error 1 --ok 1 2 --draws 20 "
        "--resamples 5"
    ),
    "sample-draw": "sample draw a.csv --error 1 --ok 2",
    "sample-draw, later": (
        "sample draw a.csv --error 0 --ok 1 --after key.jsonl --blind later.csv --key later.jsonl"
    ),
    "data-list": "data list conll14 bea19-dev gug grundkiewicz15",
    "data-get": "data get tiny --from sample -o got",
    "detect-train": f"{TRAIN} -o trained",
    "detect-info": "detect info lm --check",
    "detect-run": "detect run lm --text near.txt --tokenised --threshold .1 -o lm.jsonl",
    "detect-selection": "detect selection lm other --text held.jsonl",
    "detect-mine": (
        "detect mine --text near.txt --tokenised --counts-text said.txt --counts-tokenised"
    ),
    "convert to jsonl": "convert sample/gold.m2 gold.jsonl",
    "convert to text": "convert sample/gold.m2 gold.txt --annotator 0",
    "convert from text": "convert sample/source.txt made.m2 --corrected sample/bold.txt",
    "measures": "measures --tp 12 --fp 18 --fn 28 --tn 42",
    "measures without true negatives": "measures --tp 12.5 --fp 18 --fn 28 --beta 2",
    "measures without anything": "measures --tp 0 --fp 0 --fn 0 --tn 0",
}


JUDGED = [
    (case, rater, "error" if (case * 3 + place) % 4 < 2 else "ok")
    for case in (1, 2, 3, 5)
    for place, rater in enumerate(("Ann", "Bob", "Cem"))
]


RATED = [
    (case, rater, "error" if (case * 5 + place * place) % 4 < 2 else "ok")
    for case in range(1, 7)
    for place, rater in enumerate(("Ann", "Bob", "Cem", "Dee", "gpt"))
]


def is_wrong(record: Any, name: str) -> bool:
    return not validator(name).is_valid(record)


def output_of(command: str) -> Any:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert run([*command.split(), "--format", "json"]) == 0, err.getvalue()
    return json.loads(out.getvalue() or "null", parse_constant=refuse)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sample, saved counts, and outputs that give every field a reason to be there."""
    place = tmp_path_factory.mktemp("schemas")
    sample = shutil.copytree(
        ROOT / "src" / "jurybox" / "data" / "sample" / "tiny", place / "sample"
    )
    bold = (sample / "bold.txt").read_text(encoding="utf-8").splitlines()
    made = {
        "one.txt": bold,
        "same.txt": (sample / "cautious.txt").read_text(encoding="utf-8").splitlines(),
        "odd.txt": ["", "It", *bold[2:]],
        "d.txt": ["essay"] * len(bold),
        "cover.csv": ["annotator,sentences", "a,all", "b,all", "c,all", "d,1-5"],
        "c.csv": ["case,document,trivial", "1,x,", "2,x,", "3,y,", "4,y,true", "5,z,"],
        "j.csv": [
            "case,rater,label,correction",
            *(f"{case},{rater},{label}," for case, rater, label in JUDGED),
        ],
        "a.csv": ["case,label,score", "1,error,.9", "2,ok,.3", "3,ok,.6", "4,ok,.1", "5,ok,.2"],
        "b.csv": ["case,label", "1,ok", "2,error", "3,error", "4,ok", "5,ok"],
        "full.csv": [
            "case,rater,label,seconds,reward,submitted,batch",
            *(
                f"{case},{rater},{'yes' if (case + place) % 5 else 'no'},{case + 3},$0.05,"
                f"2020-01-01T10:{case:02}:00Z,B{case % 2}"
                for case in range(24)
                for place, rater in enumerate(("Ann", "Bob", "Cem", "Dan"))
            ),
        ],
        "known.csv": ["case,gold", *(f"{case},yes" for case in range(6))],
        "raters.csv": [
            "case,rater,label,correction,gold,batch,kind,sentence,start,end",
            *(
                f"{case},{rater},{label},{'at' if label == 'error' else ''},"
                f"{'error' if case < 3 else ''},B{case % 2},{'model' * (rater == 'gpt')},"
                f"s{case // 2},{case % 2},{case % 2 + 1}"
                for case, rater, label in [*RATED, (1, "Ann", "ok")]
            ),
        ],
        "t.tsv": [
            "case\trater\tlabel",
            *(f"{c}\t{r}\t{c % 3 + (r == 'Bob')}" for c, r, _ in RATED),
        ],
        "choices.csv": [
            "case,rater,label,first,second,written,shown",
            *("1,Ann,in,in,at,in,", "1,Bob,left,in,at,in,at"),
            *("2,Ann,both,on,at,on,", "2,Bob,?,on,at,on,"),
        ],
        "alone.csv": ["case,rater,label", "1,Ann,ok", "2,Bob,ok"],
        "shared.csv": ["annotator,sentences", "a,all", "d,none"],
        "said.txt": ["We live near the sea . The end of it ."] * 20,
        "near.txt": ["I live near of the sea .", "The end at it ."],
        "held.jsonl": [
            '{"id": "1", "tokens": ["The", "end", "of", "it"], "target": 2, "written": "of"}',
            '{"id": "2", "tokens": ["We", "live", "by", "it"], "target": 2, "written": "by"}',
        ],
        "ranks.csv": [
            "sentence,judge,system,rank",
            *("1,Ann,bold,1", "1,Ann,cautious,2", "1,Ann,third,2", "2,Ann,bold,2"),
            *("2,Ann,cautious,1", "3,Bob,third,2", "3,Bob,bold,1"),
        ],
        "scores.csv": [
            *("system,metric,score", "bold,m,.5", "cautious,m,.4", "third,m,.1"),
            *("bold,n,.1", "cautious,n,.4", "third,n,.2"),
        ],
        "single.csv": [
            "sentence,system,score",
            *(f"{n},{name},{n * len(name)}" for n in (1, 2, 3) for name in RANKED),
        ],
        "people.csv": ["system,score", "bold,2", "cautious,1", "third,1"],
        "flat.csv": ["system,score", "bold,2", "cautious,2", "third,2"],
        "twice.txt": ["A dog ."],
        "gap.m2": [
            *("S A dogs .", "A 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0"),
            *("A 0 1|||ArtOrDet|||The|||REQUIRED|||-NONE-|||1", ""),
            *("S A cats .", "A 1 2|||Nn|||cat|||REQUIRED|||-NONE-|||0"),
        ],
        "twice.m2": ["S A dogs .", *["A 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0"] * 2],
    }
    for name, lines in made.items():
        (place / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    catalogue = data_sets.read_catalogue()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setattr(data_sets, "read_catalogue", lambda: {"tiny": TINY, **catalogue})
        for name in ("lm", "other"):
            output_of(f"{TRAIN} -o {name}")
        output_of("convert sample/source.txt bold.m2 --corrected sample/bold.txt")
        texts = {name: f"sample/{name}.txt" for name in ("cautious", "bold", "rewriter")}
        for name, text in zip("abc", texts.values(), strict=True):
            output_of(f"convert sample/source.txt {name}.m2 --corrected {text}")
        output_of("evaluate c.csv --judgments j.csv --system a=a.csv -o there.json")
        output_of("convert sample/source.txt d.m2 --corrected sample/source.txt")
        output_of("convert sample/gold.m2 e.m2 --annotator 1")
        output_of(f"score {PAIR} --by type --documents d.txt --save-counts counts.json")
        output_of(f"score {PAIR} --metric gleu --save-counts gleu.json")
        yield place


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Any]:
    """The JSON of every command in `RESULTS`, and the counts files."""
    assert folder.is_dir()
    printed = {title: output_of(command) for title, command in RESULTS.items()}
    for name in ("counts.json", "gleu.json"):
        printed[f"counts, {name}"] = json.loads((folder / name).read_text(encoding="utf-8"))
    return printed


def schema_of(title: str) -> str:
    return title.replace(",", " ").split()[0]


TITLES = [*RESULTS, "counts, counts.json", "counts, gleu.json"]


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_a_schema_and_is_named_after_what_it_describes(name: str) -> None:
    found = schema(name)
    Draft202012Validator.check_schema(found)
    assert found["properties"]["schema"]["const"] == f"jurybox.{name}/1"


def test_schemas_are_those_of_the_results_types() -> None:
    homes = HOMES | REPORTS
    own = {name: result_kind(name).schema() for name, home in homes.items() if ":" in home}
    assert {"screen"} <= {*own}
    assert {name for name in own if own[name] != schema(name)} == set(), "run tools/schemas.py"


def test_every_command_and_the_counts_file_have_a_schema() -> None:
    calls = {call.removesuffix(" derive").replace(" ", "-") for call in CALLS}
    assert calls - WITHOUT_JSON | {"counts"} == {*NAMES}
    assert {file.name for file in SCHEMAS.iterdir()} == {f"{name}-1.json" for name in NAMES}


@pytest.mark.parametrize("title", TITLES)
def test_output_is_what_the_schema_says(title: str, results: dict[str, Any]) -> None:
    assert complaints(results[title], schema_of(title)) == []


@pytest.mark.usefixtures("folder")
def test_results_in_python_are_what_the_schema_says_too() -> None:
    hypotheses = {"old": Path("sample/cautious.txt"), "new": Path("sample/bold.txt")}
    gold = jb.read_panel("sample/gold.m2")
    scored = jb.score(hypotheses, gold, by="type", details=True, ci=True, resamples=5)
    assert complaints(json.loads(scored.to_json()), "score") == []
    compared = jb.compare(hypotheses, gold, resamples=5)
    assert complaints(json.loads(compared.to_json()), "compare") == []


@pytest.mark.parametrize("command", sorted({*NAMES} - {"counts"}))
def test_every_command_begins_with_the_same_envelope(command: str, results: dict[str, Any]) -> None:
    title = next(title for title in RESULTS if schema_of(title) == command)
    head = ["schema", "command", "version", "signature", "inputs"]
    assert list(results[title])[:5] == head
    assert schema(command)["required"][:5] == head


# --- strictness: what is not in the schema is refused, what is must be there ---

#: objects whose keys are data: columns, measures, reasons, names of people, systems and types
OPEN = {"values", "measures", "undefined", "systems", "annotators", "by_type", "curves"}
OPEN |= {"left_out"}  # reason -> number
OPEN |= {"extrapolation"}  # name -> curve
OPEN |= {"labels", "confidence", "judgments_of", "weights", "prior"}
OPEN |= {"weighted_undefined", "correction_undefined", "weighted_correction_undefined"}
OPEN |= {"labels", "rows", "table"}


def objects(record: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of the objects in a record."""
    if isinstance(record, dict):
        yield path
        for key, value in record.items():
            yield from objects(value, (*path, key))
    elif isinstance(record, list):
        for index, value in enumerate(record):
            yield from objects(value, (*path, index))


def shapes(record: Any) -> Iterator[tuple[str | int, ...]]:
    """The paths of objects, without those that are like an earlier one of the same list."""
    seen = set()
    for path in list(objects(record)):
        place = tuple("*" if isinstance(step, int) else step for step in path)
        shape = (place, frozenset(at(record, path)))
        if shape not in seen:
            seen.add(shape)
            yield path


def shortened(record: Any) -> Any:
    """A copy with two items of every list: two sentences show as much as fifteen.

    Lists of numbers stay as they are: some have a fixed length, as fewest, median and most.
    """
    if isinstance(record, dict):
        return {key: shortened(value) for key, value in record.items()}
    if isinstance(record, list) and not all(isinstance(one, (int, float)) for one in record):
        return [shortened(item) for item in record[:2]]
    return record


def at(record: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        record = record[step]
    return record


STRICT = [
    "score, everything at once",
    "score gleu",
    "compare by one document",
    "ceiling, everything at once",
    "ceiling by gleu",
    "annotators",
    "annotators by gleu",
    "show",
    "cases",
    "cases-balance",
    "evaluate, everything at once",
    "agree, everything at once",
    "agree, choices",
    "screen",
    "aggregate by gold",
    "aggregate by dawid-skene",
    "cost",
    "sample-plan",
    "sample-draw, later",
    "sample-estimate",
    "sample-simulate",
    "convert to jsonl",
    "convert judgments",
    "measures",
    "counts, gleu.json",
]


@pytest.mark.parametrize("title", STRICT)
def test_schema_refuses_a_field_it_does_not_know(title: str, results: dict[str, Any]) -> None:
    record = shortened(results[title])
    assert complaints(record, schema_of(title)) == []
    for path in shapes(record):
        if {*path[-1:]} & OPEN:
            continue
        place = at(record, path)
        place["surprise"] = []
        assert is_wrong(record, schema_of(title)), f"{path} may hold anything"
        del place["surprise"]


OPTIONAL = {"ci", "intervals", "by_type", "details", "draws_sd", "reason", "type", "graded"}
OPTIONAL_IN_EVALUATE = {
    *(
        "without_trivial",
        "cells",
        "text_accuracy",
        "brier",
        "calibration",
        "threshold",
        "intervals",
    ),
    *("stability", "comparisons", "other_corpus"),
}
OPTIONAL_IN_CROWDS = {
    "aggregate": {"gold", "weights", "model", "against_majority"},
    "cost": {"more"},
}
OPTIONAL_IN_CEILING = {
    *("pairwise", "types", "extrapolation"),
    *("human_interval", "interval", "ratio_interval", "ratio"),
}


@pytest.mark.parametrize(
    "title",
    [pytest.param(one, marks=[pytest.mark.slow] * one.startswith("evaluate,")) for one in STRICT],
)
def test_schema_misses_every_field_that_is_not_optional(
    title: str, results: dict[str, Any]
) -> None:
    record = shortened(results[title])
    more = {"ceiling": OPTIONAL_IN_CEILING, "evaluate": OPTIONAL_IN_EVALUATE, **OPTIONAL_IN_CROWDS}
    more["agree"] = {"ordinal", "interval", "ratio", "caution"}  # not all labels and pairs have it
    more["convert"] = {"judgments"}  # of edits there are none
    more["sample-estimate"] = {"raters", "retested", "assisted"}
    optional = OPTIONAL | more.get(schema_of(title), set())
    for path in shapes(record):
        if {*path[-1:]} & (OPEN - {"measures"}) or "methods" in path[:-1][-1:]:
            continue
        place = at(record, path)
        for key in place.keys() - optional:
            value = place.pop(key)
            assert is_wrong(record, schema_of(title)), f"{path} does without {key}"
            place[key] = value


def test_definitions_that_several_schemas_share_are_the_same() -> None:
    seen: dict[str, Any] = {}
    shared = 0
    for name in NAMES:
        for key, definition in schema(name)["$defs"].items():
            shared += key in seen
            assert seen.setdefault(key, definition) == definition, f"{key} differs in {name}-1.json"
    assert shared


def test_schema_names_every_measure() -> None:
    assert schema("measures")["properties"]["measures"]["required"] == list(MEASURES)


# --- the page about JSON ---


def fields(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties":
                yield from value
            yield from fields(value)
    elif isinstance(node, list):
        for value in node:
            yield from fields(value)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_about_json_names_every_field(name: str) -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    described = [field for field in dict.fromkeys(fields(schema(name))) if field not in MEASURES]
    described += ["precision", "recall"]
    assert [field for field in described if f"`{field}`" not in page] == []
