"""Options that are declared once: keywords, checks, flags, signature, JSON."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from inspect import signature
from typing import Annotated, Any

import pytest

import jurybox as jb
from jurybox.cli.flags import OneOf, add_flags, options_from
from jurybox.errors import UnknownNameError, UsageError
from jurybox.options import Opt, Options, argument, signature_of, verb
from jurybox.records import HIDDEN, plain, restore, schema
from jurybox.shared_options import pairs_of_labels


class Shared(Options, group="shared"):
    """A group."""

    level: Annotated[float, Opt("how sure", "L", above=0, below=1, sign="level")] = 0.95
    seed: Annotated[int, Opt("where random numbers begin", "N", least=0)] = 1


class Crowds(Shared, group="crowds"):
    """Options of a verb."""

    ties: Annotated[
        str, Opt("what ties get", "RULE", values=("drop", "random"), noun="rule", sign="ties")
    ] = "random"
    experts: Annotated[
        tuple[str, ...], Opt("who knows", "NAME", flag="--expert", many=True, sign="experts")
    ] = ()
    labels: Annotated[
        Mapping[str, str], Opt("other names", "A=B", many=True, read=pairs_of_labels)
    ] = {}
    all_pairs: Annotated[bool, Opt("list all", sign="all"), HIDDEN] = False
    size: Annotated[int | None, Opt("the largest", "N", least=1)] = None

    def check(self) -> None:
        super().check()
        if self.all_pairs and self.size == 1:
            raise UsageError("--all-pairs needs two")


class CrowdCall(Crowds):
    """What the verb is called with."""

    judgments: Annotated[Any, Opt("the files", "FILE", positional=True, many=True)] = argument(
        kw_only=False
    )
    table: NotImported | None = None  # type: ignore[name-defined]  # noqa: F821  as under TYPE_CHECKING


@verb(CrowdCall)
def crowd(call: CrowdCall) -> tuple[Any, float]:
    """Count."""
    return call.judgments, call.level


#: for calls that a type checker refuses
untyped: Any = crowd


def parser_of(kind: type[Options]) -> ArgumentParser:
    parser = ArgumentParser(prog="crowd")
    add_flags(parser, kind)
    return parser


def read(words: str) -> CrowdCall:
    return options_from(parser_of(CrowdCall).parse_intermixed_args(words.split()), CrowdCall)


def test_a_verb_is_called_with_keywords_or_with_options() -> None:
    assert crowd("a.csv", level=0.9) == ("a.csv", 0.9)
    assert crowd(judgments="a.csv") == ("a.csv", 0.95)
    assert crowd.of(CrowdCall("b.csv", level=0.5)) == ("b.csv", 0.5)
    assert list(signature_of(CrowdCall).parameters)[:2] == ["judgments", "level"]
    assert crowd.__doc__ == "Count."
    assert list(signature(jb.score).parameters)[:2] == ["hypotheses", "gold"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (crowd, r"crowd\(\): judgments is missing"),
        (lambda: untyped("a", "b"), r"crowd\(\): takes 1 values by place, not 2"),
        (lambda: untyped("a", levle=1), r"there is no option 'levle'; did you mean 'level'\?"),
    ],
)
def test_wrong_keywords_are_a_type_error(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"level": 1}, "--level must lie between 0 and 1, not 1"),
        ({"level": float("nan")}, "--level must lie between 0 and 1, not nan"),
        ({"level": "high"}, "--level takes a number, not 'high'"),
        ({"seed": -1}, "--seed must be 0 or more, not -1"),
        ({"seed": True}, "--seed takes a number, not True"),
        ({"size": 0}, "--size must be 1 or more, not 0"),
        ({"all_pairs": True, "size": 1}, "--all-pairs needs two"),
    ],
)
def test_wrong_values_are_refused_with_the_flag(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as error:
        Crowds(**given)
    assert str(error.value) == message


def test_an_unknown_value_suggests_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown rule \(--ties\) 'dorp'; did you mean"):
        Crowds(ties="dorp")


def test_options_do_not_change() -> None:
    options = Crowds(seed=3)
    with pytest.raises(AttributeError, match="do not change"):
        options.seed = 4  # type: ignore[misc]
    assert options.replace(seed=4) == Crowds(seed=4) != options
    assert options.changed() == {"seed": 3}
    assert options.only(Shared) == Shared(seed=3)
    assert len({options, Crowds(seed=3), Shared(seed=3)}) == 2


def test_the_signature_has_what_is_signed_and_set() -> None:
    assert Crowds(all_pairs=True).signed(ties=None, more=1) == {
        "level": 0.95,
        "ties": None,
        "experts": None,
        "all": "yes",
        "more": 1,
    }


def test_options_are_records() -> None:
    options = Crowds(experts=("Ann",), labels={"2": "ok"}, all_pairs=True)
    written = plain(options)
    assert list(written) == ["level", "seed", "ties", "experts", "labels", "size"]
    assert restore(Crowds, written) == options.replace(all_pairs=False)
    assert schema(Crowds)["properties"]["experts"]["description"] == "who knows"


def test_flags_give_the_same_options() -> None:
    words = "a.csv b.csv --expert Ann Bob --labels 2=ok,e=ok --all-pairs --size 4 --level .9"
    assert read(words) == CrowdCall(
        ("a.csv", "b.csv"),
        experts=("Ann", "Bob"),
        labels={"2": "ok", "e": "ok"},
        all_pairs=True,
        size=4,
        level=0.9,
    )
    assert read("a.csv") == CrowdCall(("a.csv",))


def test_the_help_lists_groups_defaults_and_values() -> None:
    parser = parser_of(CrowdCall)
    text = " ".join(parser.format_help().split())
    assert "shared: --level L how sure (default: 0.95)" in text
    assert "crowds: --ties RULE what ties get (default: random)" in text
    (ties,) = (one for one in parser._actions if one.dest == "ties")
    assert isinstance(ties.type, OneOf)
    assert ties.type.values == ("drop", "random")


def test_what_is_declared_again_keeps_its_place() -> None:
    class Other(Shared):
        seed: Annotated[int, Opt("another text", "N", least=0)] = 7

    assert Other().seed == 7
    assert list(Other.__options__) == ["level", "seed"]
    assert Other.__options__["seed"].group == "shared"
    assert Other.notes()["seed"].help == "another text"
