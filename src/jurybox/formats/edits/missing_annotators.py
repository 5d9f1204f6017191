"""What it means that an annotator has no line in a sentence: the rules of `--missing-annotator`.

M2 does not say it. An annotator without a line may have made the same edits as another one (the
CoNLL-2014 combined file leaves out the second annotator where both agree), may have found nothing
to correct, or may never have seen the sentence. The rules:

- `same`: they made the edits of the first annotator who is there.
- `none`: they looked and made no edit.
- `skipped`: they did not look. This is M2 by the letter, and what `score` does.
- `auto`: the rule of a file that is recognised by its checksum (data_sets.toml), else `skipped`.

In a sentence without any A line, `same` and `none` both say that all annotators of the file left
it unchanged. By the letter, annotator 0 alone did, even if no line of the file is by annotator 0.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from jurybox.errors import unknown_name
from jurybox.formats import MISSING_RULES
from jurybox.formats._io import Input
from jurybox.model import Annotation, Edit, Sentence

AUTO, SAME, NONE, SKIPPED = MISSING_RULES


class Implied(Annotation):
    """An annotation that a rule put in: no line of the file gives it."""

    __slots__ = ()


class KnownFile(NamedTuple):
    """What the catalogue says about the annotators of a public file."""

    name: str
    rule: str = SKIPPED
    caution: str = ""  # why its annotators cannot be taken for persons


def check_rule(rule: str) -> str:
    """The rule; UnknownNameError if there is none of that name."""
    if rule not in MISSING_RULES:
        raise unknown_name("rule for missing annotators", rule, MISSING_RULES)
    return rule


def fill(sentence: Sentence, annotators: Sequence[str], rule: str) -> Sentence:
    """The sentence with all annotators of its file, the missing ones by the rule `same` or `none`.

    >>> there = Annotation("0", (Edit(1, 2, "dog"),))
    >>> fill(Sentence(("A", "dogs"), (there,)), ["0", "1"], "same").annotations[1]
    Implied(annotator='1', edits=(Edit(start=1, end=2, replacement='dog', type='UNK', \
required='REQUIRED', comment='-NONE-'),))
    """
    given = {one.annotator: one for one in sentence.annotations if one.annotator in annotators}
    if len(given) == len(annotators):
        return sentence
    edits: tuple[Edit, ...] = ()
    if rule == SAME and given:
        edits = next(given[who] for who in annotators if who in given).edits
    filled = (given.get(who) or Implied(who, edits) for who in annotators)
    return sentence._replace(annotations=tuple(filled))


def recognise(source: Input) -> KnownFile | None:
    """The public file that this is, compressed or not, if the catalogue has a word on it."""
    from hashlib import sha256

    digest = sha256()
    for piece in source.whole_lines():
        digest.update(piece)
    return _known_files().get(digest.hexdigest())


@cache
def _known_files() -> Mapping[str, KnownFile]:
    """SHA-256 -> file, of those whose annotators the catalogue says something about."""
    from importlib.resources import files
    from tomllib import loads

    catalogue: dict[str, dict[str, Any]]
    catalogue = loads((files("jurybox") / "data" / "data_sets.toml").read_text("utf-8"))
    return {
        file["sha256"]: KnownFile(name, rule or SKIPPED, file.get("caution", ""))
        for entry in catalogue.values()
        for name, file in entry["files"].items()
        if (rule := file.get("missing_annotator")) or "caution" in file
    }


class Gaps(NamedTuple):
    """How often annotators of one file have no line, and what else the file has."""

    sentences: int
    edited: dict[str, int]  # annotator -> sentences in which others have edits
    unedited: dict[str, int]  # annotator -> sentences in which nobody has an edit
    noop: bool  # somebody has a noop line beside another annotator

    def __bool__(self) -> bool:
        return bool(self.edited or self.unedited)


def find_gaps(
    sentences: Sequence[Sentence],
    annotators: Sequence[str],
    looked: Sequence[Collection[str]] | None = None,
) -> Gaps:
    """Where annotators of one file are missing; of those who looked, where that is known.

    >>> there = Annotation("0", (Edit(1, 2, "dog"),))
    >>> sentences = [Sentence(("A", "dogs"), (there,)), Sentence(("A",), (Annotation("0"),))]
    >>> find_gaps(sentences, ["0", "1"])
    Gaps(sentences=2, edited={'1': 1}, unedited={'1': 1}, noop=False)
    """
    noop = False
    edited, unedited = dict.fromkeys(annotators, 0), dict.fromkeys(annotators, 0)
    for place, sentence in enumerate(sentences):
        given = {one.annotator: one.edits for one in sentence.annotations}
        there = [given[who] for who in annotators if who in given]
        noop = noop or (len(there) > 1 and not all(there))
        if len(there) < len(annotators):
            tally = edited if any(there) else unedited
            for who in annotators:
                if who not in given and (looked is None or who in looked[place]):
                    tally[who] += 1
    edited, unedited = ({w: n for w, n in found.items() if n} for found in (edited, unedited))
    return Gaps(len(sentences), edited, unedited, noop)


def explain_gaps(gaps: Gaps, file: str) -> str:
    """What an M2 file leaves open, how it is read, and how to choose."""
    parts = []
    if gaps.edited:
        who = list_missing(gaps.edited, gaps.sentences)
        parts.append(
            f"{who} where others have edits: M2 does not say whether they made the same edits, "
            "made none, or did not look"
        )
    if gaps.unedited:
        who = list_missing(gaps.unedited, gaps.sentences)
        parts.append(
            f"{who} where nobody has an edit: M2 does not say whether they left these unchanged or "
            "did not look"
        )
    hint = ""
    if gaps.noop and gaps.edited:
        hint = " (the file has noop lines for 'looked, no edit', so same or skipped is likely)"
    return (
        f"{file}: {'; '.join(parts)}. Read as skipped; if that is wrong, say --missing-annotator "
        f"same or none{hint}, or give a coverage map"
    )


def list_missing(missing: Mapping[str, int], sentences: int) -> str:
    """Who is missing from how many sentences, in the order of the panel.

    >>> list_missing({"1": 88}, 1312), list_missing({"1": 88, "2": 1}, 1312)
    ('annotator 1 is missing from 88 of 1,312 sentences', \
'annotators 1 (88) and 2 (1) are missing from some of 1,312 sentences')
    """
    if len(missing) == 1:
        ((who, count),) = missing.items()
        return f"annotator {who} is missing from {count:,} of {sentences:,} sentences"
    listed = [f"{who} ({count:,})" for who, count in missing.items()]
    return (
        f"annotators {', '.join(listed[:-1])} and {listed[-1]} are missing from some of "
        f"{sentences:,} sentences"
    )
