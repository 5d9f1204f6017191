"""Rankings: tables, and the XML of Appraise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError, JuryboxError, JuryboxWarning
from jurybox.formats import Input
from jurybox.formats.tables.rankings import Ranking, holds_rankings, read

XML = """<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<error-correction-ranking-result id="x" source-language="err" target-language="cor">
  <ranking-item doc-id="d-0" duration="00:01:07" id="0" src-id="17" user="ann">
    <translation rank="2" system="P"/>
    <translation rank="1" system="Q R INPUT"/>
  </ranking-item>
  <ranking-item doc-id="d-3" id="3" src-id="17" user="ann">
    <source>It <b>are</b> .</source>
    <translation system="P" rank="1" />
    <translation system="Q" rank="1" />
  </ranking-item>
</error-correction-ranking-result>
</appraise-results>
"""


def text(content: str) -> Input:
    return Input.from_text(content, "ranks")


def test_systems_that_share_a_translation_tie_and_every_item_is_a_ranking() -> None:
    assert read(text(XML)) == [
        Ranking("17", "ann", {"P": 2, "Q": 1, "R": 1, "INPUT": 1}),
        Ranking("17", "ann", {"P": 1, "Q": 1}),
    ]


def test_outputs_that_are_all_the_same_are_one_translation_and_decide_nothing() -> None:
    one = '<translation system="GPT-3.5 T5 GECToR-ens\tINPUT" rank="1" />'
    item = f'<ranking-item src-id="230" doc-id="INPUT" id="28" user="annotator1">\n\t\t{one}\n'
    [found] = read(text(f"<appraise-results>{item}</ranking-item></appraise-results>"))
    assert found.ranks == {"GPT-3.5": 1, "T5": 1, "GECToR-ens": 1, "INPUT": 1}


@pytest.mark.parametrize(
    ("before", "after", "line", "why"),
    [
        ('rank="2"', 'rank="0"', 5, "rank '0' is not a whole number from 1 up"),
        ('rank="2"', 'rank="first"', 5, "rank 'first'"),
        ('rank="2"', "", 5, "rank ''"),
        ('system="P"/', 'system=" "/', 5, "without the name of a system"),
        ('system="P"/', 'system="Q"/', 6, "'Q' has two different ranks"),
        (' src-id="17" user', " user", 4, "without src-id"),
        ("</appraise-results>", "</x>", 14, "not well-formed"),
        ("<appraise-results>", "<appraise-results><translation/>", 2, "outside a <ranking-item>"),
    ],
)
def test_what_is_wrong_with_xml_is_told_with_its_line(
    before: str, after: str, line: int, why: str
) -> None:
    with pytest.raises(FormatError, match=why) as told:
        read(text(XML.replace(before, after, 1)))
    assert told.value.line == line


def test_a_document_type_is_refused_before_any_entity_is_expanded() -> None:
    bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>'
    with pytest.raises(FormatError, match="document type"):
        read(text(bomb))
    outside = '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>'
    with pytest.raises(FormatError, match="document type"):
        read(text(outside))


def test_xml_without_a_ranking_is_not_taken_for_an_empty_study() -> None:
    with pytest.raises(FormatError, match="holds no <ranking-item>"):
        read(text("<appraise-results/>"))


def test_a_system_named_twice_with_the_same_rank_counts_once_and_is_told() -> None:
    doubled = XML.replace("Q R INPUT", "Q R Q")
    with pytest.warns(JuryboxWarning, match="1 times a system stands twice"):
        assert read(text(doubled))[0].ranks == {"P": 2, "Q": 1, "R": 1}


def test_rows_of_a_sentence_and_judge_are_one_ranking_and_items_keep_repeats_apart() -> None:
    table = "sentence,judge,item,system,rank\n1,A,1,P,1\n1,A,1,Q,2\n1,A,2,P,2\n1,A,2,Q,1\n"
    assert read(text(table)) == [
        Ranking("1", "A", {"P": 1, "Q": 2}),
        Ranking("1", "A", {"P": 2, "Q": 1}),
    ]


def test_json_lines_and_tables_without_judges_are_read() -> None:
    lines = '{"sentence": 4, "system": "P", "rank": 1}\n{"sentence": 4, "system": "Q", "rank": 1}\n'
    assert read(text(lines)) == [Ranking("4", "", {"P": 1, "Q": 1})]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("1,A,P,1\n1,A,P,2", "'A' ranks 'P' twice in sentence '1'; a column 'item'"),
        ("1,A,P,best", "rank 'best' is not a finite number"),
        ("1,A,P,", "no rank"),
        (",A,P,1", "no sentence"),
        ("1,A,,1", "no system"),
        ("", "holds no ranking"),
    ],
)
def test_rows_that_cannot_be_right_are_refused(rows: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        read(text(f"sentence,judge,system,rank\n{rows}\n"))


def test_a_table_of_scores_is_not_taken_for_rankings() -> None:
    assert not holds_rankings(text("system,score\nP,1\n"))
    assert not holds_rankings(text('{"system": "P", "score": 1}\n'))
    assert holds_rankings(text('"Sentence"\t"System"\t"Rank"\r\n'))


@given(st.text(alphabet="<>/=\"'abr ank-itemsysto1&;!\n", max_size=60))
def test_any_text_gives_rankings_or_an_error_of_ours(content: str) -> None:
    for written in (content, f"<{content}", f"<r><ranking-item src-id='1'>{content}"):
        try:
            read(text(written))
        except JuryboxError:
            continue


def test_the_judgments_of_napoles_name_sentences_by_id() -> None:
    """Napoles et al. (2015): no item has a src-id; a ranking is about the sentence of its id."""
    without = XML.replace(' src-id="17"', "")
    assert [ranking.sentence for ranking in read(text(without))] == ["0", "3"]
    with pytest.raises(FormatError, match=r":8: a <ranking-item> without id"):
        read(text(without.replace(' id="3"', "")))


def test_of_a_file_that_was_cut_off_complete_rankings_count() -> None:
    cut_off = XML[: XML.index('<translation system="Q" rank="1"')]
    with pytest.warns(JuryboxWarning, match="is cut off in line 11: the 1 rankings"):
        (ranking,) = read(text(cut_off))
    assert ranking.ranks == {"P": 2.0, "Q": 1.0, "R": 1.0, "INPUT": 1.0}
    with pytest.raises(FormatError, match="not well-formed"):
        read(text(XML[: XML.index("</ranking-item>")]))


def test_napoles_judgments_are_read(data_dir: Path) -> None:
    """The excerpt of all_judgments.xml is cut off in its tenth ranking."""
    with pytest.warns(JuryboxWarning, match="cut off in line 61"):
        rankings = read(Input(data_dir / "formats" / "napoles-2015-excerpt.xml"))
    assert rankings[0].sentence == "62"
    assert rankings[0].ranks == {"AMU": 4.0, "RAC": 3.0, "UFC": 1.0, "NTHU": 1.0}
