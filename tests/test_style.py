"""The palette is told apart by all, text is large, and nothing is set behind the reader's back."""

import itertools
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from kmlab.show import style

# linear RGB as seen without one kind of cones: G. Machado, M. Oliveira, L. Fernandes, A physiologically-based model for
# simulation of color vision deficiency, 2009, severity 1
VISION = {
    "full": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
JUST_SEEN = 2.3  # distance in CIELAB that is just noticeable


def lab(color, vision):
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)])
    xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    ) @ np.clip(np.array(VISION[vision]) @ linear, 0, 1)
    f = [np.cbrt(v) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz / [0.95047, 1, 1.08883]]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(a, b, vision):
    return np.linalg.norm(lab(a, vision) - lab(b, vision))


@pytest.mark.parametrize("vision", VISION)
def test_all_colours_are_apart_for_every_kind_of_colour_vision(vision):
    for a, b in itertools.combinations(style.COLORS, 2):
        assert distance(a, b, vision) > 6 * JUST_SEEN, (a, b)


def test_the_ruler_knows_a_pair_that_is_not_safe():
    red, green = "#d62728", "#2ca02c"
    assert distance(red, green, "full") > 100 and distance(red, green, "deuteranopia") < 6 * JUST_SEEN


@pytest.mark.parametrize("vision", VISION)
def test_the_two_ends_of_the_diverging_colours_are_apart(vision):
    colors = style.DIVERGING
    assert distance(colors(0.15), colors(0.85), vision) > 20 * JUST_SEEN
    assert lab(colors(0.5), vision)[0] > 95  # zero is nearly the paper


@pytest.mark.parametrize(("vision", "apart"), [("full", 10), *((kind, 3.5) for kind in list(VISION)[1:])])
def test_a_sign_has_no_colour_of_a_class(vision, apart):
    for color in style.COLORS[:3]:
        nearest = min(distance(color, style.DIVERGING(v), vision) for v in np.linspace(0, 1, 65))
        assert nearest > apart * JUST_SEEN, color


def test_red_and_blue_of_the_usual_diverging_colours_would_be_noticed():
    colors = matplotlib.colormaps["RdBu"](np.linspace(0, 1, 65))
    assert min(distance(style.COLORS[0], color, "full") for color in colors) < 2 * JUST_SEEN


def test_both_signs_are_equally_strong():
    for share in (0.1, 0.25, 0.4):
        minus, plus = (lab(style.DIVERGING(v), "full")[0] for v in (share, 1 - share))
        assert abs(minus - plus) < 8


@pytest.mark.parametrize("name", [style.SEQUENTIAL, style.SECOND])
def test_the_sequential_colours_grow_steadily_lighter(name):
    lightness = [lab(matplotlib.colormaps[name](v), "full")[0] for v in np.linspace(0, 1, 32)]
    steps = np.diff(lightness)
    assert steps.min() > 0 and steps.max() < 2 * steps.min()


def test_text_is_large_and_markers_differ_like_colours():
    assert min(size for key, size in style.STYLE.items() if key.endswith("size") and key != "lines.markersize") >= 13
    assert len(set(style.MARKERS)) == len(set(style.COLORS)) == len(style.MARKERS) == len(style.COLORS)


def test_settings_hold_only_inside_and_importing_sets_nothing():
    code = (
        "import sys, matplotlib; before = matplotlib.rcParams.copy(); import kmlab.show; "
        "assert matplotlib.rcParams.copy() == before; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    before = dict(matplotlib.rcParams)
    with pytest.raises(ZeroDivisionError), style.house_style():
        assert matplotlib.rcParams["font.size"] == style.STYLE["font.size"]
        raise ZeroDivisionError
    assert dict(matplotlib.rcParams) == before


def test_settings_that_another_thread_makes_meanwhile_stay():
    with matplotlib.rc_context():
        with style.house_style():
            matplotlib.rcParams["savefig.dpi"] = 77
        assert matplotlib.rcParams["savefig.dpi"] == 77
