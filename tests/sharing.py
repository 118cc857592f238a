"""How `course.py test` shares the suite out among the cores, and what --quick leaves out; a plugin of pytest.

A worker takes a file at a time, because its tests share what took long to make: a site, a class, a browser, the kernel
of a notebook. In test_notebooks.py they share no more than one notebook, and each of those is taken by itself. What
takes longest goes first, so that no core waits long at the end.
"""

from pathlib import Path, PurePosixPath

import pytest

NOTEBOOKS = "a new run of the notebooks"
SLOW = {  # files, or single tests, that --quick leaves out: those that take longest first, and what goes with them
    "test_grade.py": "grading",
    "test_notebooks.py::test_every_control_is_swept": "the sweep of every slider",
    "test_notebooks.py::test_a_parameter_that_a_kernel_does_not_have_is_disabled": "the sliders that rest",
    "test_notebooks.py::test_whatever_a_hand_does_there_is_a_picture_or_a_sentence": "what a hand can do to them",
    "test_browser.py": "the browser",
    "test_figures.py": "the figures",
    "test_touch.py": "points in the hand",
    "test_slides.py": "the slides",
    "test_lite.py": "the browser's own Python",
    "test_live.py": "live pages",
    "test_bases.py::test_scikit_learns_own_checks_pass": "scikit-learn's own checks",
    "test_bases.py::test_scikit_learns_checks_of_frames_pass": "scikit-learn's own checks",
    "test_playground.py": "the playground",
    "test_canvas.py": "the pictures frame by frame",
    "test_sharing.py": "the sharing out of this suite",
    "test_site.py": "the web pages",
    "test_homework.py::test_what_passes_the_check_passes_when_it_is_graded": "grading",
    "test_homework.py::test_the_bundle_starts_with_the_same_two_commands": "the students' bundle",
    "test_homework.py::test_nor_do_they_reach_the_bundle": "the students' bundle",
    "test_homework.py::test_a_bundle_refuses_a_secret_and_is_the_same_every_time": "the students' bundle",
    "test_primal.py::test_a_worker_that_dies_changes_nothing_and_only_small_matrices_come_here": "a cluster of Dask",
    "test_primal.py::test_progress_is_shown_on_a_cluster_and_without_one": "a cluster of Dask",
    "test_scale.py::test_two_workers_share_the_blocks": "a cluster of Dask",
    "test_hub.py": "the hub",
    "test_course.py": "course.py itself",
    "test_properties.py": "the search for data that breaks something",
    "test_bench.py": "the benchmark",
    "test_alone.py::test_without_a_browser_the_book_is_written_and_a_sentence_says_why_no_pdf_is": "the handouts",
    "test_alone.py::test_a_page_is_printed_with_its_pictures_and_numbers": "the handouts",
    "test_mutate.py::test_every_mutant_that_is_excused_is_there": "the excuses of the mutants",
}
FILES = list(dict.fromkeys(entry.partition("::")[0] for entry in SLOW))
APART = "test_notebooks.py"


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out what takes long")


def place(nodeid):
    """A test's file, its name, and its parameters."""
    path, _, test = nodeid.partition("::")
    name, _, parameters = test.partition("[")
    return PurePosixPath(path).name, name, parameters


def left_out(nodeid):
    """What --quick misses without this test; None if it is quick."""
    file, name, _ = place(nodeid)
    return NOTEBOOKS if file.endswith(".ipynb") else SLOW.get(file) or SLOW.get(f"{file}::{name}")


def turn(nodeid):
    """Slow files first, as they are listed, then the notebooks, then all others."""
    file, _, _ = place(nodeid)
    return FILES.index(file) if file in FILES else len(FILES) + (not file.endswith(".ipynb"))


def unit(nodeid):
    """The tests of one unit run on one worker, one after the other."""
    file, _, parameters = place(nodeid)
    return f"{file}[{parameters}" if file == APART else nodeid.partition("::")[0]


def pytest_ignore_collect(collection_path, config):
    """A file of which --quick runs nothing is not even read, for every worker would load what it needs."""
    asked_for = any(Path(arg.partition("::")[0]).resolve() == collection_path for arg in config.args)
    return bool(config.option.quick and left_out(collection_path.name) and not asked_for) or None


def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling  # not above: a run without workers does without xdist

    class Units(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return unit(nodeid)

        def remove_node(self, node):
            """A worker that dies has failed the test that it was at; the others of its units are still to be run."""
            units = self.assigned_work.pop(node)
            left = [(tests, nodeid) for tests in units.values() for nodeid, done in tests.items() if not done]
            if not left:
                return None
            tests, failed = left[0]
            tests[failed] = True
            self.workqueue.update({name: tests for name, tests in units.items() if not all(tests.values())})
            self.schedule()
            return failed

        def _reschedule(self, node):
            if node in self.registered_collections:  # not yet: it takes the place of a dead one, and still collects
                super()._reschedule(node)
                if self.workqueue and self._pending_of(self.assigned_work[node]) < 2:
                    super()._reschedule(node)  # it begins a test only when it knows the next

    config.option.loadscopereorder = False  # the order is ours
    return Units(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    items.sort(key=lambda item: turn(item.nodeid))
    if config.option.quick:
        slow = [item for item in items if left_out(item.nodeid)]
        items[:] = [item for item in items if not left_out(item.nodeid)]
        config.hook.pytest_deselected(items=slow)


def pytest_terminal_summary(terminalreporter, config):
    if config.option.quick:
        what = ", ".join(dict.fromkeys([*SLOW.values(), NOTEBOOKS]))
        terminalreporter.write_line(f"Left out by --quick: {what}. `python3 course.py test` runs them too.")
