"""How `course.py test` shares the suite out among the cores, and what --quick leaves out; a plugin of pytest.

A worker takes a file at a time, because its tests share what took long to make: a site, a class, a browser, the kernel
of a notebook. Files in PIECES share nothing, or only among the tests of one notebook, and go in pieces. What takes
longest goes first, so that no core waits long at the end.
"""

from pathlib import PurePosixPath

import pytest

NOTEBOOKS = "the notebooks' new run"
SLOW = {  # files that --quick leaves out, those that take longest first, and what goes with them
    "test_grade.py": "grading",
}
PIECES = ("test_estimator.py", "test_notebooks.py")


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out what takes long")


def place(nodeid):
    """Name of the file, and the test in it."""
    path, _, name = nodeid.partition("::")
    return PurePosixPath(path).name, name


def left_out(nodeid):
    """What --quick misses without this test, or None if it is quick."""
    file, _ = place(nodeid)
    return NOTEBOOKS if file.endswith(".ipynb") else SLOW.get(file)


def unit(nodeid):
    """Tests of one unit run on one worker, one after the other."""
    file, name = place(nodeid)
    if file not in PIECES:
        return file
    return f"{file}[{name.partition('[')[2]}" if file == "test_notebooks.py" else nodeid


def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling  # imported late: without a worker there is no need of it

    class Units(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return unit(nodeid)

    config.option.loadscopereorder = False  # the order is that of the collection
    return Units(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    first = list(SLOW)
    items.sort(key=lambda item: first.index(file) if (file := place(item.nodeid)[0]) in first else len(first))
    if config.option.quick:
        slow = [item for item in items if left_out(item.nodeid)]
        items[:] = [item for item in items if item not in slow]
        config.hook.pytest_deselected(items=slow)


def pytest_terminal_summary(terminalreporter, config):
    if config.option.quick:
        what = ", ".join(dict.fromkeys([*SLOW.values(), NOTEBOOKS]))
        terminalreporter.write_line(f"Left out by --quick: {what}; `python3 course.py test` runs them too.")
