"""Every figure is written from kmlab, and twice the same."""

from pathlib import Path

from kmlab.show.figures import all_figures, write

STORED = Path(__file__).parent.parent / "figures"


def test_figures_are_the_same_bytes_on_every_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("kmlab.show.figures.all_figures", lambda: iter(list(all_figures())[::6]))
    for run in ("first", "second"):
        write(tmp_path / run)
    first = {path.name: path.read_bytes() for path in (tmp_path / "first").iterdir()}
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "second").iterdir()}
    assert f"{len(first)}/{len(first)}" in capsys.readouterr().out


def test_a_figure_that_is_no_longer_made_is_removed(tmp_path, monkeypatch):
    (tmp_path / "gone.svg").write_text("old")
    monkeypatch.setattr("kmlab.show.figures.all_figures", lambda: iter(list(all_figures())[:1]))
    write(tmp_path)
    assert [path.stem for path in tmp_path.iterdir()] == [next(all_figures())[0]]


def test_the_stored_figures_are_those_that_are_made():
    assert {path.stem for path in STORED.glob("*.svg")} == {name for name, _ in all_figures()}
