"""Files of the sample that a command copies to the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jurybox.errors import InputError
from jurybox.formats._writing import writing, written_together

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def differing(copies: Mapping[Path, Path]) -> Path | None:
    """The first target that is there and is not what would be copied to it."""
    for file, there in copies.items():
        if there.exists() and not (there.is_file() and there.read_bytes() == file.read_bytes()):
            return there
    return None


def copy_all(copies: Mapping[Path, Path]) -> None:
    """Copy text files to where they belong, all or none: half a sample is taken for a whole one."""
    with written_together():
        for file, there in copies.items():
            try:
                there.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(
                    f"{there.parent}: cannot be made ({error.strerror}); name another folder"
                ) from None
            with writing(there) as out:
                out.write(file.read_bytes().decode("utf-8"))
