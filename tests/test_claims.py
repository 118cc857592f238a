"""claim prints the same sentence on every machine, and tells a statement that holds from one that does not."""

import numpy as np
import pytest

from kmlab.course.claims import claim


@pytest.mark.parametrize(
    "residual, line",
    [
        (3e-16, "✔ a = b   (off by at most 1e-11, allowed 1e-10)"),
        (0.0, "✔ a = b   (off by at most 1e-11, allowed 1e-10)"),
        (3e-9, "✘ a = b   (off by 3e-09, allowed 1e-10)"),
        (np.array([[0.0, -2e-11], [1e-12, 0.0]]), "✔ a = b   (off by at most 1e-10, allowed 1e-10)"),
        (np.array([0.0, -0.25]), "✘ a = b   (off by 0.25, allowed 1e-10)"),
        (0.3441, "✘ a = b   (off by 0.34, allowed 1e-10)"),
        (True, "✔ a = b"),
        (np.array([True, False]), "✘ a = b"),
        (np.nan, "✘ a = b   (off by nan, allowed 1e-10)"),
    ],
)
def test_claim_prints_its_verdict_what_was_measured_and_what_is_allowed(capsys, residual, line):
    claim("a = b", residual)
    assert capsys.readouterr().out == line + "\n"


def test_claim_takes_its_own_bound(capsys):
    claim("close", 0.02, within=0.05)
    assert capsys.readouterr().out == "✔ close   (off by 0.02, allowed 0.05)\n"
