"""nbgrader's formgrader, to mark what was written in words: `python3 course.py grade --by-hand`.

Its button Autograde would run submissions as whoever sits here, without a sandbox. It answers with a sentence instead.
"""

import json
import subprocess
import sys

import course


def main(out):
    """Open formgrader on the gradebook; marks and comments given there stay when a homework is graded again."""
    if not (out / "gradebook.db").exists():
        sys.exit(f"There are no grades in {out} yet: grade a folder of submissions first.")
    from . import gradebook

    course.write(out / "nbgrader_config.json", json.dumps(gradebook.settings(out.resolve())).encode())
    course.say("Opening formgrader; Ctrl-C here, twice, ends it. Then grade again, which writes scores and feedback.")
    command = [sys.executable, "-m", "classroom.by_hand", "--LabApp.default_url=/formgrader", "--ip=127.0.0.1"]
    return subprocess.call(
        [*command, "--allow-root", f"--ServerApp.root_dir={out.resolve()}"],
        cwd=out,
        env=course.environment(PYTHONPATH=str(course.ROOT)),
    )


def without_autograde():
    from nbgrader.apps.api import NbGraderAPI

    from .gradebook import NO_AUTOGRADE

    NbGraderAPI.autograde = lambda *_, **__: {"success": False, "error": NO_AUTOGRADE, "log": NO_AUTOGRADE}


if __name__ == "__main__":
    without_autograde()
    from jupyterlab.labapp import main as lab

    lab()
