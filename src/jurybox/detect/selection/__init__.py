"""`detect_selection`: how often detectors choose the preposition that a writer chose.

`judge_selection`: what raters said to the same events, as a cloze or a choice between two words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from jurybox.detect.options import CachedTagging, Folder, Jobs, Several, SplitText
from jurybox.formats import Source
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import CONFIDENCE, CountModels, Watched

if TYPE_CHECKING:
    from jurybox.detect.selection.result import JudgedSelection, SelectionResult
    from jurybox.raters.inputs import GivenJudgments


class IntervalLevel(Options, group=CONFIDENCE):
    """How sure intervals are to be."""

    level: Annotated[
        float, Opt("level of the intervals", "L", flag="--ci-level", above=0, below=1)
    ] = 0.95


class Choosing(Options, group="choosing"):
    """Among what models choose, and how often."""

    prepositions: Annotated[
        Sequence[str] | None,
        Opt(
            "choose among these only, where one of them was written: in of on to with are those "
            "of De Felice and Pulman (2007)",
            "WORD",
            many=True,
            default="all 34",
        ),
    ] = None
    events: Annotated[int | None, Opt("stop after so many events", "N", least=1)] = None


class DetectSelection(SplitText, Choosing, CachedTagging, Jobs, IntervalLevel, Watched):
    """What `detect_selection` is called with."""

    models: Annotated[
        Folder | Sequence[Folder],
        Opt("folders of models, as detect train saved them", "MODEL", positional=True, many=True),
    ] = argument(kw_only=False, default=())
    text: Annotated[
        Several,
        Opt(
            "JSONL of events with tokens, target and written (auto-detected); or prose, a "
            "paragraph per line, of which every preposition is an event",
            "FILE",
            many=True,
        ),
    ] = argument(kw_only=False, default=())


class JudgeSelection(IntervalLevel, CountModels, group="answers of raters"):
    """What `judge_selection` is called with."""

    judgments: Annotated[
        GivenJudgments,
        Opt(
            "what raters said to the task whose key --key names: case,rater,label, or the export "
            "of a platform",
            "FILE",
            many=True,
        ),
    ] = argument(kw_only=False, default=())
    key: Annotated[
        Source,
        Opt(
            "the key of the task: written with --cloze and --choices, read with --judgments; not "
            "for raters",
            "FILE",
        ),
    ] = argument(kw_only=False, default="key.jsonl")


@verb(DetectSelection)
def detect_selection(call: DetectSelection) -> SelectionResult:
    r"""Let detectors choose among the 34 prepositions wherever a writer wrote one.

    `models` are folders of trained models. `text` is held-out text that none of them has seen:
    JSONL of events (auto-detected), or prose (`tokenised`: a sentence per line). With `split` it is
    the text that the models were trained on with the same share, and the rest of it is looked at.
    With `prepositions` models choose among these, where one of them was written. Tagged text is
    kept in the user's cache, in the folder `cache`, or nowhere with `cache=False`.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.formats import Input
    >>> from jurybox.detect.ngrams.model import save_model
    >>> from jurybox.detect.ngrams.training import train_lm_on
    >>> seen = ["he sat on it", "she sat on it", "he sat at home", "we sat on a chair"]
    >>> event = '{"tokens": ["she", "sat", "on", "a", "chair"], "target": 2, "written": "on"}'
    >>> with TemporaryDirectory() as place:
    ...     save_model(train_lm_on(seen, order=2, fallback_discounts=(0.5, 1, 1.5)), f"{place}/lm")
    ...     found = detect_selection(f"{place}/lm", Input.from_text(event))
    >>> found.models[0].accuracy, found.majority
    (1.0, 'on')
    """
    from jurybox.detect.selection.choosing import choose

    return choose(call)


@verb(JudgeSelection)
def judge_selection(call: JudgeSelection) -> JudgedSelection:
    r"""What raters said to the task whose `key` this is.

    >>> from io import StringIO
    >>> from jurybox.detect.selection.tasks import JudgedSystem, KeyItem, SelectionKey, write_key
    >>> from jurybox.formats import Input
    >>> items = (KeyItem("a", "e1", "in", ("in",)), KeyItem("b", "e2", "on", ("in",)))
    >>> out = StringIO()
    >>> write_key(SelectionKey("cloze", 1, (JudgedSystem("me", 0.7, 100),), (), items), out)
    >>> found = judge_selection([("a", "Ann", "in"), ("b", "Ann", "On")],
    ...                         Input.from_text(out.getvalue()))
    >>> [(one.first, one.second, one.agreement) for one in found.pairs]
    [('writer', 'Ann', 1.0), ('writer', 'system me', 0.5), ('system me', 'Ann', 0.5)]
    """
    from jurybox.detect.selection.judged import judge

    return judge(call)
