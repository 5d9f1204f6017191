"""`jurybox completion`: scripts for shells, and what may follow the words typed so far.

The scripts know nothing: at every TAB they ask this command, which asks the parsers. So a new
option is completed as soon as it exists, and an installed script never grows old.
"""

from __future__ import annotations

from argparse import Action
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from jurybox.cli.flags import OneOf
from jurybox.errors import UsageError
from jurybox.options import Opt, Options

USAGE = "jurybox completion SHELL"

HELP = """\
Print a script that lets the TAB key complete commands, options, their values and file names.

examples:
  jurybox completion bash
  jurybox completion zsh
  jurybox completion fish

to install it, for you alone:
  bash  echo 'eval "$(jurybox completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(jurybox completion zsh)"' >> ~/.zshrc   (after the line with compinit)
  fish  jurybox completion fish > ~/.config/fish/completions/jurybox.fish

then open a new terminal, and type jurybox followed by TAB."""

BASH = r"""
_jurybox() {
    local line IFS=$'\n'
    local typed="${COMP_WORDS[*]:0:COMP_CWORD+1}"
    COMPREPLY=()
    while read -r line; do
        COMPREPLY+=("$line")
    done < <("${COMP_WORDS[0]}" completion bash --words="$typed" 2>/dev/null)
}
complete -o default -F _jurybox jurybox
"""

ZSH = r"""
#compdef jurybox
_jurybox() {
    local -a found typed
    typed=("${(@)words[1,CURRENT-1]}" "$PREFIX")
    found=("${(@f)$("${words[1]}" completion zsh --words="${(pj:\n:)typed}" 2>/dev/null)}")
    if [[ -n "${found[*]}" ]]; then
        _describe jurybox found
    else
        compset -P '*='
        _files
    fi
}
if [[ "${funcstack[1]}" == _jurybox ]]; then
    _jurybox "$@"
else
    compdef _jurybox jurybox
fi
"""

FISH = r"""
function __jurybox_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l before (string join \n -- $typed | string collect)
    set -l found ($typed[1] completion fish --words="$before"\n"$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c jurybox -f -a '(__jurybox_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


class Candidate(NamedTuple):
    """A word that may stand here, and what it means."""

    word: str
    meaning: str = ""


class Call(Options):
    shell: Annotated[
        str, Opt("bash, zsh or fish", "SHELL", positional=True, values=(*SCRIPTS,), noun="shell")
    ]
    words: Annotated[
        str | None,
        Opt(
            "what the script asks at every TAB: print what the last of these words may become; "
            "the whole line is given, one word per line",
            "LINES",
        ),
    ] = None


def run(call: Call) -> None:
    if call.words is None:
        print(SCRIPTS[call.shell].strip())
        return
    between = {"bash": "", "zsh": ":", "fish": "\t"}[call.shell]
    for word, meaning in complete(call.words.split("\n")[1:]):
        shown = word.replace(":", "\\:") if call.shell == "zsh" else word
        print(f"{shown}{between}{meaning}" if between and meaning else shown)


def complete(words: Sequence[str]) -> list[Candidate]:
    """What the last of the words may become; nothing where it is a file name or free.

    >>> [candidate.word for candidate in complete(["score", "out.txt", "--metric", "e"])]
    ['errant']
    >>> [candidate.word for candidate in complete(["cei"])]
    ['ceiling']
    """
    *before, current = words or [""]
    if current == "=":  # bash, after an option: its value begins
        before, current = [*before, current], ""
    before = [word for word in before if word != "="]
    try:
        found = list(_candidates(before, current))
    except UsageError:  # no such command: there is nothing to offer
        return []
    return [candidate for candidate in found if candidate.word.startswith(current)]


def _candidates(before: Sequence[str], current: str) -> Iterator[Candidate]:
    from jurybox.cli._app import COMMANDS, build_parser, split_call

    if not before:
        yield from (Candidate(name, does) for name, does in COMMANDS.items())
        yield from (Candidate("--help"), Candidate("--version"))
        return
    if before[0] == "help":
        yield from (Candidate(name, does) for name, does in COMMANDS.items())
        return
    call, words = split_call(before)
    parser, _ = build_parser(call)
    options = {name: one for one in parser._actions for name in one.option_strings}
    flag, equals, _ = current.partition("=")
    if equals and flag in options:
        yield from (Candidate(f"{flag}={value}") for value in _values(options[flag]))
    elif current.startswith("-"):
        for one in parser._actions:
            # what an option does, short enough for a list of options
            does = (one.help or "").split(";")[0]
            for name in one.option_strings:
                yield Candidate(name, does if len(does) <= 60 else f"{does[:59]}…")
    elif waiting := _waiting_option(words, options):
        yield from map(Candidate, _values(waiting))
    elif not words:
        for one in parser._actions:
            if not one.option_strings:
                yield from map(Candidate, _values(one))


def _waiting_option(words: Sequence[str], options: dict[str, Action]) -> Action | None:
    """The option whose value stands next, if one is open: `--gold` takes all that follow it."""
    for place, word in enumerate(reversed(words)):
        one = options.get(word)
        if one is not None:
            return one if one.nargs == "+" or (one.nargs is None and place == 0) else None
    return None


def _values(action: Action) -> tuple[str, ...]:
    return action.type.values if isinstance(action.type, OneOf) else ()
