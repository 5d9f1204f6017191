"""CrowdFlower, Figure Eight and Appen reports."""

from __future__ import annotations

import pytest
from exported import column, read_file, read_text, rows

from jurybox.errors import FormatError

HEAD = "_unit_id,_id,_tainted,_worker_id,"


def test_a_full_report_gives_judgments_gold_trust_and_seconds() -> None:
    found = read_file("crowdflower_full.csv", extra=("trust", "seconds"))
    assert found.format == "crowdflower"
    assert rows(found) == [("7001", "31", "yes"), ("7002", "31", "no"), ("7002", "33", "yes")]
    assert column(found, "trust") == [0.9, 0.9, 0.8]
    assert column(found, "seconds") == [22, 30, 40]
    assert [case.gold for case in found.cases.cases] == [(), ("no", "not_sure")]
    assert found.cases.cases[0].sentence == "He sat on it ."


def test_tainted_judgments_are_left_out_unless_asked_for() -> None:
    assert read_file("crowdflower_full.csv").left_out == {"tainted": 1}
    assert ("7001", "32", "no") in rows(read_file("crowdflower_full.csv", rejected=True))


def test_labels_of_gold_are_mapped_like_labels() -> None:
    found = read_file("crowdflower_full.csv", labels={"yes": "ok", "no": "error"})
    assert found.table.labels == ["ok", "error"]
    assert found.cases.cases[1].gold == ("error", "not_sure")


def test_the_time_of_a_page_is_divided_among_its_units() -> None:
    text = "_unit_id,_created_at,_started_at,_worker_id,q\n"
    text += "1,7/4/2016 13:01:00,7/4/2016 13:00:00,9,yes\n"
    text += "2,7/4/2016 13:01:00,7/4/2016 13:00:00,9,no\n"
    text += "1,7/4/2016 13:01:00,7/4/2016 13:00:00,8,no\n"
    assert column(read_text(text, extra=("seconds",)), "seconds") == [30, 30, 60]


def test_an_aggregated_report_is_told_apart_and_read_as_what_it_is() -> None:
    found = read_file("crowdflower_aggregated.csv", extra=("confidence",))
    assert rows(found) == [("7001", "aggregated", "yes"), ("7002", "aggregated", "no")]
    assert column(found, "confidence") == [0.6667, 1.0]
    assert any("an aggregated report: one label per case" in note for note in found.notes)


def test_several_questions_are_named_with_the_option_that_chooses() -> None:
    text = HEAD + "a,a_gold,b,b_gold\n1,1,false,9,x,,y,\n"
    with pytest.raises(FormatError, match=r"2 columns may be the answer: a, b; choose one with"):
        read_text(text)
    assert rows(read_text(text, columns={"label": "b"})) == [("1", "9", "y")]


def test_lists_of_several_answers_stay_lists() -> None:
    text = HEAD + 'kinds\n1,1,false,9,"[""article"", ""comma""]"\n1,2,false,8,"[""comma""]"\n'
    assert [label for _, _, label in rows(read_text(text))] == ['["article", "comma"]', "comma"]
