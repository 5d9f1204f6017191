"""`train_detector`: well-formed text to a model in a folder, by one of three learners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.detect.options import CachedTagging, Folder, Jobs, Several, SplitText
from jurybox.errors import UsageError
from jurybox.formats import File
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import Watched

if TYPE_CHECKING:
    from jurybox.detect.train.result import TrainedDetector

MAXENT, PERCEPTRON, LM = "maxent", "perceptron", "lm"
LEARNERS = (MAXENT, PERCEPTRON, LM)
KNESER_NEY, STUPID_BACKOFF = "kneser-ney", "stupid-backoff"


def numbers_of(kind: type[float]) -> Callable[[str, str], tuple[Any, ...]]:
    """A reader of numbers with commas between them.

    >>> numbers_of(int)("0,0,1,1", "--prune")
    (0, 0, 1, 1)
    """

    def read(given: str, flag: str) -> tuple[Any, ...]:
        try:
            return tuple(kind(number) for number in given.split(","))
        except ValueError:
            raise UsageError(f"{flag} {given}: write numbers with commas between them") from None

    return read


class Learning(CachedTagging, Jobs, group="learning (maxent, perceptron)"):
    """How weights are learnt; None is the learner's own default."""

    least: Annotated[
        int | None, Opt("leave out features of fewer events", "N", least=1, default="2")
    ] = None
    nothing_rate: Annotated[
        float | None,
        Opt(
            "share of the places without a preposition that are learnt from",
            "R",
            above=0,
            most=1,
            default="0.1",
        ),
    ] = None
    passes: Annotated[
        int | None,
        Opt("passes over the events", "N", least=1, default="8 for maxent, 5 for perceptron"),
    ] = None
    strength: Annotated[
        float | None,
        Opt(
            "maxent: how far weights may grow, scikit-learn's C",
            "C",
            above=0,
            below=float("inf"),
            default="0.4",
        ),
    ] = None
    seed: Annotated[int | None, Opt("of the random numbers", "N", least=0, default="1")] = None
    events: Annotated[
        int | None, Opt("stop reading after so many events, for learning curves", "N", least=1)
    ] = None


class LanguageModel(Options, group="language model (lm)"):
    """How n-grams are counted, or where a model is read."""

    counts: Annotated[
        Several | None,
        Opt(
            "counted n-grams instead of text: files of lines n-gram, tab, count, or folders of "
            "them, as the Web 1T corpus has (1gms, 2gms and so on)",
            "PATH",
            many=True,
        ),
    ] = None
    smoothing: Annotated[
        str | None,
        Opt(
            "kneser-ney, or stupid-backoff, which needs no counts of rare n-grams",
            "NAME",
            flag="--lm-smoothing",
            values=(KNESER_NEY, STUPID_BACKOFF),
            noun="smoothing",
            default="kneser-ney; with --counts stupid-backoff",
        ),
    ] = None
    order: Annotated[int | None, Opt("words of the longest n-grams", "N", default="4")] = None
    prune: Annotated[
        Sequence[int] | None,
        Opt(
            "leave out n-grams seen at most so often, a number for each order, as 0,0,1,1",
            "N,N,...",
            read=numbers_of(int),
            default="none",
        ),
    ] = None
    fallback_discounts: Annotated[
        Sequence[float] | None,
        Opt(
            "discounts for a text too small to tell its own, as .5,1,1.5",
            "D,D,D",
            read=numbers_of(float),
        ),
    ] = None
    arpa: Annotated[
        Folder | None, Opt("write the model as an ARPA file too (.gz, .xz compress)", "FILE")
    ] = None
    from_arpa: Annotated[File | None, Opt("read an ARPA file instead of training", "FILE")] = None


#: option -> the learners that have it; all have those that are not here
OWNERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(Learning.__options__, (MAXENT, PERCEPTRON)),
    **dict.fromkeys(LanguageModel.__options__, (LM,)),
    "strength": (MAXENT,),
}


class TrainDetector(SplitText, Learning, LanguageModel, Watched):
    """What `train_detector` is called with."""

    learner: Annotated[
        str,
        Opt(
            "maxent, perceptron or lm", "LEARNER", positional=True, values=LEARNERS, noun="learner"
        ),
    ] = argument(kw_only=False)
    text: Annotated[
        Several | None,
        Opt("text to learn from: prose, a paragraph per line", "FILE", many=True),
    ] = argument(kw_only=False)
    folder: Annotated[
        Folder,
        Opt(
            "the folder of the model; a model that is there already is replaced",
            "MODEL",
            flag="--output",
            short="-o",
        ),
    ] = argument(kw_only=False)

    def check(self) -> None:
        super().check()
        for name, value in self.changed().items():
            if self.learner not in (owners := OWNERS.get(name, LEARNERS)):
                flag = "no-cache" if value is False else name.replace("_", "-")
                raise UsageError(
                    f"--{flag} is an option of {' and '.join(owners)}, and this is "
                    f"{self.learner}; leave it out"
                )
        if self.arpa is not None and self.method == STUPID_BACKOFF:
            raise UsageError(
                "--arpa: the format has no weight for contexts that were never seen, which stupid "
                "back-off needs; use --lm-smoothing kneser-ney, or leave it out"
            )
        other = "--counts" if self.counts else "--from-arpa" if self.from_arpa else ""
        if not other:
            if not self.text:
                raise UsageError("name the text to learn from: --text FILE")
            return
        if self.counts and self.from_arpa:
            raise UsageError("--counts and --from-arpa exclude each other")
        if self.text is not None:
            what = "counts are of a text" if self.counts else "reads a trained model"
            raise UsageError(f"{other}: {what}; leave --text out")
        for name in ("tokenised", "split"):
            if getattr(self, name):
                raise UsageError(f"--{name} is about --text; leave it out with {other}")
        # A model that is read has been trained: options about training have no effect.
        for name in ("order", "prune", "fallback_discounts", "smoothing") if self.from_arpa else ():
            if getattr(self, name) is not None:
                flag = name.replace("_", "-")
                raise UsageError(f"--{flag} is about training; leave it out with --from-arpa")

    @property
    def method(self) -> str | None:
        """How n-grams are smoothed; None where a trained model is read."""
        if self.from_arpa is not None:
            return None
        return self.smoothing or (STUPID_BACKOFF if self.counts else KNESER_NEY)


@verb(TrainDetector)
def train_detector(call: TrainDetector) -> TrainedDetector:
    r"""Train a detector of preposition errors on text without errors, and save it in `folder`.

    `learner` is "maxent", "perceptron" or "lm". `text` is prose, a paragraph per line, or with
    `tokenised` a sentence per line; with `split` only that share of it is learnt from. A language
    model can be made of `counts` of n-grams, or be read `from_arpa`, instead. Tagged text
    is kept in the user's cache, in the folder `cache`, or nowhere with `cache=False`. An option of
    another learner is refused; None is the learner's own default. The same text, options and
    package versions give the same bytes.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.formats import Input
    >>> text = Input.from_text("We sat on the mat . We sat in the sun .\n" * 20)
    >>> with TemporaryDirectory() as place:
    ...     trained = train_detector(
    ...         "lm", text, f"{place}/lm", order=2, fallback_discounts=(0.5, 1, 1.5)
    ...     )
    >>> trained.model.sentences, trained.model.ngrams
    (40, (11, 11))
    """
    from jurybox.detect.train.training import train

    return train(call)
