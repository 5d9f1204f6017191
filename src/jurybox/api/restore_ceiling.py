"""The result of `ceiling` out of its JSON."""

from __future__ import annotations

from jurybox.api.ceiling_result import (
    CeilingResult,
    Curve,
    PairScore,
    SizeResult,
    SystemAtSize,
    TypeCurve,
    TypeSize,
)
from jurybox.api.restore_fields import Fields
from jurybox.api.restore_score import restore_inputs, restore_interval, restore_options
from jurybox.stats.ceiling import Ratio, Spread
from jurybox.stats.extrapolate import Extrapolation
from jurybox.stats.resample import Interval


def restore(record: Fields) -> CeilingResult:
    """People against people, and systems beside them."""
    options = restore_options(record)
    if "ci" in options:
        ci = record.part("options").part("ci")
        ci.number("level"), ci.text("unit")  # the tables quote them
    return CeilingResult(
        metric=record.text("metric"),
        beta=options["beta"],
        signature=record.text("signature"),
        options=options,
        annotators=record.texts("annotators"),
        sentences=record.whole("sentences"),
        documents=record.whole_or_none("documents"),
        sizes=tuple(map(_size, record.parts("sizes", least=1))),
        pairs=tuple(map(_pair, record.parts("pairwise"))) if "pairwise" in record else (),
        types=tuple(map(_type, record.parts("types"))) if "types" in record else (),
        curves=_curves(record.part("extrapolation")) if "extrapolation" in record else (),
        inputs=restore_inputs(record),
        warnings=record.texts("warnings"),
    )


def _size(record: Fields) -> SizeResult:
    subsets = record.whole("subsets")
    systems = record.parts_by_name("systems")
    return SizeResult(
        annotators=record.whole("annotators"),
        subsets=subsets,
        combinations=record.whole("combinations"),
        references=record.number("references"),
        human=_spread(record.part("human_spread"), record.number("human"), subsets),
        interval=_interval(record, "human_interval"),
        systems={name: _system(one, subsets) for name, one in systems.items()},
    )


def _system(record: Fields, subsets: int) -> SystemAtSize:
    return SystemAtSize(
        score=_spread(record.part("spread"), record.number("score"), subsets),
        ratio=Ratio(record.number("ratio"), record.number("ratio_standard_error")),
        interval=_interval(record, "interval"),
        ratio_interval=_interval(record, "ratio_interval"),
    )


def _spread(record: Fields, mean: float, subsets: int) -> Spread:
    return Spread(
        mean=mean,
        sd=record.number("sd"),
        low=record.number("low"),
        high=record.number("high"),
        standard_error=record.number("standard_error"),
        subsets=subsets,
        undefined=record.whole("undefined"),
    )


def _interval(record: Fields, name: str) -> Interval | None:
    return restore_interval(record.part(name)) if name in record else None


def _pair(record: Fields) -> PairScore:
    return PairScore(
        system=record.text("system"),
        annotator=record.text("annotator"),
        precision=record.number_or_none("precision"),
        recall=record.number_or_none("recall"),
        f=record.number_or_none("f"),
    )


def _type(record: Fields) -> TypeCurve:
    sizes = tuple(
        TypeSize(
            at.whole("annotators"),
            _spread(at.part("spread"), at.number("human"), at.whole("subsets")),
            at.number("empty"),
        )
        for at in record.parts("sizes", least=1)
    )
    return TypeCurve(record.text("type"), record.whole("edits"), sizes)


def _curves(record: Fields) -> tuple[Curve, ...]:
    fitted = (record.wholes("fitted_on"), record.number("level"))
    curves = record.parts_by_name("curves")
    return tuple(_curve(name, one, *fitted) for name, one in curves.items())


def _curve(name: str, record: Fields, fitted_on: tuple[int, ...], level: float) -> Curve:
    points = record.parts("points", least=1)

    def continued(what: str, prefix: str = "") -> Extrapolation:
        columns = (what, f"{what}_low", f"{what}_high")
        scores, low, high = (tuple(p.number(column) for p in points) for column in columns)
        return Extrapolation(
            sizes=tuple(point.whole("annotators") for point in points),
            scores=scores,
            low=low,
            high=high,
            fitted_on=fitted_on,
            limit=record.number(f"{prefix}limit"),
            level=level,
            reason=record.reason(f"{prefix}reason"),
        )

    ratios = continued("ratio", "ratio_") if "ratio" in points[0] else None
    return Curve(name, continued("score"), ratios)
