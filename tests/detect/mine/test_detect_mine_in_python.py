"""`mine_candidates`: cases as other commands know them, the same every time, clear refusals."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import jurybox
from jurybox.detect.mine import mine_candidates
from jurybox.detect.mine.result import SHOWN, MinedCandidates
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import cases, decisions
from jurybox.jury.cases import derive_cases
from saved_results import check_restored, check_schema

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
PANEL = sorted(SAMPLE.glob("A*.m2"))
SOURCE = SAMPLE / "source.txt"
#: well-formed text in which "near the" and "enter the" are frequent
SEA = "We live near the sea . To enter the water is a joy of life , of all ."


def mined(
    text: Any = SOURCE, *, times: int = 100, tokenised: bool = True, **options: Any
) -> MinedCandidates:
    counted = Input.from_text(f"{SEA}\n" * times)
    return mine_candidates(
        text, tokenised=tokenised, counts_text=counted, counts_tokenised=True, **options
    )


def test_candidates_are_those_that_the_counts_speak_against() -> None:
    found = mined()
    assert [one.text for one in found.trigrams] == ["near of the", "enter to the"]
    near = found.trigrams[0]
    assert (near.seen, near.bigram_seen, near.occurrences, near.cases) == (0, 100, 1, ("S1:10-11",))
    assert near.expected == pytest.approx(200 / 19)  # "of" is two words of nineteen
    assert (found.words_counted, found.least, found.sentences) == (1900, 1, 80)
    assert found.case_set.cases[0].sentence == SOURCE.read_text("utf-8").splitlines()[0]


def test_cases_of_a_panel_are_cases_that_derive_knows() -> None:
    documents = SAMPLE / "documents.txt"
    known = derive_cases(PANEL, tagger="words", documents=documents).case_set.cases
    result = mined(None, m2=PANEL, documents=documents, tokenised=False)
    found = result.case_set.cases
    assert found[0].document == "essay-1"
    before = f"{sum(bool(case.before) for case in found)} of {len(found)} cases have the sentence"
    assert f"context: {before} before" in str(result)
    assert {one.construction for one in found} == {"extraneous-preposition"}
    assert {one._replace(construction="preposition") for one in found} <= set(known)


def test_prose_and_its_tokens_give_the_same_candidates() -> None:
    prose = Input.from_text("We moved here. Now we live near of the sea, and it's fine.\n")
    tokens = "We moved here .\nNow we live near of the sea , and it 's fine .\n"
    one, other = mined(prose, tokenised=False), mined(Input.from_text(tokens))
    (case,) = one.case_set
    assert case.before == "We moved here .", "of the same paragraph; tokens do not tell"
    assert (case._replace(before=""),) == other.case_set.cases
    assert [case.id for case in one.case_set.cases] == ["S2:4-5"]


def test_prose_is_counted_like_its_tokens() -> None:
    text = Input.from_text("I live near of the sea .")
    prose = Input.from_text("He lives near the sea, north of it. We live near the town. " * 9)
    found = mine_candidates(text, tokenised=True, counts_text=prose)
    assert (found.trigrams[0].bigram_seen, found.words_counted) == (18, 144)


def test_several_files_are_one_text(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("I live near of the sea .\n", "utf-8")
    found = mined([tmp_path / "a", tmp_path / "b"], per_trigram=5)
    assert [case.id for case in found.case_set.cases] == ["S1:3-4", "S2:3-4"]


def test_limits_limit() -> None:
    text = Input.from_text("I live near of the sea .\n" * 4 + "We enter to the sea .\n" * 2)
    found = mined(text, per_trigram=3)
    assert [one.cases for one in found.trigrams] == [
        *(("S1:3-4", "S2:3-4", "S3:3-4"), ("S5:2-3", "S6:2-3"))
    ]
    assert found.cases == len(found.case_set) == 5
    first = mined(text, top=1)
    assert [one.text for one in first.trigrams] == ["near of the"]
    assert (first.rarer, first.cases) == (2, 1)


def test_the_same_files_give_the_same_bytes() -> None:
    written = []
    for _ in range(2):
        out = io.StringIO()
        found = mined(per_trigram=3)
        cases.write(found.case_set, out)
        written.append((out.getvalue(), found.to_json()))
    assert written[0] == written[1]


def test_written_cases_and_scores_are_read_by_others(tmp_path: Path) -> None:
    found = mined(per_trigram=2)
    found.save(tmp_path / "cases.jsonl", tmp_path / "scores.csv")
    case_set = cases.read(tmp_path / "cases.jsonl")
    assert case_set == found.case_set
    assert "no random sample" in case_set.description.enumeration
    table = decisions.read(tmp_path / "scores.csv", case_set, name="mined", missing="refuse").table
    assert table.score is not None
    assert list(table.score) == [one.score for one in found.trigrams for _ in one.cases]
    assert list(table.score) == sorted(table.score, reverse=True)
    assert set(table.label) == {1}
    assert set(table.suggestion or ()) == {""}


def test_cases_for_raters_hold_no_scores(tmp_path: Path) -> None:
    found = mined().save(tmp_path / "cases.jsonl")
    assert "score" not in (tmp_path / "cases.jsonl").read_text("utf-8").split("\n", 1)[1]
    assert found.written == (("cases", str(tmp_path / "cases.jsonl")),)


def test_json_is_what_the_schema_says_and_comes_back_whole(tmp_path: Path) -> None:
    found = mined()
    found.save(tmp_path / "cases.jsonl", tmp_path / "scores.csv")
    check_schema(found, "detect-mine")
    check_restored(found)


def test_a_long_table_is_cut_and_says_so() -> None:
    before = [f"w{number:02}" for number in range(SHOWN + 3)]
    text = Input.from_lines(f"{word} of sea" for word in before)
    counted = Input.from_lines([*(f"{word} sea" for word in before * 9), "of"])
    found = mine_candidates(text, tokenised=True, counts_text=counted, counts_tokenised=True)
    [table] = found.tables()
    assert len(table.rows) == SHOWN
    assert table.notes[0] == "and 3 more; --format csv or json shows all"
    assert len(found.to_csv().splitlines()) == 1 + SHOWN + 3


def test_a_text_that_is_counted_itself_is_warned_of() -> None:
    with pytest.warns(JuryboxWarning, match=r"source\.txt is screened and counted"):
        found = mine_candidates(
            SOURCE,
            tokenised=True,
            counts_text=[SOURCE, Input.from_text(f"{SEA}\n" * 100)],
            counts_tokenised=True,
        )
    assert len(found.warnings) == 1
    assert next(one for one in found.trigrams if one.text == "near of the").seen == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"text": SOURCE, "m2": PANEL}, "--text or --m2, and not both"),
        ({"text": None, "tokenised": False}, "--text or --m2"),
        ({"text": None, "m2": PANEL}, "--tokenised is about --text"),
        ({"documents": SOURCE, "tokenised": False}, "--documents is about --m2 and --tokenised"),
        ({"top": 0}, "--top must be 1 or more, not 0"),
        ({"per_trigram": -1}, "--per-trigram must be 1 or more, not -1"),
        ({"min_count": 0}, "--min-count must be 1 or more, not 0"),
        ({"tagger": "wrods"}, "did you mean 'words'"),
        ({"counts": "counts.tsv"}, "--counts-text or --counts, and not both"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        mined(options.pop("text", SOURCE), **options)


def test_counts_that_nobody_names_are_asked_for() -> None:
    with pytest.raises(UsageError, match="--counts-text or --counts"):
        mine_candidates(SOURCE)
    with pytest.raises(UsageError, match="--counts-tokenised is about --counts-text"):
        mine_candidates(SOURCE, counts="counts.tsv", counts_tokenised=True)


def test_nothing_to_find_is_said() -> None:
    with pytest.raises(InputError, match="no preposition stands between two words"):
        mined(Input.from_text("Cats sleep .\n"))
    with pytest.raises(InputError, match=r"no trigram is rarer .* --min-count 101"):
        mined(min_count=101)


@pytest.mark.slow
def test_candidates_of_learners_essays_are_errors_far_more_often_than_others(
    data_dir: Path,
) -> None:
    panel = sorted((data_dir / "conll14-10").glob("A*.m2"))
    found = mine_candidates(m2=panel, counts_text=data_dir / "text" / "openstax.txt.xz", top=40)
    derived = derive_cases(panel, tagger="words")
    votes = dict.fromkeys((case.id for case in derived.case_set.cases), 0)
    for case, answer in zip(derived.judgments.case, derived.judgments.answer, strict=True):
        votes[derived.case_set.cases[case].id] += answer & 255 == 0
    everywhere = sum(count >= 5 for count in votes.values()) / len(votes)
    mined_ids = [name for one in found.trigrams for name in one.cases]
    assert len(mined_ids) == 40
    assert sum(votes[name] >= 5 for name in mined_ids) / 40 > 2.5 * everywhere


def test_duplicate_sentences_are_counted_and_dropped_on_request() -> None:
    """Madnani et al. (2011, footnote 3) removed two duplicate sentences."""
    line = "We live near of the sea ."
    text = f"{line}\nWe go .\n{line}\n"
    kept = mined(Input.from_text(text), per_trigram=5)
    assert (kept.places, kept.cases, kept.duplicates) == (2, 2, (1, False))
    assert "duplicates: 1 case at the same place of the same sentence as one before, kept" in str(
        kept
    )
    dropped = mined(Input.from_text(text), per_trigram=5, duplicates="drop")
    assert (dropped.places, dropped.cases, dropped.duplicates) == (1, 1, (1, True))
    assert [case.id for case in dropped.case_set] == ["S1:3-4"]
    assert dropped.trigrams[0].occurrences == 1
    assert "duplicates:drop" in dropped.signature
