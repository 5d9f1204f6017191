"""What @NAME stands for in a study: files named once, or what an analysis above it writes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from jurybox.api.study_file import Study, is_pattern, matching_files, missing_file
from jurybox.errors import near_name


class Names:
    """The names that an analysis can use, and which analyses it thereby needs."""

    def __init__(
        self,
        study: Study,
        keys: Sequence[str],
        made: Mapping[str, Mapping[str, tuple[str, ...]]],
    ) -> None:
        self._study, self._keys, self._made = study, keys, made
        self.needs: dict[str, None] = {}

    def files(self, key: str, reference: str, *, named: bool) -> list[str]:
        """The files that @NAME, @NAME.FORM or @NAME/FILE stands for; `named`: as NAME=FILE."""
        whole, slash, below = reference.partition("/")
        name, form = self._split(key, whole)
        named = named and not slash
        if name in self._made:
            files = list(self._outputs_of(key, name, form))
        elif name == "systems":
            files = list(self._all_systems(key, form, named=named))
        else:
            files = list(self._files_of(key, name, form))
            if named and self._study.named[name].table == "systems":
                files = [f"{name}={file}" for file in files]
        if not slash:
            return files
        places = [f"{file}/{below}" for file in files]
        if not is_pattern(below):
            return places
        if name in self._made:
            raise self._complaint(key, f"@{reference}: name files that are yet to be made in full")
        return [file for place in places for file in self.spelled_out(key, place)]

    def note_needs(self, files: Iterable[str]) -> None:
        """Whoever names a file that an analysis above writes needs that analysis."""
        writers = {
            place: name
            for name, outputs in self._made.items()
            for places in outputs.values()
            for place in places
        }
        for file in files:
            place = os.path.normpath(file)
            for written, name in writers.items():
                if place == written or place.startswith(f"{written}{os.sep}"):
                    self.needs[name] = None

    def spelled_out(self, key: str, pattern: str) -> list[str]:
        """The files that a pattern stands for."""
        found = matching_files(self._study.folder, pattern)
        if not found:
            raise self._complaint(key, missing_file(self._study.folder, pattern))
        return found

    def _complaint(self, key: str, message: str) -> Exception:
        return self._study.complaint((*self._keys, key), message)

    def _split(self, key: str, whole: str) -> tuple[str, str]:
        """Name and form; a name may hold dots itself."""
        known = [*self._study.named, *self._made, "systems"]
        for name in sorted(known, key=len, reverse=True):
            if whole == name or whole.startswith(f"{name}."):
                return name, whole[len(name) + 1 :]
        for later in (analysis.name for analysis in self._study.analyses):
            if whole == later or whole.startswith(f"{later}."):
                raise self._complaint(
                    key, f"@{whole} is not made yet; move [analysis.{later}] above this one"
                )
        raise self._complaint(
            key,
            f"nothing is called {whole}{near_name(whole, known)}; name it in [data], [systems] or "
            "[judges], or write @@ for a value that begins with @",
        )

    def _outputs_of(self, key: str, name: str, form: str) -> tuple[str, ...]:
        places = self._made[name]
        if form in places:
            return places[form]
        known = ", ".join(f"@{name}.{one}" if one else f"@{name}" for one in places)
        raise self._complaint(
            key, f'{name} writes no {form}; add {form} = "…" to it (it makes: {known})'
        )

    def _all_systems(self, key: str, form: str, *, named: bool) -> Iterator[str]:
        systems = [name for name, one in self._study.named.items() if one.table == "systems"]
        if not systems:
            raise self._complaint(key, "there are no systems; name them in [systems]")
        for name in systems:
            for file in self._files_of(key, name, form):
                yield f"{name}={file}" if named else file

    def _files_of(self, key: str, name: str, form: str) -> tuple[str, ...]:
        forms = self._study.named[name].forms
        if form not in forms:
            known = " or ".join(f"@{name}.{one}" if one else f"@{name}" for one in forms)
            missing = f"{name} has no {form}" if form else f"{name} has several files"
            raise self._complaint(key, f"{missing}; say {known}")
        return forms[form]
