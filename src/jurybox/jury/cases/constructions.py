"""Constructions: which places of a sentence are cases, and which edits are about them.

A construction is a kind of token (preposition, article, comma, every token) or a kind of position
where something may be missing. Its definition is part of every number (Chodorow et al. 2012), so
each says in words what it enumerates.

They are written in TOML, ours (`constructions.toml`) and those of users for other languages and
other types of edits alike: a table for each, named after it. docs/cases.md has the keys.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from unicodedata import normalize

from jurybox.errors import InputError, UsageError, near_name, unknown_name
from jurybox.formats import Input
from jurybox.formats.given_values import as_words
from jurybox.formats.toml_files import TomlFile, read_toml
from jurybox.jury.cases.article_sites import rules_out_article
from jurybox.jury.cases.naming import kind_named
from jurybox.metrics.errant import selects

BY_TYPE = "type="


@dataclass(frozen=True, slots=True)
class Construction:
    """A kind of token, or of position between tokens, and the edit types that are about it.

    `words` are its own words in small letters, none: every word; `types` are names of edit types,
    none: every edit.
    """

    name: str
    description: str = ""
    types: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    missing: bool = False  # positions where one of the words may be missing
    touched: bool = False  # an edit must change the token itself, not only span it
    skips_infinitives: bool = False  # `to` before a verb is none of the words
    trivial: tuple[str, ...] = ()  # names of `TRIVIAL`
    file: Input | None = field(default=None, compare=False)  # where it is from; None: ours

    @property
    def signed(self) -> str:
        """Its name; that of a file with the checksum of its content."""
        return f"{self.name}@{self.file.sha256[:8]}" if self.file else self.name

    @property
    def kind(self) -> str:
        """The one kind of error it is about; '' for all kinds."""
        return "missing" if self.missing else kind_named(self.name)

    @property
    def _what(self) -> str:
        return self.name.removeprefix(f"{self.kind}-")

    @property
    def noun(self) -> str:
        """What a case is, or what is missing there, with its article."""
        if self.missing and self._what == self.name:  # a name of the user's, in any language
            return "one of its words"
        return f"a{'n' * self._what.startswith(tuple('aeiou'))} {self._what}"

    @property
    def unit(self) -> str:
        """What one case is."""
        by_type = self.name.startswith(BY_TYPE)
        return "position between tokens" if self.missing else "token" if by_type else self._what

    @property
    def enumeration(self) -> str:
        """What the cases are, in words."""
        if self.missing:
            return "every position: before each token, and the end of the sentence"
        listed = ", ".join(sorted(self.words)[:10]) + " …" * (len(self.words) > 10)
        own = f"every token that is one of {len(self.words)} words ({listed})"
        return self.description or (own if self.words else "every token")

    @property
    def trivial_rule(self) -> str:
        """Which positions are trivial, in words."""
        *others, last = [TRIVIAL[name].text.format(self.noun) for name in self.trivial] or [""]
        return f"{', '.join(others)} and {last}" if others else last

    def owns(self, word: str) -> bool:
        """Whether a word is one of the construction's own."""
        return (word if word.isascii() else normalize("NFC", word)).lower() in self.words

    def is_about(self, edit_type: str) -> bool:
        """Whether an edit type is one of the construction's.

        >>> [CONSTRUCTIONS["preposition"].is_about(name) for name in ("Prep", "R:PREP", "Nn")]
        [True, True, False]
        """
        return not self.types or any(selects(wanted, edit_type) for wanted in self.types)


class Place(NamedTuple):
    """Tokens start..end of a sentence as a case; `trivial` by the construction's rule alone."""

    start: int
    end: int
    construction: Construction
    trivial: bool = False


class TrivialRule(NamedTuple):
    """A rule that decides positions where something may be missing; no judge is asked there."""

    text: str  # {} is what is missing
    decides: Callable[[Construction, Sequence[str], int, Collection[int]], bool]


def _is_own(
    one: Construction, tokens: Sequence[str], at: int, infinitives: Collection[int]
) -> bool:
    return 0 <= at < len(tokens) and one.owns(tokens[at]) and at not in infinitives


def _is_mark(tokens: Sequence[str], at: int) -> bool:
    return 0 <= at < len(tokens) and is_punctuation(tokens[at])


TRIVIAL = {
    "after-own": TrivialRule("right after {}", lambda c, t, at, to: _is_own(c, t, at - 1, to)),
    "beside-own": TrivialRule(
        "right before or after {}",
        lambda c, t, at, to: _is_own(c, t, at - 1, to) or _is_own(c, t, at, to),
    ),
    "no-article-site": TrivialRule(
        "where words alone rule out an article (beside a determiner; before a pronoun, "
        "preposition, conjunction, auxiliary, proper name or verb)",
        lambda c, t, at, to: at < len(t) and rules_out_article(t, at, to),
    ),
    "before-punctuation": TrivialRule(
        "before a punctuation mark", lambda c, t, at, to: _is_mark(t, at)
    ),
    "beside-punctuation": TrivialRule(
        "beside a punctuation mark", lambda c, t, at, to: _is_mark(t, at) or _is_mark(t, at - 1)
    ),
    "beginning": TrivialRule("at the beginning", lambda c, t, at, to: not at),
    "end": TrivialRule("at the end of the sentence", lambda c, t, at, to: at == len(t)),
}

#: key of a file -> field of the construction, and what stands there
_KEYS: Mapping[str, tuple[str, str]] = {
    "description": ("description", "text"),
    "words": ("words", "words"),
    "types": ("types", "names"),
    "missing": ("missing", "switch"),
    "must-change": ("touched", "switch"),
    "skip-infinitive-to": ("skips_infinitives", "switch"),
    "trivial": ("trivial", "names"),
}
_ALL_KEYS = ("like", *_KEYS)


def read_constructions(
    source: Input, known: Mapping[str, Construction], *, ours: bool = False
) -> dict[str, Construction]:
    r"""The constructions of a TOML file, by name; those `known` can be named by `like`.

    >>> text = "[comma]\nlike = 'comma'\ntypes = 'Punctuation'\n"
    >>> read_constructions(Input.from_text(text), CONSTRUCTIONS)["comma"].types
    ('Punctuation',)
    """
    file = read_toml(source)
    found: dict[str, Construction] = {}
    for name, table in file.record.items():
        if not isinstance(table, dict):
            message = f"is no construction; write it below [NAME], as [preposition] with {name} = …"
            raise file.complaint((name,), message)
        if not name or name.startswith(BY_TYPE) or {*name} & {*":|@+ "}:
            message = "no name for a construction: leave out blanks and : | @ +"
            raise file.complaint((name,), message)
        base = Construction(name)
        if "like" in table:
            others = {**known, **found}
            like = table["like"]
            if not isinstance(like, str) or like not in others:
                hint, listed = near_name(str(like), others), ", ".join(others)
                raise file.complaint(
                    (name, "like"), f"no construction is called {like!r}{hint} (one of: {listed})"
                )
            base = replace(others[like], name=name, trivial=(), missing=False)
            if "words" in table or "skip-infinitive-to" in table:
                base = replace(base, description="")
        given = {}
        for key in table:
            if key not in _ALL_KEYS:
                hint, listed = near_name(key, _ALL_KEYS), ", ".join(_ALL_KEYS)
                raise file.complaint((name, key), f"there is no such key{hint} (one of: {listed})")
            if key != "like":
                given[_KEYS[key][0]] = _value(file, name, key, table[key])
        found[name] = one = replace(base, **given, file=None if ours else source)
        if one.missing and not one.words:
            raise file.complaint((name, "missing"), "needs the words that may be missing: words")
        if one.trivial and not one.missing:
            raise file.complaint((name, "trivial"), "goes with missing = true; leave it out")
    if not found:
        raise file.complaint((), "holds no construction; write [NAME], and below it words, types")
    return found


def _value(file: TomlFile, name: str, key: str, given: Any) -> Any:
    """What a field gets, checked."""
    kind = _KEYS[key][1]
    if kind == "switch":
        if not isinstance(given, bool):
            raise file.complaint((name, key), f"must be true or false, not {given!r}")
        return given
    if kind == "text":
        if not isinstance(given, str):
            raise file.complaint((name, key), f"must be text in quotes, not {given!r}")
        return " ".join(given.split())
    listed = given.split() if isinstance(given, str) else given
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        example = '["в", "на"]' if kind == "words" else '["Prep"]'
        raise file.complaint((name, key), f"must be a list of texts, as {key} = {example}")
    for one in listed:
        if not one.strip() or (kind == "words" and len(one.split()) > 1):
            raise file.complaint((name, key), f"{one!r} is no single word; a case is one token")
        if key == "trivial" and one not in TRIVIAL:
            hint, rules = near_name(one, TRIVIAL), ", ".join(TRIVIAL)
            raise file.complaint((name, key), f"there is no rule '{one}'{hint} (one of: {rules})")
    if not listed and kind == "words":
        raise file.complaint((name, key), "is empty; leave it out if every token is a case")
    if kind == "words":
        return frozenset(normalize("NFC", word.strip()).lower() for word in listed)
    return tuple(dict.fromkeys(listed))


def _read_ours() -> dict[str, Construction]:
    from importlib.resources import files

    name = "constructions.toml"
    text = (files("jurybox") / "jury" / "cases" / name).read_text("utf-8")
    return read_constructions(Input.from_text(text, name), {}, ours=True)


#: name -> construction; `type=NAME` and those of files are added when they are asked for
CONSTRUCTIONS = _read_ours()
PREPOSITIONS, ARTICLES, COMMA = (
    CONSTRUCTIONS[name].words for name in ("preposition", "article", "comma")
)
#: what can be asked for
NAMES = (*CONSTRUCTIONS, f"{BY_TYPE}NAME", "FILE.toml")


def find_constructions(
    wanted: str | Sequence[str], types: Collection[str]
) -> tuple[Construction, ...]:
    """The constructions of these names, which must not share places; `types` are the panel's.

    >>> [one.types for one in find_constructions(["type=Prep", "missing-comma"], {"Prep", "Nn"})]
    [('Prep',), ('Mec', 'PUNCT')]
    """
    names = as_words(wanted, "construction")
    if not names:
        raise UsageError(f"name a construction: {', '.join(NAMES)}")
    found = [one for name in names for one in _find(name, types)]
    for number, one in enumerate(found):
        for other in found[:number]:
            apart = one.words and other.words and not one.words & other.words
            if one.missing == other.missing and (one.missing or not apart):
                way_out = " (FILE.toml:NAME takes one of a file)" if one.file else ""
                raise UsageError(
                    f"{other.name} and {one.name} have cases at the same places; derive them one "
                    f"by one{way_out}"
                )
    return tuple(found)


def _find(name: str, types: Collection[str]) -> list[Construction]:
    if name.startswith(BY_TYPE):
        wanted = name.removeprefix(BY_TYPE)
        if not any(selects(wanted, met) for met in types):
            if not types:
                raise InputError(f"--construction {name}: the edits of this panel have no types")
            raise unknown_name("edit type", wanted, sorted(types))
        return [Construction(name, types=(wanted,))]
    if name in CONSTRUCTIONS:
        return [CONSTRUCTIONS[name]]
    path, colon, chosen = name.rpartition(":")
    if not path.endswith(".toml"):
        path, colon, chosen = name, "", ""
    if not path.endswith(".toml") and not os.path.isfile(path):  # noqa: PTH113  any word may come
        raise unknown_name("construction", name, NAMES)
    found = read_constructions(Input(path), CONSTRUCTIONS)
    if colon and chosen not in found:
        raise unknown_name(f"construction of {path}", chosen, found)
    return [found[chosen]] if colon else list(found.values())


def find_places(
    construction: Construction, tokens: Sequence[str], infinitives: Collection[int] = ()
) -> Iterator[Place]:
    """The places of one construction; `infinitives` are the places of `to` before a verb."""
    if construction.missing:
        rules = [TRIVIAL[name].decides for name in construction.trivial]
        for place in range(len(tokens) + 1):
            trivial = any(decides(construction, tokens, place, infinitives) for decides in rules)
            yield Place(place, place, construction, trivial)
        return
    for place, token in enumerate(tokens):
        if construction.words and not construction.owns(token):
            continue
        if construction.skips_infinitives and place in infinitives:
            continue
        yield Place(place, place + 1, construction)


def is_punctuation(token: str) -> bool:
    """Whether a token has neither letter nor digit."""
    return not any(character.isalnum() for character in token)
