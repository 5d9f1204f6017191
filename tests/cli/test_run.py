"""`jurybox run`: a study is made as its file says, and again only where something changed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import jurybox
from calling import Call as Calling
from jurybox.cli import run
from jurybox.cli._app import CALLS, build_parser
from jurybox.cli.study import _study_run
from jurybox.cli.study._calls import WRITTEN, WRITTEN_BY, PlannedCall, calls_of
from jurybox.study.file import read_study
from jurybox.study.lock import LOCK

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"

STUDY = """\
title = "Small"
seed = 1

[data]
sample = "sample"

[systems]
bold = "sample/bold.txt"
cautious = "sample/cautious.txt"

[judges]
panel = "sample/gold.m2"

[analysis.scores]
command = "score"
hypotheses = "@systems"
gold = "@panel"

[analysis.one]
command = "score"
hypotheses = "@sample/rewriter.txt"
gold = "@panel"
ci = true
resamples = 5

[analysis.words]
command = "cases derive"
gold = "@panel"
system = "@bold"
construction = "article"
tagger = "words"
output = "cases.jsonl"
judgments = "judgments.csv"
decisions = "decisions"

[analysis.jury]
command = "evaluate"
cases = "@words.output"
judgments = "@words.judgments"
system = { bold = "@words.decisions/bold.csv" }

[analysis.agree]
command = "agree"
judgments = "@words.judgments"

[analysis.paper]
command = "measures"
tp = 12
fp = 18
fn = 28
"""
ALL = ["scores", "one", "words", "jury", "agree", "paper", "report"]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A small study, not run yet."""
    shutil.copytree(SAMPLE / "tiny", tmp_path / "sample")
    path = tmp_path / "study.toml"
    path.write_text(STUDY, "utf-8")
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of that study after a run."""
    folder = tmp_path_factory.mktemp("finished")
    shutil.copytree(SAMPLE / "tiny", folder / "sample")
    (folder / "study.toml").write_text(STUDY, "utf-8")
    assert run(["run", str(folder / "study.toml")]) == 0
    return folder


@pytest.fixture
def done(finished: Path, tmp_path: Path) -> Path:
    """A small study that was run."""
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path / "study.toml"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of everything that is really computed, as it happens."""
    names: list[str] = []
    make = _study_run._make

    def counted(call: PlannedCall) -> int:
        names.append(call.name)
        return make(call)

    monkeypatch.setattr(_study_run, "_make", counted)
    return names


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file with its time and bytes."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


# --- what is made ---


def test_everything_is_made_and_summed_up(call: Calling, study: Path) -> None:
    code, out, err = call("run", study)
    assert (code, err) == (0, "")
    results = study.parent / "results"
    assert {path.name for path in results.iterdir()} == {
        *(f"{name}.json" for name in ALL[:-1]),
        *("report.html", LOCK, "cases.jsonl", "judgments.csv", "decisions"),
    }
    assert out.splitlines()[: len(ALL)] == [f"{name}: computed (new)" for name in ALL]
    for name in ALL[:-1]:
        assert re.search(rf"^  {name} +\S", out, re.MULTILINE), name
    assert f"The report is in {results / 'report.html'}" in out
    page = (results / "report.html").read_text("utf-8")
    assert "Small" in page
    assert "Scores by MaxMatch" in page


def test_a_result_is_the_very_json_that_the_command_prints(
    call: Calling, done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(done.parent)
    printed = call(
        *("score", "sample/rewriter.txt", "--gold", "sample/gold.m2", "--ci"),
        *("--resamples", 5, "--seed", 1, "--format", "json"),
    )[1]
    assert (done.parent / "results" / "one.json").read_text("utf-8") == printed


def test_where_the_command_is_called_changes_nothing(
    call: Calling, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("run", study)
    before = {name: data for name, (_, data) in contents(study.parent / "results").items()}
    shutil.rmtree(study.parent / "results")
    monkeypatch.chdir(study.parent)
    assert call("run", "study.toml")[0] == 0
    assert Path.cwd() == study.parent
    after = {name: data for name, (_, data) in contents(study.parent / "results").items()}
    assert after == before


def test_the_seed_of_the_study_reaches_what_is_drawn_and_nothing_else(study: Path) -> None:
    edit(study, "seed = 1", "seed = 7")
    words = {one.name: one.words for one in calls_of(read_study(study))}
    assert "--seed=7" in words["one"]
    assert "--seed=7" not in words["scores"]  # score refuses a seed without --ci
    assert "--seed=7" not in words["paper"]


# --- again ---


def test_a_second_run_computes_nothing_and_writes_nothing_but_the_record(
    call: Calling, study: Path, made: list[str]
) -> None:
    first = call("run", study)[1]
    before = contents(study.parent)
    made.clear()
    code, out, err = call("run", study)
    after = contents(study.parent)
    assert (code, err, made) == (0, "", [])
    assert out.splitlines()[: len(ALL)] == [f"{name}: unchanged" for name in ALL]
    assert out.splitlines()[len(ALL) :] == first.splitlines()[len(ALL) :]
    lock = f"results/{LOCK}"
    assert before.pop(lock)[1] == after.pop(lock)[1]
    assert after == before


CHANGES: dict[str, tuple[str, str, str, list[str]]] = {
    "a system": (
        "sample/bold.txt",
        "has good",
        "has a good",
        ["scores", "words", "jury", "report"],
    ),
    "a system that one analysis reads": (
        *("sample/rewriter.txt", "takes", "catches"),
        ["one", "report"],
    ),
    "the panel": ("sample/gold.m2", "ArtOrDet|||an|||", "ArtOrDet|||the|||", [*ALL[:-2], "report"]),
    "a file that nobody reads": ("sample/source.txt", "She", "He", []),
    "an option": ("study.toml", "tp = 12", "tp = 13", ["paper", "report"]),
    "an option of what others read": (
        *("study.toml", 'construction = "article"', 'construction = "token"'),
        ["words", "jury", "agree", "report"],
    ),
    "an option that changes the result and not what others read": (
        *("study.toml", 'system = "@bold"', 'system = "@systems"'),
        ["words", "report"],
    ),
    "the title": ("study.toml", "Small", "Smaller", ["report"]),
    "a comment": ("study.toml", "[data]", "# files\n[data]", []),
    "the seed": ("study.toml", "seed = 1", "seed = 2", ["one", "jury", "agree", "report"]),
    "the number of processes": ("study.toml", "resamples = 5", "resamples = 5\njobs = 1", []),
    "judgments that were made": ("results/judgments.csv", "ok", "error", ["words"]),
    "a result": ("results/paper.json", "12", "13", ["paper"]),
    "the page": ("results/report.html", "Small", "Great", ["report"]),
}


#: what every run tries; the rest is slow
FIRST_CHANGES = ("a system", "an option", "a comment", "a result")


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=() if what in FIRST_CHANGES else pytest.mark.slow)
        for what in CHANGES
    ],
)
def test_a_change_recomputes_exactly_what_depends_on_it(
    call: Calling, done: Path, made: list[str], what: str
) -> None:
    name, old, new, expected = CHANGES[what]
    edit(done.parent / name, old, new)
    planned = call("run", done, "--dry-run")[1]
    assert made == []
    code, out, err = call("run", done)
    assert (code, err, made) == (0, "", expected)
    told = {line.split(":")[0]: line for line in out.splitlines()[: len(ALL)]}
    assert {one for one in told if "recomputed" in told[one]} == {*expected}
    # what a dry run calls unchanged is not touched
    unchanged = {line.split(":")[0] for line in planned.splitlines() if "unchanged" in line}
    assert unchanged.isdisjoint(expected)


def test_a_file_with_a_new_time_and_the_old_bytes_changes_nothing(
    call: Calling, done: Path, made: list[str]
) -> None:
    text = (done.parent / "sample/bold.txt").read_bytes()
    (done.parent / "sample/bold.txt").write_bytes(text)
    call("run", done)
    assert made == []


def test_the_reason_names_the_file(call: Calling, done: Path) -> None:
    edit(done.parent / "sample/bold.txt", "has good", "has a good")
    out = call("run", done)[1]
    assert "scores: recomputed (sample/bold.txt changed)" in out
    assert "jury: recomputed (results/decisions/bold.csv changed)" in out
    assert "agree: unchanged" in out


def test_another_version_makes_everything_again(call: Calling, done: Path, made: list[str]) -> None:
    lock = done.parent / "results" / LOCK
    record = json.loads(lock.read_text("utf-8"))
    for one in record["made"].values():
        one["version"] = "0.0.1"
    lock.write_text(json.dumps(record), "utf-8")
    assert "paper: recomputed (made by jurybox 0.0.1)" in call("run", done)[1]
    assert made == ALL


def test_force_makes_everything_again(call: Calling, done: Path, made: list[str]) -> None:
    assert "paper: recomputed (--force)" in call("run", done, "--force")[1]
    assert made == ALL


def test_only_makes_what_is_named_and_what_it_needs(
    call: Calling, study: Path, made: list[str]
) -> None:
    code, out, _ = call("run", study, "--only", "jury", "paper")
    assert (code, made) == (0, ["words", "jury", "paper"])
    assert "The report" not in out
    assert not (study.parent / "results" / "report.html").exists()
    assert call("run", study, "--only", "report")[0] == 0
    assert made == ["words", "jury", "paper", "scores", "one", "agree", "report"]


def test_only_knows_the_names(call: Calling, study: Path) -> None:
    code, _, err = call("run", study, "--only", "juri")
    assert code == 2
    assert "did you mean 'jury'?" in err


def test_a_dry_run_says_what_it_would_do_and_does_nothing(
    call: Calling, study: Path, made: list[str]
) -> None:
    before = contents(study.parent)
    code, out, _ = call("run", study, "--dry-run")
    assert (code, made) == (0, [])
    assert out.splitlines() == [f"{name}: would be computed (new)" for name in ALL]
    assert contents(study.parent) == before


# --- what goes wrong ---


def test_a_failing_analysis_takes_only_those_along_that_need_it(
    call: Calling, done: Path, made: list[str]
) -> None:
    results = done.parent / "results"
    before = contents(results)
    edit(done, 'construction = "article"', 'construction = "artikle"')
    edit(done, "tp = 12", "tp = 13")
    code, out, err = call("run", done)
    assert code == 1
    line = done.read_text("utf-8").splitlines().index("[analysis.words]") + 1
    assert f"{done}:{line}: analysis.words: " in err
    assert "artikle" in err
    assert made == ["words", "paper", "report"]
    assert "words: failed" in out
    assert "jury: left out (it needs words)" in out
    assert "not made: words, jury, agree" in out
    assert contents(results)["words.json"] == before["words.json"]
    # undone, what was made before holds again
    made.clear()
    edit(done, '"artikle"', '"article"')
    assert call("run", done)[0] == 0
    assert made == ["report"]


def test_a_study_of_which_nothing_can_be_made_has_no_report(call: Calling, study: Path) -> None:
    study.write_text('[analysis.a]\ncommand = "score"\nhypotheses = "no.txt"\ngold = "no.m2"\n')
    code, out, err = call("run", study)
    assert code == 1
    assert "no.txt: no such file" in err
    assert "report: left out (there is no result)" in out
    assert "open it" not in out
    assert "results are in" not in out


def test_a_study_is_made_to_its_end_when_nobody_reads_along(study: Path) -> None:
    """As in `jurybox run study.toml | head -1`."""
    command = [sys.executable, "-m", "jurybox", "run", str(study)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "scores: computed (new)\n"
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == ("", 0)
    process.stderr.close()
    assert (study.parent / "results" / "report.html").exists()


def test_an_interrupted_study_goes_on_where_it_stopped(
    call: Calling, study: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make = _study_run._make

    def interrupted(one: PlannedCall) -> int:
        if one.name == "words":
            raise KeyboardInterrupt
        return make(one)

    with monkeypatch.context() as patch:
        patch.setattr(_study_run, "_make", interrupted)
        assert call("run", study)[0] == 130
    assert made == ["scores", "one"]
    made.clear()
    assert call("run", study)[0] == 0
    assert made == ["words", "jury", "agree", "paper", "report"]


def test_a_closed_gate_stays_closed_when_nothing_is_computed(
    call: Calling, study: Path, made: list[str]
) -> None:
    shutil.rmtree(study.parent / "sample")
    shutil.copytree(SAMPLE, study.parent / "sample")
    study.write_text(
        '[analysis.gate]\ncommand = "compare"\ngold = "sample/A*.m2"\nfail-if-worse = true\n'
        'hypotheses = ["sample/cautious.txt", "sample/rewriter.txt"]\nresamples = 100\n'
        '[analysis.paper]\ncommand = "measures"\ntp = 1\nfp = 1\nfn = 1\n',
        "utf-8",
    )
    code, _, err = call("run", study)
    assert code == 3
    assert "is worse than" in err
    made.clear()
    assert call("run", study)[0] == 3
    assert made == []
    assert call("run", study, "--only", "paper")[0] == 0


def test_warnings_name_their_analysis(call: Calling, study: Path) -> None:
    lines = (study.parent / "sample/bold.txt").read_text("utf-8").splitlines()
    lines[0] = ""
    (study.parent / "sample/bold.txt").write_text("\n".join(lines) + "\n", "utf-8")
    err = call("run", study, "--only", "scores")[2]
    assert "jurybox: warning: scores: " in err


def test_a_folder_of_other_things_is_not_written_into(call: Calling, study: Path) -> None:
    results = study.parent / "results"
    results.mkdir()
    (results / "paper.json").write_text("precious", "utf-8")
    code, _, err = call("run", study)
    assert code == 1
    assert "--force" in err
    assert (results / "paper.json").read_text("utf-8") == "precious"
    edit(study, 'title = "Small"', 'out = "."')
    assert "must be a folder of its own" in call("run", study)[2]


def test_a_key_of_a_sample_is_never_written_over(
    call: Calling, study: Path, made: list[str]
) -> None:
    shutil.copyfile(SAMPLE / "bold.csv", study.parent / "bold.csv")
    text = '[analysis.draw]\ncommand = "sample draw"\ndecisions = "bold.csv"\nerror = 5\nok = 5\n'
    study.write_text(text, "utf-8")
    assert call("run", study)[0] == 0
    key = (study.parent / "results" / "key.jsonl").read_bytes()
    assert not (study.parent / "key.jsonl").exists()
    assert call("run", study)[0] == 0
    assert made == ["draw"]
    edit(study, "ok = 5", "ok = 6")
    assert call("run", study, "--force")[0] == 1
    assert (study.parent / "results" / "key.jsonl").read_bytes() == key
    edit(study, "ok = 6", "ok = 5")
    assert call("run", study)[0] == 0


HEAD = '[systems]\nbold = { text = "sample/bold.txt", m2 = "sample/gold.m2" }\n'
BAD = {
    'command = "scroe"': "analysis.x.command: there is no command 'scroe'; did you mean 'score'?",
    'command = "serve"': "analysis.x.command: serve gives no result (one of: score, ",
    'command = "run"': "analysis.x.command: run gives no result",
    'command = "cases dervie"': "there is no command 'cases dervie'",
    'command = "score"\ngodl = "x"': "analysis.x.godl: score has no such option; did you mean 'go",
    'command = "score"\ngold = "x"': "analysis.x: score needs hypotheses: add hypotheses = …",
    'command = "convert"\nfiles = "x"': "analysis.x: convert needs output: add output = …",
    'command = "score"\nhypotheses = "x"\nci = "yes"': "ci: is a switch: write true or false",
    'command = "score"\nhypotheses = "x"\nbeta = true': "beta: takes a number, not true",
    'command = "score"\nhypotheses = "x"\nbeta = "b"': "analysis.x.beta: invalid float value: 'b'",
    'command = "score"\nhypotheses = "x"\nbeta = [1, 2]': "beta: takes one value, and these are 2",
    'command = "score"\nhypotheses = "x"\nsource = { a = 1 }': "source: takes text in quotes, not",
    'command = "score"\nhypotheses = 1979-05-27': "hypotheses: takes text in quotes, or a list",
    'command = "score"\nhypotheses = "-"': "a study reads files, not standard input",
    'command = "score"\nhypotheses = "B*.txt"': "hypotheses: no file is called like B*.txt",
    'command = "score"\nhypotheses = "@blod"': "nothing is called blod; did you mean 'bold'?",
    'command = "score"\nhypotheses = "@bold"': "bold has several files; say @bold.text or @bold.m2",
    'command = "score"\nhypotheses = "@systems.csv"': "bold has no csv; say @bold.text or @bold.m2",
    'command = "score"\nhypotheses = "@later.output"': "move [analysis.later] above this one",
    'command = "score"\nhypotheses = "x"\nformat = "csv"': "leave it out: the result is written to",
    'command = "score"\nhypotheses = "x"\noutput = "y"': "leave it out: the result is written to x",
    'command = "score"\nhypotheses = "x"\nsave-counts = "../c"': "'../c' must lie in out (results)",
    'command = "score"\nhypotheses = "x"\nsave-counts = "/c"': "'/c' must lie in out (results)",
    'command = "score"\nhypotheses = "x"\nsave-counts = 3': "must be a file name in quotes",
    'command = "score"\nhypotheses = "x"\nsave-counts = "report.html"': "is written by the report",
}


@pytest.mark.parametrize("table", BAD)
def test_what_is_wrong_in_an_analysis_is_said_before_any_work(
    call: Calling, study: Path, made: list[str], table: str
) -> None:
    last = '[analysis.later]\ncommand = "convert"\nfiles = "sample/gold.m2"\noutput = "p.m2"\n'
    study.write_text(f"{HEAD}[analysis.x]\n{table}\n{last}", "utf-8")
    code, out, err = call("run", study)
    assert (code, out, made) == (1, "", [])
    assert re.match(rf"jurybox: {re.escape(str(study))}:[3-6]: analysis\.x", err)
    assert BAD[table] in err
    assert not (study.parent / "results").exists()


def test_a_wrong_key_of_the_report_is_found_too(call: Calling, study: Path) -> None:
    study.write_text(f'{STUDY}\n[report]\nglod = "@panel"\n', "utf-8")
    assert "report.glod: report has no such option; did you mean 'gold'?" in call("run", study)[2]
    study.write_text(f'{STUDY}\n[report]\noutput = "page.html"\n', "utf-8")
    assert "report.output: leave it out" in call("run", study)[2]


def test_a_study_is_a_file(call: Calling, study: Path) -> None:
    assert call("run", "-")[0] == 2
    code, _, err = call("run", study.with_name("studi.toml"))
    assert code == 1
    assert "did you mean" in err


# --- names ---


def words_of(study: Path, analysis: str, head: str = HEAD) -> tuple[str, ...]:
    study.write_text(f"{head}\n[analysis.x]\n{analysis}\n", "utf-8")
    return calls_of(read_study(study))[0].words


def test_systems_keep_their_names_where_an_option_takes_them(study: Path) -> None:
    head = '[systems]\n"v1.2" = "sample/bold.txt"\nv1 = "sample/cautious.txt"\n'
    ceiling = 'command = "ceiling"\ngold = "sample/gold.m2"\nsystem = '
    both = ["--system=v1.2=sample/bold.txt", "--system=v1=sample/cautious.txt"]
    assert [*words_of(study, f'{ceiling}"@systems"', head)[1:3]] == both
    assert [*words_of(study, f'{ceiling}["@v1.2", "@v1"]', head)[1:3]] == both
    table = '{ a = "@v1.2", b = "sample/x=y.txt" }'
    assert [*words_of(study, f"{ceiling}{table}", head)[1:3]] == [
        "--system=a=sample/bold.txt",
        "--system=b=sample/x=y.txt",
    ]
    score = 'command = "score"\nhypotheses = "@systems"'
    assert words_of(study, score, head)[:2] == ("sample/bold.txt", "sample/cautious.txt")


def test_values_become_the_words_one_would_type(study: Path) -> None:
    assert words_of(
        study,
        'command = "agree"\njudgments = ["a.csv", "-b.csv"]\nlabels = { Yes = "ok", "@a" = "ok" }\n'
        'expert = ["@@ann", "Bob"]\nci = true\nby-batch = false\ndraws = 20\nseed = -1',
    ) == (
        *("a.csv", "./-b.csv", "--relabel=Yes=ok", "--relabel=@a=ok"),
        *("--expert=@ann", "--expert=Bob", "--ci", "--draws=20", "--seed=-1", "--format=json"),
    )
    assert words_of(study, 'command = "screen"\njudgments = "a"\npseudonymise = true')[-2:] == (
        "--pseudonymise",
        "--format=json",
    )
    assert words_of(
        study, 'command = "sample draw"\ndecisions = "d"\nerror = 1\nok = 2\nby = ["a", "b"]'
    )[3:] == (
        *("--by=a", "--by=b", "--blind=results/blind.csv", "--key=results/key.jsonl"),
        "--format=json",
    )


def test_a_file_that_an_analysis_writes_is_needed_however_it_is_named(study: Path) -> None:
    edit(study, '"@words.output"', '"./results/cases.jsonl"')
    edit(study, '"@words.judgments"', '"results/judgments.csv"')
    calls = {one.name: one for one in calls_of(read_study(study))}
    assert calls["jury"].needs == ("words",)
    assert calls["agree"].needs == ("words",)
    assert calls["paper"].needs == ()


def test_every_option_that_writes_a_file_is_known_as_one(study: Path) -> None:
    """A new option that writes must be named in WRITTEN, or a study would take it for an input."""
    assert study.exists()
    missing: list[tuple[str, str]] = []
    seen = 0
    for name in CALLS:
        parser = build_parser(name)[0]
        if "--format" not in parser._option_string_actions or name.startswith("data "):
            continue
        for action in parser._actions:
            flag = max(action.option_strings, key=len, default="")[2:]
            writes = re.match(r"write|draw|keep the|also write|where .* go", action.help or "")
            if action.metavar in ("FILE", "FOLDER") and writes:
                seen += 1
                if flag not in WRITTEN | WRITTEN_BY.get(name, set()):
                    missing.append((name, flag))
    assert seen > 20
    assert missing == []


# --- the page about it ---


def test_the_study_in_the_documentation_is_one(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "run.md"
    shown = re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert shown
    (tmp_path / "annotators").mkdir()
    for name in re.findall(r"\"([\w/*]+\.\w+)\"", "".join(shown)):
        (tmp_path / name.replace("*", "1")).touch()
    for text in shown:
        (tmp_path / "study.toml").write_text(text, "utf-8")
        assert calls_of(read_study(tmp_path / "study.toml"))


def arguments_of(name: str) -> list[str]:
    parser, _ = build_parser(name)
    return [action.dest for action in parser._actions if not action.option_strings]


def test_the_documentation_names_the_arguments_of_every_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "run.md").read_text("utf-8")
    rows: dict[str, list[str]] = {}
    for commands, named in re.findall(r"^\| (`[^|]+) \| ([^|]+) \|$", page, re.MULTILINE):
        for command in re.findall(r"`([^`]+)`", commands):
            rows[command] = [] if named.startswith("none") else re.findall(r"`([^`]+)`", named)
    checked: dict[str, Any] = {}
    for name in CALLS:
        if "--format" in build_parser(name)[0]._option_string_actions and "data " not in name:
            checked[name] = arguments_of(name)
    assert {name: rows.get(name) for name in checked} == checked
