"""What `call` of conftest.py is, and what holds whenever a command refuses to do something."""

from __future__ import annotations

from collections.abc import Callable

#: arguments in; exit code, standard output and standard error out
Call = Callable[..., tuple[int, str, str]]


def refused(call: Call, *arguments: object, code: int | None = None) -> str:
    """The message of a command that does nothing else; `code` None: either of those of mistakes."""
    given, out, err = call(*arguments)
    assert given in ((1, 2) if code is None else (code,))
    assert out == ""
    assert err.startswith("jurybox: ")
    assert "Traceback" not in err
    return err
