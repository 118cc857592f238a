"""Every equation is found where it stands, and so are the tests that look at it."""

import mutate

SOURCE = '''
def plain(x):
    """y = 2x  (A.1)"""
    return 2 * check.positive(x, "x")


def by_line(x, chosen):
    """Whatever it says here (A.1) does not count, its line does."""
    y = helper(x)  # (A.2)
    chosen.append(x + y)  # (A.3)
    chosen.append(x - y)
    return check.no_overflow(y - 1)


def helper(x):
    return x**3
'''


def test_lines_docstrings_and_what_they_call_are_broken(tmp_path):
    (tmp_path / "a.py").write_text(SOURCE)
    found = [(m.on_line, m.name.removeprefix("a.py ")) for m in mutate.mutants("a.py", tmp_path)]
    assert found == [
        (True, "(A.2) helper(x) -> -helper(x)"),
        (True, "(A.2) helper(x) -> 2 * helper(x)"),
        (True, "(A.3) x + y -> x - y"),
        (True, "(A.3) x + y -> -(x + y)"),
        (True, "(A.3) x + y -> 2 * (x + y)"),
        (False, "(A.1) 2 * check.positive(x, \"x\") -> 2 / check.positive(x, 'x')"),
        (False, "(A.1) 2 * check.positive(x, \"x\") -> -(2 * check.positive(x, 'x'))"),
        (False, "(A.1) 2 * check.positive(x, \"x\") -> 2 * (2 * check.positive(x, 'x'))"),
        (False, "(A.1) 2 -> 3"),
        (False, "(A.2) x**3 -> x * 3"),
        (False, "(A.2) x**3 -> -x ** 3"),
        (False, "(A.2) x**3 -> 2 * x ** 3"),
        (False, "(A.2) 3 -> 4"),
    ]


def test_of_rows_in_strips_what_is_made_of_them_is_broken_and_not_how_many_there_are(tmp_path):
    lines = ["class A:", "    def f(self, X):", "        return in_strips(self._g, X, 2 * len(X)), *X  # (A.1)"]
    (tmp_path / "a.py").write_text("\n".join([*lines, "", "    def _g(self, B):", "        return B @ B"]))
    found = [m.name.removeprefix("a.py (A.1) ") for m in mutate.mutants("a.py", tmp_path)]
    whole = "in_strips(self._g, X, 2 * len(X))"
    assert found == [f"{whole} -> -{whole}", f"{whole} -> 2 * {whole}", "B @ B -> -(B @ B)", "B @ B -> 2 * (B @ B)"]


def test_the_tests_of_a_file_come_before_those_of_the_files_that_use_it():
    asked = [file.removeprefix("tests/test_") for file in mutate.test_files("kmlab/engine/active_set.py")]
    assert asked[:4] == ["dual.py", "one_class.py", "svm.py", "engine.py"]
    assert mutate.test_files("kmlab/pca.py")[0] == "tests/test_pca.py"
    assert "tests/test_pca.py" in mutate.test_files("kmlab/_checks.py")  # from . import _checks as check


def test_every_mutant_that_is_excused_is_there():
    assert mutate.stale() == []
