"""What the commands about raters read: files of anybody, and judgments in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurybox.errors import FormatError, InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.model import Case, CaseSet, JudgmentTable
from jurybox.raters.inputs import read_ratings, trust_expert

MTURK = "HITId,AssignmentId,WorkerId,Answer.Q1\nh1,a1,W1,No\nh1,a2,W2,Yes\n"


def table(text: str) -> Input:
    return Input.from_text(text, "judgments.csv")


def test_the_order_of_labels_does_not_hang_on_the_order_of_rows() -> None:
    rows = ["c1,Ann,10", "c1,Bob,9", "c2,Ann,1"]
    for order in (rows, rows[::-1]):
        found = read_ratings(table("\n".join(["case,rater,label", *order])))
        assert found.ratings.labels == ("1", "9", "10")
        said = dict(zip(found.ratings.row.tolist(), found.ratings.label.tolist(), strict=True))
        assert [found.ratings.labels[said[row]] for row in range(3)] == [
            line.split(",")[2] for line in order
        ]


def test_worker_ids_are_shown_only_if_that_is_asked_for() -> None:
    assert read_ratings(table(MTURK)).ratings.raters == ("R1", "R2")
    assert read_ratings(table(MTURK), show_raters=True).ratings.raters == ("W1", "W2")
    own = table("case,rater,label\nc1,Ann,ok\n")
    assert read_ratings(own).ratings.raters == ("Ann",)
    assert read_ratings(own, pseudonymise=True).ratings.raters == ("R1",)


def test_unknown_is_no_answer_in_any_spelling() -> None:
    found = read_ratings(table("case,rater,label\nc1,Ann,Unknown\nc1,Bob,?\nc1,Cem,ok\n"))
    assert (found.ratings.labels, found.ratings.left_out) == (("?", "ok"), 1)
    merged = read_ratings(
        table("case,rater,label\nc1,Ann,Unknown\nc1,Bob,?\nc1,Cem,ok\n"), relabel={"?": "unknown"}
    )
    assert (merged.ratings.labels, merged.ratings.left_out) == (("ok",), 2)


def test_nothing_but_unknown_is_an_error() -> None:
    with pytest.raises(InputError, match="but unknown"):
        read_ratings([("c1", "Ann", "unknown")])


def test_models_are_left_out_and_counted_unless_asked_for() -> None:
    text = "case,rater,label,kind\nc1,Ann,ok,human\nc1,GPT,error,model\n"
    with pytest.warns(JuryboxWarning, match="1 judgments by 1 rater of kind model"):
        found = read_ratings(table(text))
    assert (len(found.ratings), len(found.everybody)) == (1, 2)
    both = read_ratings(table(text), count_models=True)
    assert len(both.ratings) == 2


def test_only_models_is_an_error_that_names_the_option() -> None:
    text = "case,rater,label,kind\nc1,GPT,error,model\n"
    with pytest.raises(InputError, match="--count-models"):
        read_ratings(table(text))


def test_gold_from_a_file_replaces_the_column_and_takes_lists() -> None:
    text = "case,rater,label,gold\nc1,Ann,ok,error\nc2,Ann,error,\nc3,Ann,ok,\n"
    gold = Input.from_text('case,gold\nc1,ok\nc2,"[""ok"", ""error""]"\n', "gold.csv")
    found = read_ratings(table(text), gold=gold)
    assert found.gold == (("ok",), ("ok", "error"), ())
    assert found.is_gold.tolist() == [True, True, False]
    assert found.right.tolist() == [[False, True], [True, True], [False, False]]
    assert [given.name for given in found.inputs] == ["judgments.csv", "gold.csv"]


def test_gold_labels_are_renamed_like_the_judgments() -> None:
    text = "case,rater,label\nc1,Ann,Yes\n"
    gold = Input.from_text("case,label\nc1,Yes\n")
    assert read_ratings(table(text), gold=gold, relabel={"Yes": "ok"}).gold == (("ok",),)


def test_gold_about_other_cases_is_an_error() -> None:
    with pytest.raises(InputError, match="none of its 1 cases was judged"):
        read_ratings([("c1", "Ann", "ok")], gold={"x1": "ok"})


def test_gold_for_cases_that_nobody_judged_is_told() -> None:
    with pytest.warns(JuryboxWarning, match="1 of 2 cases were not judged"):
        read_ratings([("c1", "Ann", "ok")], gold={"c1": "ok", "c2": "ok"})


def test_gold_in_words_that_no_rater_uses_is_told() -> None:
    with pytest.warns(JuryboxWarning, match="no rater gave any of the right labels"):
        read_ratings([("c1", "Ann", "0")], gold={"c1": "ok"})


def test_a_gold_file_without_answers_names_the_columns_it_needs() -> None:
    with pytest.raises(InputError, match="columns case and gold"):
        read_ratings([("c1", "Ann", "0")], gold=Input.from_text("case,truth\nc1,0\n"))


def test_an_expert_is_the_truth_and_no_voice() -> None:
    said = [("c1", "Eve", "ok"), ("c1", "Ann", "error"), ("c2", "Ann", "ok")]
    found = trust_expert(read_ratings(said), "Eve")
    assert found.gold == (("ok",), ())
    assert len(found.ratings) == 2
    assert found.gold_from == "expert Eve"


def test_an_expert_of_a_platform_is_known_by_either_name() -> None:
    found = read_ratings(table(MTURK))
    for name in ("R1", "W1"):
        assert trust_expert(found, name).gold == (("No",),)


def test_an_expert_who_is_nobody_is_an_error_with_the_near_name() -> None:
    with pytest.raises(InputError, match="did you mean 'Anna'"):
        trust_expert(read_ratings([("c1", "Anna", "ok")]), "Ana")


def test_an_expert_alone_leaves_nothing_to_look_at() -> None:
    with pytest.raises(InputError, match="nobody else"):
        trust_expert(read_ratings([("c1", "Ann", "ok")]), "Ann")


def test_a_table_in_memory_needs_its_cases() -> None:
    made = JudgmentTable()
    made.append(0, "Ann", "ok")
    with pytest.raises(UsageError, match="give them too"):
        read_ratings(made)
    found = read_ratings(made, cases=CaseSet((Case("c1", gold=("ok",)),)))
    assert (found.cases, found.gold) == (("c1",), (("ok",),))


def test_of_two_judgments_in_memory_the_first_counts_as_in_a_file() -> None:
    with pytest.warns(JuryboxWarning, match=r"judgments \(list\), row 1, judged in row 0"):
        found = read_ratings([("c1", "Ann", "ok"), ("c1", "Ann", "error")])
    assert found.ratings.labels == ("ok",)


def test_a_wide_table_is_read_where_that_is_said(data_dir: Path) -> None:
    found = read_ratings(data_dir / "agreement" / "krippendorff-2011.csv", input_format="wide")
    assert (len(found.ratings), found.ratings.cases) == (41, 12)
    assert sorted(found.ratings.raters) == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unit\n1\n", "a wide table"),
        ("unit,A,A\n1,2,3\n", "column 3 .A.: two columns are called"),
        ("unit,A,B\n1,2\n", "column 3 .B.: 2 cells where the header has 3"),
    ],
)
def test_a_wide_table_that_is_none_is_an_error_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ratings(table(text), input_format="wide")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("unit,A,B\n1,ok,ok\n2,ok,<b>ok</b>\n", "judgments.csv:3, column 3 (B): the answer holds"),
        ("unit,A,gold\n1,ok,x\n\n1,ok,y\n", "judgments.csv:4, column 3 (gold): gold is y"),
        ("unit,A,B\n1,ok,ok\n,ok,ok\n", "judgments.csv:3, column 1 (unit): empty"),
        ("unit;A;B\n1;ok;ok\n", "judgments.csv:1, column 1, character 5: columns are separated"),
        ('unit,A,B\n1,ok,"ok\n', "judgments.csv:2, column 3 (B), character 6: a quote"),
    ],
)
def test_errors_about_a_wide_table_name_its_own_lines_and_columns(text: str, place: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_ratings(table(text), input_format="wide")
    assert str(caught.value).startswith(place)


def test_several_faults_of_a_wide_table_are_counted() -> None:
    text = "unit,A,B\n1,<b>,<b>\n2,<b>,<b>\n"
    with pytest.raises(FormatError, match=r"and 3 more bad lines") as caught:
        read_ratings(table(text), input_format="wide")
    assert "made long" not in str(caught.value)


def test_of_repeats_in_memory_the_first_answer_counts_and_the_table_stays_as_it_was() -> None:
    made = JudgmentTable()
    for rater, label in (("Ann", "unknown"), ("Ann", "ok"), ("Bob", "error"), ("Ann", "error")):
        made.append(0, rater, label, ("at",))
    cases = CaseSet((Case("c1"),))
    with pytest.warns(JuryboxWarning, match=r"2 judgments by a rater .* the first answer counts"):
        found = read_ratings(made, cases=cases)
    said = zip(found.ratings.rater.tolist(), found.ratings.label.tolist(), strict=True)
    assert [(found.ratings.raters[r], found.ratings.labels[k]) for r, k in said] == [
        *(("Ann", "ok"), ("Bob", "error"))
    ]
    assert len(made) == 4
    assert len(read_ratings(made, cases=cases, repeats="keep").ratings) == 3  # unknown is none


def test_counts_are_told_to_be_for_agree_and_unknown_formats_have_a_near_name() -> None:
    with pytest.raises(UsageError, match=r"--input-format counts: .* only agree"):
        read_ratings(table("case,ok,error\n1,2,0\n"), input_format="counts")
    with pytest.raises(UsageError, match=r"did you mean 'wide'"):
        read_ratings(table("case,A\n1,2\n"), input_format="widee")


def test_further_columns_follow_the_judgments_that_count() -> None:
    text = "case,rater,label,seconds,batch\nc1,Ann,unknown,9,B1\nc1,Bob,ok,3,B2\n"
    found = read_ratings(table(text), extra=("seconds", "batch"))
    seconds, batch = found.numbers("seconds"), found.words("batch")
    assert seconds is not None
    assert batch is not None
    assert seconds.tolist() == [3.0]
    assert [batch[0][number] for number in batch[1].tolist()] == ["B2"]
    assert found.numbers("reward") is None
    assert found.words("context") is None


@pytest.mark.parametrize("title", ["worker_id", "!amt_worker_ids", "WorkerId"])
def test_ids_of_workers_in_a_long_table_are_hidden_too(title: str) -> None:
    given = table(f"case,{title},label\nc1,A2XY,ok\n")
    with pytest.warns(JuryboxWarning, match="is read as rater"):
        assert read_ratings(given).ratings.raters == ("R1",)
    with pytest.warns(JuryboxWarning, match="is read as rater"):
        assert read_ratings(given, show_raters=True).ratings.raters == ("A2XY",)


def test_labels_in_memory_beyond_the_limit_are_refused_and_not_mixed_up() -> None:
    with pytest.raises(InputError, match="'255' is the 256th different label"):
        read_ratings([(f"c{n}", "Ann", str(n)) for n in range(300)])
    crowded = JudgmentTable(labels=[str(n) for n in range(300)])
    with pytest.raises(InputError, match="room for 256 different labels"):
        read_ratings(crowded, cases=CaseSet((Case("c1"),)))


def test_the_same_number_in_two_spellings_is_one_label() -> None:
    given = table("case,rater,label,gold\nc1,A,1,1.0\nc1,B,1.0,1.0\nc2,A,2,02\n")
    with pytest.warns(JuryboxWarning, match=r"same number count as one.*1.0 is 1, 02 is 2"):
        found = read_ratings(given)
    assert found.ratings.labels == ("1", "2")
    assert found.ratings.label.tolist() == [0, 0, 1]
    assert found.gold == (("1",), ("2",))
    words = read_ratings(table("case,rater,label\nc1,A,1\nc1,B,1.0\nc2,A,no\n"))
    assert words.ratings.labels == ("1", "1.0", "no")


def test_gold_and_batch_of_a_wide_table_are_no_raters() -> None:
    given = table("unit,Ann,Gold,Bob,batch\n1,ok,ok,error,May\n2,ok,error,,June\n")
    found = read_ratings(given, input_format="wide", extra=("batch",))
    assert found.ratings.raters == ("Ann", "Bob")
    assert found.gold == (("ok",), ("error",))
    words = found.words("batch")
    assert words is not None
    assert [words[0][number] for number in words[1]] == ["May", "May", "June"]
