"""Study files: what they say is read as it stands, and what is wrong is said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import FormatError
from jurybox.formats.toml_files import line_of
from jurybox.study.file import read_study

MEASURES = '[analysis.m]\ncommand = "measures"\ntp = 1\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few files that studies name."""
    (tmp_path / "gold").mkdir()
    for name in ("A1.m2", "A2.m2", "A10.m2"):
        (tmp_path / "gold" / name).touch()
    (tmp_path / "mine.txt").touch()
    (tmp_path / "mine.csv").touch()
    (tmp_path / "odd[1].txt").touch()
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, "utf-8")
    return path


def test_files_are_found_from_the_study_file_and_patterns_are_spelled_out_in_order(
    folder: Path,
) -> None:
    study = read_study(
        written(
            folder,
            '[data]\npanel = "gold/A*.m2"\nodd = "odd[1].txt"\n'
            '[systems]\nmine = { text = "mine.txt", decisions = "mine.csv" }\n'
            f'[judges]\nboth = ["gold/A2.m2", "gold/A1.m2"]\n{MEASURES}',
        )
    )
    assert study.named["panel"].forms == {"": ("gold/A1.m2", "gold/A10.m2", "gold/A2.m2")}
    assert study.named["odd"].forms == {"": ("odd[1].txt",)}  # a file of that very name
    assert study.named["mine"].forms == {"text": ("mine.txt",), "decisions": ("mine.csv",)}
    assert study.named["both"].forms == {"": ("gold/A2.m2", "gold/A1.m2")}
    assert study.folder == str(folder)


def test_analyses_keep_their_order_and_their_options(folder: Path) -> None:
    study = read_study(
        written(folder, f'{MEASURES}[analysis.a]\ncommand = "sample  plan"\nsize = {{ ok = 9 }}\n')
    )
    assert [(one.name, one.command) for one in study.analyses] == [
        ("m", "measures"),
        ("a", "sample plan"),
    ]
    assert study.analyses[1].options == {"size": {"ok": 9}}


BAD = {
    'title = "x\n': (1, "is not TOML"),
    'title = "x"\nseed =\n': (2, "is not TOML"),
    '[data]\nlist = ["a",\n': (2, "is not TOML"),
    f'titel = "x"\n{MEASURES}': (1, "titel: there is no such key; did you mean 'title'?"),
    f"title = 3\n{MEASURES}": (1, "title: must be text in quotes"),
    f'out = ""\n{MEASURES}': (1, "out: must be text in quotes"),
    f"seed = 1.5\n{MEASURES}": (1, "seed: must be a whole number"),
    f"seed = true\n{MEASURES}": (1, "seed: must be a whole number"),
    'title = "x"\n': (None, "there is no analysis; write one"),
    f"data = 3\n{MEASURES}": (1, "data: must be a table: begin it with [data]"),
    f'[data]\np = "mien.txt"\n{MEASURES}': (2, "did you mean 'mine.txt'?"),
    f'[data]\np = "gold/A1.m3"\n{MEASURES}': (2, "did you mean 'gold/A1.m2'?"),
    f'[data]\np = "none/x.txt"\n{MEASURES}': (2, "no file none/x.txt, and no folder none"),
    f'[data]\np = "B*.m2"\n{MEASURES}': (2, "no file is called like B*.m2"),
    f"[data]\np = 3\n{MEASURES}": (2, "data.p: must be a file name in quotes"),
    f'[data]\np = ["mine.txt", 3]\n{MEASURES}': (2, "data.p: must be a file name in quotes"),
    f"[data]\np = []\n{MEASURES}": (2, "data.p: must be a file name in quotes"),
    f"[data]\np = {{}}\n{MEASURES}": (2, "data.p: names no file"),
    f'[data]\nm = "mine.txt"\n{MEASURES}': (3, "analysis.m: this name is taken by data.m"),
    f'[data]\nx = "mine.txt"\n[judges]\nx = "mine.csv"\n{MEASURES}': (4, "taken by data.x"),
    f'[data]\nsystems = "mine.txt"\n{MEASURES}': (2, "@systems means all systems"),
    f'[data]\n"a b" = "mine.txt"\n{MEASURES}': (2, "a name is made of letters"),
    f'[systems]\nall = "gold/*.m2"\n{MEASURES}': (2, "a system is one file, and these are 3"),
    "[analysis]\nscores = 3\n": (2, "analysis.scores: must be a table"),
    '[[analysis]]\ncommand = "score"\n': (1, "must be a table: begin it with [analysis.NAME]"),
    "[analysis.scores]\nbeta = 1\n": (1, 'says no command; write as command = "score"'),
    "[analysis.scores]\ncommand = 7\n": (2, "analysis.scores.command: says no command"),
    '[analysis.report]\ncommand = "score"\n': (1, "choose another name"),
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_said_with_file_line_key_and_remedy(folder: Path, text: str) -> None:
    line, message = BAD[text]
    path = written(folder, text)
    with pytest.raises(FormatError) as caught:
        read_study(path)
    assert str(caught.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert message in str(caught.value)


names = st.text("abcxyz-_", min_size=1, max_size=5)
tables = st.dictionaries(names, st.dictionaries(names, st.integers(0, 9), max_size=4), max_size=4)


@given(tables, st.integers(0, 2))
def test_the_line_of_every_key_is_found(
    given_tables: dict[str, dict[str, int]], blank: int
) -> None:
    lines: list[str] = []
    expected: dict[tuple[str, ...], int] = {}
    for table, keys in given_tables.items():
        lines += [*["# note"] * blank, f"[analysis.{table}]"]
        expected["analysis", table] = len(lines)
        for key, value in keys.items():
            lines.append(f"{key} = {value}")
            expected["analysis", table, key] = len(lines)
    text = "\n".join(lines)
    assert {keys: line_of(text, keys) for keys in expected} == expected


def test_a_key_that_is_not_found_is_placed_at_its_table() -> None:
    assert line_of("[a.b]\nc = 1\n", ["a", "b", "zzz"]) == 1
    assert line_of('[a."b.c"]\nd = 1\n', ["a", "b.c", "d"]) == 2
    assert line_of("c = 1\n", ["a"]) is None


def test_options_of_older_study_files_get_their_new_names(folder: Path) -> None:
    old = 'map = { case = "id" }\nwith-models = true\n'
    study = read_study(
        written(
            folder,
            f'[analysis.a]\ncommand = "agree"\n{old}[analysis.s]\ncommand = "screen"\n{old}'
            '[analysis.m]\ncommand = "meta"\n',
        )
    )
    assert [(one.command, dict(one.options)) for one in study.analyses] == [
        ("agree", {"columns": {"case": "id"}, "show-models": True}),
        ("screen", {"columns": {"case": "id"}, "count-models": True}),
        ("metaeval", {}),
    ]
    with pytest.raises(FormatError, match="is called columns, which is there"):
        read_study(written(folder, f'[analysis.a]\ncommand = "agree"\n{old}columns = {{}}\n'))
