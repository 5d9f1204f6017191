"""`jurybox score`: hand-worked numbers, the shape of the JSON, every option that changes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

import jurybox
from jurybox.cli import run
from readme_example import GOLD, GOOD, WORSE

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"

README_GOOD, README_WORSE = ("".join(f"{line}\n" for line in lines) for lines in (GOOD, WORSE))

ScoreJson = Callable[..., dict[str, Any]]


@pytest.fixture
def score_json(capsys: pytest.CaptureFixture[str]) -> ScoreJson:
    def score(*arguments: object) -> dict[str, Any]:
        code = run(["score", *map(str, arguments), "--format", "json"])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        made: dict[str, Any] = json.loads(out)
        return made

    return score


def counts(made: dict[str, Any], system: int = 0) -> tuple[int, int, int]:
    row = made["systems"][system]
    return row["tp"], row["fp"], row["fn"]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def readme_gold(tmp_path: Path) -> Path:
    return write(tmp_path / "gold.m2", GOLD)


def m2_edit(start: int, end: int, correction: str, who: str = "0", kind: str = "X") -> str:
    return f"A {start} {end}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{who}\n"


# --- m2 ------------------------------------------------------------------------------------------


def test_the_readme_example_gets_the_official_numbers(
    tmp_path: Path, readme_gold: Path, score_json: ScoreJson
) -> None:
    good, worse = write(tmp_path / "a", README_GOOD), write(tmp_path / "b", README_WORSE)
    made = score_json(good, worse, "--gold", readme_gold)
    assert counts(made, 0) == (4, 1, 1)
    assert counts(made, 1) == (3, 1, 2)
    first, second = made["systems"]
    assert [first[k] for k in ("precision", "recall", "f")] == pytest.approx([0.8, 0.8, 0.8])
    assert [second[k] for k in ("precision", "recall", "f")] == pytest.approx(
        [0.75, 0.6, 1.25 * 0.75 * 0.6 / (0.25 * 0.75 + 0.6)]
    )


def test_the_json_has_the_documented_envelope(
    tmp_path: Path, readme_gold: Path, score_json: ScoreJson
) -> None:
    hypothesis = write(tmp_path / "my_output.txt", README_GOOD)
    made = score_json(hypothesis, "--gold", readme_gold)
    # the promised keys come first and in this order; what later versions add stands behind
    assert list(made)[:5] == ["schema", "command", "version", "signature", "inputs"]
    assert {"metric", "systems"} <= made.keys()
    assert made["schema"] == "jurybox.score/1"
    assert made["command"] == "score"
    assert made["version"] == jurybox.__version__
    assert made["metric"] == "m2"
    assert made["signature"] == (
        "jurybox m2|refs:2|choice:running|beta:0.5|unchanged:2|case:kept|v:" + jurybox.__version__
    )
    assert made["inputs"] == [
        {"path": str(path), "sha256": sha256(path.read_bytes()).hexdigest()}
        for path in (hypothesis, readme_gold)
    ]
    (system,) = made["systems"]
    assert list(system)[:7] == ["name", "tp", "fp", "fn", "precision", "recall", "f"]
    assert system["name"] == "my_output.txt"
    assert system["sentences"] == 3
    assert all(isinstance(system[name], int) for name in ("tp", "fp", "fn"))


def test_an_untouched_source_has_precision_1_and_f_0(score_json: ScoreJson) -> None:
    made = score_json(SAMPLE / "source.txt", "--gold", SAMPLE / "gold.m2")
    system = made["systems"][0]
    assert (system["tp"], system["fp"]) == (0, 0)
    assert (system["precision"], system["recall"], system["f"]) == (1.0, 0.0, 0.0)


def test_beta_weighs_recall(tmp_path: Path, readme_gold: Path, score_json: ScoreJson) -> None:
    worse = write(tmp_path / "b", README_WORSE)
    made = score_json(worse, "--gold", readme_gold, "--beta", 2)
    assert counts(made) == (3, 1, 2)
    assert made["systems"][0]["f"] == pytest.approx(5 * 0.75 * 0.6 / (4 * 0.75 + 0.6))
    assert "|beta:2|" in made["signature"]


def test_the_choice_of_annotator_is_by_running_totals_or_by_sentence(
    tmp_path: Path, score_json: ScoreJson
) -> None:
    # Sentence 1: one wrong edit, two gold edits missed. Sentence 2: annotator 0 has 2 of 3 right,
    # annotator 1 takes the whole as one edit. Alone, F is .667 against 1; added to sentence 1,
    # 2.5/5.25 against 1.25/2.75.
    gold = "S aa bb\n" + m2_edit(1, 2, "cc") + m2_edit(2, 2, "dd")
    gold += "\nS p q r s\n" + m2_edit(0, 1, "P") + m2_edit(1, 2, "Q") + m2_edit(2, 3, "zz")
    gold += m2_edit(0, 3, "P Q R", who="1")
    arguments = [write(tmp_path / "h", "xx bb\nP Q R s\n"), "--gold"]
    arguments.append(write(tmp_path / "g.m2", gold))
    running = score_json(*arguments)
    alone = score_json(*arguments, "--choice", "sentence")
    assert counts(running) == (2, 2, 3)
    assert counts(alone) == (1, 1, 2)
    assert "|choice:running|" in running["signature"]
    assert "|choice:sentence|" in alone["signature"]


@pytest.mark.parametrize(("allowed", "expected"), [(2, (1, 0, 0)), (1, (0, 2, 1)), (0, (0, 2, 1))])
def test_max_unchanged_words_limits_what_one_edit_may_span(
    tmp_path: Path, score_json: ScoreJson, allowed: int, expected: tuple[int, int, int]
) -> None:
    gold = write(tmp_path / "g.m2", "S a b c d\n" + m2_edit(0, 4, "A b c D"))
    hypothesis = write(tmp_path / "h", "A b c D\n")
    made = score_json(hypothesis, "--gold", gold, "--max-unchanged-words", allowed)
    assert counts(made) == expected
    assert f"|unchanged:{allowed}|" in made["signature"]


@pytest.mark.parametrize(
    ("gold_edits", "plain", "ignoring"),
    [
        # the change of case is in the gold: without it the system misses one
        (m2_edit(0, 1, "The") + m2_edit(3, 3, "down"), (2, 0, 0), (1, 0, 1)),
        # the change of case is not in the gold: without it the system has no false alarm
        (m2_edit(3, 3, "down"), (1, 1, 0), (1, 0, 0)),
    ],
)
def test_ignoring_case_takes_edits_from_the_hypothesis_only(
    tmp_path: Path,
    score_json: ScoreJson,
    gold_edits: str,
    plain: tuple[int, int, int],
    ignoring: tuple[int, int, int],
) -> None:
    gold = write(tmp_path / "g.m2", "S the cat sat .\n" + gold_edits)
    hypothesis = write(tmp_path / "h", "The cat sat down .\n")
    assert counts(score_json(hypothesis, "--gold", gold)) == plain
    made = score_json(hypothesis, "--gold", gold, "--ignore-case-whitespace")
    assert counts(made) == ignoring
    assert "|case:ignored|" in made["signature"]


def test_ignoring_whitespace_drops_an_edit_that_only_joins_words(
    tmp_path: Path, score_json: ScoreJson
) -> None:
    gold = write(tmp_path / "g.m2", "S I can not swim .\n" + m2_edit(3, 4, "sing"))
    hypothesis = write(tmp_path / "h", "I cannot swim .\n")
    assert counts(score_json(hypothesis, "--gold", gold)) == (0, 1, 1)
    made = score_json(hypothesis, "--gold", gold, "--ignore-case-whitespace")
    assert counts(made) == (0, 0, 1)


def test_single_annotator_files_are_a_panel_like_the_combined_file(
    tmp_path: Path, score_json: ScoreJson
) -> None:
    sources = ["S a b c\n", "S d e\n", "S f g h\n"]
    ours = [m2_edit(0, 1, "A"), "", m2_edit(2, 3, "H")]
    theirs = [m2_edit(1, 2, "B"), m2_edit(0, 1, "D"), ""]
    combined = ""
    for source, one, other in zip(sources, ours, theirs, strict=True):
        noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}\n"
        second = other.replace("|||0\n", "|||1\n")
        combined += f"{source}{one or noop.format(0)}{second or noop.format(1)}\n"
    whole = write(tmp_path / "both.m2", combined)
    parts = [
        write(tmp_path / name, "\n".join(map(str.__add__, sources, edits)))
        for name, edits in (("A1.m2", ours), ("A2.m2", theirs))
    ]
    hypothesis = write(tmp_path / "h", "A b c\nd e\nf h\n")
    from_whole = score_json(hypothesis, "--gold", whole)
    from_parts = score_json(hypothesis, "--gold", *parts)
    # sentence 1: annotator 0 agrees; sentence 2: annotator 0 left it too; sentence 3: one false
    # alarm, and annotator 1 has nothing to miss
    assert counts(from_whole) == (1, 1, 0)
    assert from_parts["systems"] == from_whole["systems"]
    assert from_parts["signature"] == from_whole["signature"]
    repeated = score_json(hypothesis, "--gold", parts[0], "--gold", parts[1])
    assert repeated == from_parts


def test_rows_by_type_add_up_to_the_whole(score_json: ScoreJson) -> None:
    files = [SAMPLE / name for name in ("bold.txt", "cautious.txt", "rewriter.txt")]
    made = score_json(*files, "--gold", SAMPLE / "gold.m2", "--by", "type")
    for system in made["systems"]:
        for name in ("tp", "fp", "fn"):
            assert sum(row[name] for row in system["by_type"]) == system[name]


def test_by_type_gives_recall_and_f_of_each_gold_type(
    tmp_path: Path, readme_gold: Path, score_json: ScoreJson
) -> None:
    good = write(tmp_path / "h", README_GOOD)
    made = score_json(good, "--gold", readme_gold, "--by", "type")
    rows = {row["type"]: row for row in made["systems"][0]["by_type"]}
    assert (rows["ArtOrDet"]["tp"], rows["ArtOrDet"]["fn"]) == (2, 0)
    assert (rows["NN"]["tp"], rows["NN"]["fn"]) == (0, 1)
    assert (rows["NN"]["recall"], rows["NN"]["f"]) == (0.0, 0.0)
    assert (rows["SVA"]["tp"], rows["SVA"]["recall"], rows["SVA"]["f"]) == (1, 1.0, 1.0)


def test_the_verbose_json_shows_what_matched_sentence_by_sentence(
    tmp_path: Path, readme_gold: Path, score_json: ScoreJson
) -> None:
    good = write(tmp_path / "h", README_GOOD)
    made = score_json(good, "--gold", readme_gold, "--verbose")
    first, second, third = made["systems"][0]["details"]
    assert first["source"] == "The cat sat at mat ."
    assert first["hypothesis"] == "A cat sat on the mat ."
    assert (first["annotator"], first["tp"], first["fp"], first["fn"]) == ("0", 2, 1, 0)
    right = [edit for edit in first["proposed"] if edit["matched"]]
    assert [(e["start"], e["end"], e["source"], e["replacement"]) for e in right] == [
        (3, 4, "at", "on"),
        (4, 4, "", "the"),
    ]
    assert len(first["proposed"]) == 3
    assert all(edit["matched"] for edit in first["gold"])
    assert (second["annotator"], second["proposed"], second["gold"]) == ("1", [], [])
    missed = [edit for edit in third["gold"] if not edit["matched"]]
    assert [(e["source"], e["replacement"], e["type"]) for e in missed] == [
        ("predator", "predators", "NN")
    ]


def test_the_verbose_text_shows_source_hypothesis_and_edits(
    tmp_path: Path, readme_gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write(tmp_path / "h", README_GOOD)
    assert run(["score", str(good), "--gold", str(readme_gold), "--verbose"]) == 0
    shown = capsys.readouterr().out
    for line in (
        "correct 2, proposed 3, gold 2 (annotator 0)",
        "The cat sat at mat .",
        "A cat sat on the mat .",
        "+ 3-4 [at] -> [on] (Prep)",
        "- 5-6 [predator] -> [predators] (NN)",
    ):
        assert line in shown


def test_verbose_rows_add_up_to_the_whole(score_json: ScoreJson) -> None:
    files = [SAMPLE / name for name in ("bold.txt", "rewriter.txt")]
    for system in score_json(*files, "--gold", SAMPLE / "gold.m2", "--verbose")["systems"]:
        for name in ("tp", "fp", "fn"):
            assert sum(row[name] for row in system["details"]) == system[name]
        assert len(system["details"]) == system["sentences"]


def test_two_processes_give_the_same_as_one(tmp_path: Path, score_json: ScoreJson) -> None:
    times = 36  # 540 sentences: more than one batch
    names = ("bold.txt", "cautious.txt", "rewriter.txt")
    files = [
        write(tmp_path / name, (SAMPLE / name).read_text(encoding="utf-8") * times)
        for name in names
    ]
    gold = write(tmp_path / "g.m2", (SAMPLE / "gold.m2").read_text(encoding="utf-8") * times)
    arguments = [*files, "--gold", gold, "--by", "type", "--verbose"]
    one, two = score_json(*arguments), score_json(*arguments, "--jobs", 2)
    assert one["systems"][0]["sentences"] == 15 * times
    assert one == two


def test_a_source_that_matches_the_gold_is_accepted_and_listed(score_json: ScoreJson) -> None:
    made = score_json(
        SAMPLE / "bold.txt", "--gold", SAMPLE / "gold.m2", "--source", SAMPLE / "source.txt"
    )
    plain = score_json(SAMPLE / "bold.txt", "--gold", SAMPLE / "gold.m2")
    assert made["systems"] == plain["systems"]
    assert str(SAMPLE / "source.txt") in [given["path"] for given in made["inputs"]]


def test_systems_of_the_same_file_name_are_told_apart_by_their_folders(
    tmp_path: Path, readme_gold: Path, score_json: ScoreJson
) -> None:
    paths = []
    for folder, text in (("one", README_GOOD), ("two", README_WORSE)):
        (tmp_path / folder).mkdir()
        paths.append(write(tmp_path / folder / "out.txt", text))
    made = score_json(*paths, "--gold", readme_gold)
    assert [system["name"] for system in made["systems"]] == [str(path) for path in paths]
    assert [system["tp"] for system in made["systems"]] == [4, 3]


# --- errant --------------------------------------------------------------------------------------

SYSTEM_M2 = (
    "S The cat sit on mat .\n"
    + m2_edit(2, 3, "sat", kind="R:VERB")
    + m2_edit(4, 4, "the", kind="M:OTHER")
    + "\nS I like it\n"
    + m2_edit(0, 2, "We love", kind="R:OTHER")
)
REFERENCE_M2 = (
    "S The cat sit on mat .\n"
    + m2_edit(2, 3, "sits", kind="R:VERB:SVA")
    + m2_edit(4, 4, "the", kind="M:DET")
    + "\nS I like it\n"
    + m2_edit(1, 2, "love", kind="R:VERB")
)


@pytest.fixture
def errant_files(tmp_path: Path) -> list[object]:
    system = write(tmp_path / "system.out", SYSTEM_M2)
    reference = write(tmp_path / "reference.m2", REFERENCE_M2)
    return [system, "--gold", reference, "--metric", "errant"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], (1, 2, 2)),
        (["--level", "correction"], (1, 2, 2)),
        (["--level", "correction-type"], (0, 3, 3)),
        (["--level", "span"], (2, 1, 1)),
        (["--level", "token"], (3, 1, 0)),
        (["--edit-size", "single"], (1, 1, 2)),
        (["--edit-size", "multi"], (0, 1, 0)),
        (["--types", "M"], (1, 0, 0)),
        (["--types", "R"], (0, 2, 2)),
        (["--types", "DET"], (0, 0, 1)),
        (["--types", "R:OTHER", "R:VERB:SVA"], (0, 1, 1)),
        (["--types", "R:OTHER,R:VERB:SVA"], (0, 1, 1)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_errant_levels_and_filters_count_as_worked_out_by_hand(
    errant_files: list[object],
    score_json: ScoreJson,
    options: list[str],
    expected: tuple[int, int, int],
) -> None:
    made = score_json(*errant_files, *options)
    assert counts(made) == expected
    assert made["metric"] == "errant"
    assert list(made["systems"][0])[:7] == ["name", "tp", "fp", "fn", "precision", "recall", "f"]


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--level", "span"], "|level:span|"),
        (["--edit-size", "single"], "|size:single|"),
        (["--types", "M", "DET"], "|types:M+DET|"),
    ],
)
def test_the_errant_signature_names_what_was_compared(
    errant_files: list[object], score_json: ScoreJson, options: list[str], part: str
) -> None:
    assert part in score_json(*errant_files, *options)["signature"]


def test_errant_by_type_puts_hits_and_misses_to_the_reference_and_alarms_to_the_hypothesis(
    errant_files: list[object], score_json: ScoreJson
) -> None:
    made = score_json(*errant_files, "--by", "type")
    rows = {row["type"]: (row["tp"], row["fp"], row["fn"]) for row in made["systems"][0]["by_type"]}
    assert rows == {
        "M:DET": (1, 0, 0),
        "R:OTHER": (0, 1, 0),
        "R:VERB": (0, 1, 1),
        "R:VERB:SVA": (0, 0, 1),
    }


def test_errant_without_false_alarms_has_precision_1(score_json: ScoreJson, tmp_path: Path) -> None:
    system = write(tmp_path / "s.m2", "S a b\n\nS c\n")
    edit = m2_edit(0, 1, "A", kind="R:ORTH")
    reference = write(tmp_path / "r.m2", f"S a b\n{edit}\nS c\n")
    row = score_json(system, "--gold", reference, "--metric", "errant")["systems"][0]
    assert (row["precision"], row["recall"], row["f"]) == (1.0, 0.0, 0.0)


# --- gleu ----------------------------------------------------------------------------------------

# Eight words, the last of which should change: of n-grams 1..4 the untouched source shares
# 7, 6, 5, 4 with the reference and loses one each for the n-gram it should have changed.
GLEU_SOURCE = "a b c d e f g x\n"
GLEU_REFERENCE = "a b c d e f g y\n"
UNTOUCHED = (6 / 8 * 5 / 7 * 4 / 6 * 3 / 5) ** 0.25


@pytest.fixture
def gleu_files(tmp_path: Path) -> dict[str, Path]:
    return {
        "source": write(tmp_path / "src", GLEU_SOURCE),
        "ref0": write(tmp_path / "ref0", GLEU_REFERENCE),
        "ref1": write(tmp_path / "ref1", GLEU_SOURCE),
    }


def test_gleu_with_one_reference_is_the_number_worked_out_by_hand(
    gleu_files: dict[str, Path], score_json: ScoreJson
) -> None:
    source, reference = gleu_files["source"], gleu_files["ref0"]
    made = score_json(
        source, reference, "--source", source, "--refs", reference, "--metric", "gleu"
    )
    untouched, perfect = made["systems"]
    assert untouched["score"] == pytest.approx(UNTOUCHED)
    assert perfect["score"] == pytest.approx(1.0)
    assert "tp" not in untouched
    assert made["metric"] == "gleu"


def test_gleu_with_two_references_is_the_mean_of_500_official_draws(
    gleu_files: dict[str, Path], score_json: ScoreJson
) -> None:
    source = gleu_files["source"]
    refs = [gleu_files["ref0"], gleu_files["ref1"]]
    made = score_json(source, "--source", source, "--refs", *refs, "--metric", "gleu")
    drawn = [int(Random(101 * draw).random() * 2) for draw in range(500)]
    expected = sum(1.0 if reference == 1 else UNTOUCHED for reference in drawn) / 500
    assert made["systems"][0]["score"] == pytest.approx(expected)
    assert "500-draws" in made["signature"]


def test_gleu_of_expected_statistics_is_another_number_under_another_name(
    gleu_files: dict[str, Path], score_json: ScoreJson
) -> None:
    source = gleu_files["source"]
    refs = [gleu_files["ref0"], gleu_files["ref1"]]
    made = score_json(
        source, "--source", source, "--refs", *refs, "--metric", "gleu", "--expected-statistics"
    )
    # averaged over both references 7 of 8, 6 of 7, 5 of 6 and 4 of 5 n-grams: half in all
    assert made["systems"][0]["score"] == pytest.approx(0.5**0.25)
    assert "expected-statistics" in made["signature"]
    assert "draws" not in made["signature"]


def test_gleu_from_gold_edits_equals_gleu_from_the_corrected_texts(
    tmp_path: Path, score_json: ScoreJson, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for annotator in ("0", "1"):
        texts.append(tmp_path / f"corrected{annotator}.txt")
        gold = str(SAMPLE / "gold.m2")
        assert run(["convert", gold, str(texts[-1]), "--annotator", annotator]) == 0
    capsys.readouterr()
    from_texts = score_json(
        SAMPLE / "bold.txt", "--source", SAMPLE / "source.txt", "--refs", *texts, "--metric", "gleu"
    )
    from_gold = score_json(SAMPLE / "bold.txt", "--gold", SAMPLE / "gold.m2", "--metric", "gleu")
    assert from_gold["systems"] == from_texts["systems"]
    assert from_gold["signature"] == from_texts["signature"]


def test_graded_scores_stand_beside_the_official_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = ["score", str(SAMPLE / "bold.txt"), "--gold", str(SAMPLE / "gold.m2"), "--graded"]
    assert run([*given, "--format", "json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    edit, span = system["graded"]
    assert (system["tp"], system["fp"], edit["by"], span["by"]) == (23, 5, "edit", "span")
    # every edit of a person is wanted or missed: 44 edits by two people are 22 in all
    assert edit["tp"] + edit["fn"] == pytest.approx(22)
    assert span["tp"] >= edit["tp"]
    assert run(given) == 0
    assert "an edit counts by the share of annotators" in capsys.readouterr().out
    assert run([*given, "--metric", "gleu"]) == 2
