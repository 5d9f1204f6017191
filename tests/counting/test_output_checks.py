"""What looks wrong with a system's output: labels, quotes and code fences around sentences."""

from __future__ import annotations

import pytest

from jurybox.counting.output_checks import OutputCheck


def warnings(*pairs: tuple[str, str]) -> list[str]:
    check = OutputCheck("out")
    for source, hypothesis in pairs:
        check.look(tuple(source.split()), tuple(hypothesis.split()))
    return check.warnings()


HE = "He go to his home ."
SHE = "She like the old houses ."


@pytest.mark.parametrize(
    "label", ["Corrected:", "Correction :", "Answer:", "Korrektur:", "Sure , the sentence is :"]
)
def test_a_label_before_more_than_half_of_the_sentences_is_told_of(label: str) -> None:
    labelled = [(HE, f"{label} He goes to his home ."), (SHE, f"{label} She likes old houses .")]
    (line,) = warnings(*labelled, (HE, HE))
    assert f"out: 2 of 3 hypotheses begin with '{label}'" in line
    assert warnings(*labelled, (HE, HE), (SHE, SHE)) == []  # half of them


def test_labels_that_differ_are_no_label() -> None:
    assert (
        warnings((HE, "Yes: he goes to his home ."), (SHE, "No: she likes the old houses .")) == []
    )


def test_a_label_that_the_source_has_too_is_no_label() -> None:
    assert warnings((f"Q: {HE}", "Question: He goes to his home .")) == []


def test_a_long_label_in_a_single_sentence_may_be_chance() -> None:
    assert warnings((HE, "These are his homes : he goes there to his home .")) == []


@pytest.mark.parametrize(("left", "right"), [('"', '"'), ("“", "”"), ("``", "''"), ("'", "'")])
@pytest.mark.parametrize("blank", ["", " "])
def test_quotes_around_the_sentences_are_told_of(left: str, right: str, blank: str) -> None:
    quoted = f"{left}{blank}He goes to his home .{blank}{right}"
    assert warnings((HE, quoted), (HE, quoted)) == [
        "out: 2 of 2 hypotheses are in quotes, which their source is not; the quotes count as "
        "edits: remove them"
    ]
    source = f"{left} {HE} {right}"
    assert not [line for line in warnings((source, quoted)) if "quotes" in line]


def test_a_quotation_at_the_beginning_is_no_quoted_sentence() -> None:
    assert warnings((HE, '" He goes " to his home .')) == []


def test_one_code_fence_is_enough() -> None:
    fenced = "```text He goes to his home . ```"
    (line,) = warnings((SHE, SHE), (HE, fenced), (SHE, SHE), (HE, fenced))
    assert "out: 2 of 4 hypotheses begin with ```, the first on line 2" in line
    assert warnings((f"``` {HE} ```", "``` He goes to his home . ```")) == []
