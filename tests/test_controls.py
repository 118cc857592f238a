"""Controls start where they should, stay in their range, and refuse in one sentence."""

import ipywidgets
import numpy as np
import pytest

from kmlab.show import choice, explore, log_slider, slider, step_through, toggle


def draw(axes, X, width=0.5, degree=2, kernel="Gaussian", centred=True):
    return f"{width} {degree} {kernel} {centred}"


def bare(axes, n, flag, kind):
    return f"{n} {flag} {kind}"


def view(**controls):
    return explore(draw, np.zeros(3), **controls)


def test_short_forms_and_their_widgets():
    controls = view(width=(0.1, 2.0), degree=(1, 6), kernel=["Gaussian", "linear"], centred=True).controls
    kinds = [type(control.widget) for control in controls.values()]
    assert kinds == [ipywidgets.FloatSlider, ipywidgets.IntSlider, ipywidgets.Dropdown, ipywidgets.Checkbox]
    assert view(width=(0.1, 2.0, 0.05)).controls["width"].widget.step == 0.05
    assert view(width=(0.0, 2.0)).controls["width"].widget.step == 0.02
    assert type(view(width=log_slider(0.1, 10)).controls["width"].widget) is ipywidgets.SelectionSlider


def test_first_value_is_the_given_one_then_the_default_then_the_middle():
    assert view(width=slider(0.1, 2.0, value=0.7)).values == {"width": 0.7}
    assert view(width=slider(0.1, 2.0)).values == {"width": 0.5}
    assert view(centred=False).values == {"centred": False}
    assert view(centred=toggle()).values == {"centred": True}
    assert view(centred=toggle(False)).values == {"centred": False}
    started = explore(bare, n=slider(0.0, 3.0), flag=toggle(), kind={"one": 1, "two": 2})
    assert started.values == {"n": 1.5, "flag": False, "kind": 1}
    assert explore(bare, n=log_slider(0.01, 100), flag=True, kind=[7]).values["n"] == 1
    assert explore(bare, n=(2, 8), flag=True, kind=[7]).values == {"n": 5, "flag": True, "kind": 7}


def test_one_control_may_serve_two_views():
    width = slider(0.1, 2.0)
    first, second = view(width=width), view(width=width)
    first.set(width=1.5)
    assert (first.values, second.values) == ({"width": 1.5}, {"width": 0.5})


def test_names_are_words():
    controls = view(width=slider(0.1, 2.0, label="kernel width"), centred=True).controls
    assert [control.widget.description for control in controls.values()] == ["kernel width", "centred"]
    assert all(control.widget.tooltip == control.label for control in controls.values())


def test_sweeps_try_both_ends_and_between():
    assert slider(1, 8).values_to_sweep() == [1, 5, 8]
    assert slider(0, 1).values_to_sweep() == [0, 1]
    assert slider(0.0, 1.0, 0.3).values_to_sweep() == pytest.approx([0, 0.6, 1])
    assert log_slider(0.01, 100).values_to_sweep() == [0.01, 1, 100]
    assert choice(["a", "b"]).values_to_sweep() == ["a", "b"]
    assert choice({"a": 1, "b": 2}).values_to_sweep() == [1, 2]
    assert toggle().values_to_sweep() == [False, True]


@pytest.mark.parametrize("control", [slider(1, 8), slider(0.1, 0.7), log_slider(0.03, 7), choice("ab"), toggle()])
def test_every_swept_value_is_taken_as_it_is(control):
    started = explore(lambda axes, p: f"{p}", p=control)
    for value in control.values_to_sweep():
        started.set(p=value)
        assert started.values == {"p": pytest.approx(value)} and started.caption == str(started.values["p"])
        if isinstance(control, slider):
            assert control.lo <= started.values["p"] <= control.hi


@pytest.mark.parametrize(
    "lo, hi, start",
    [(0.05, 10, 0.5), (0.25, 4, 3), (1e-8, 1000, 1e-6), (0.3, 0.33, 0.31), (1e-16, 1e-2, 1e-10), (50, 1_000_000, 1234)],
)
def test_a_log_slider_stops_at_its_ends_at_its_start_and_at_round_numbers_between(lo, hi, start):
    control = explore(lambda axes, p: f"{p}", p=log_slider(lo, hi, start)).controls["p"]
    stops, shown = control.stops, [label for label, _ in control.widget.options]
    assert stops == sorted(stops) and (stops[0], stops[-1]) == (lo, hi) and control.value == start
    assert len(set(shown)) == len(stops) <= 63 and all(
        float(text.replace(",", "")) == stop for text, stop in zip(shown, stops, strict=True) if stop != start
    )
    if hi / lo > 10:
        factors = np.divide(stops[1:], stops[:-1])
        assert factors.max() <= 2.01 and len(stops) > 25
    if lo <= 0.2 and hi >= 5:  # what a text asks for can be had
        assert {0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0} <= set(stops)


def test_a_log_slider_goes_to_the_stop_that_is_next():
    started = explore(lambda axes, p: f"{p}", p=log_slider(0.1, 10))
    for asked, got in (0.1, 0.1), (2.02, 2.0), (9.6, 10.0), (0.141, 0.14):
        started.set(p=asked)
        assert started.values == {"p": got}


def test_whole_numbers_stay_whole():
    started = view(degree=(1, 6))
    started.set(degree=np.int64(4))
    assert started.values["degree"] == 4 and isinstance(started.values["degree"], int)


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: slider(2, 1), "A slider needs two numbers lo < hi, got 2 and 1; give them in that order."),
        (lambda: slider(0, float("nan")), "A slider needs two numbers lo < hi, got 0 and nan"),
        (lambda: slider("a", 3), "A slider needs two numbers lo < hi, got 'a' and 3"),
        (lambda: slider(0, 1, 5), "A slider's step lies between 0 and 1, got 5; choose a smaller one."),
        (lambda: log_slider(0, 1), "A log slider needs lo > 0, got 0; use slider()"),
        (lambda: choice([]), "A choice needs at least one option, got none; give a list or a dict."),
        (lambda: view(width=slider(1.0, 2.0)), "width is a number from 1 to 2, got 0.5; choose another."),
        (lambda: view(degree=slider(1, 6, value=2.5)), "degree is a whole number from 1 to 6, got 2.5"),
        (lambda: view(kernel=["linear"]), "kernel is one of linear, got 'Gaussian'; choose one of these."),
        (lambda: view(centred=toggle("yes")), "centred is True or False, got 'yes'; choose one of these."),
        (
            lambda: view(widht=(0.1, 2.0)),
            "draw has no parameter 'widht' to control, only width, degree, kernel, centred.",
        ),
        (lambda: explore(bare, n=(1, 2), flag=True), "bare needs a value for 'kind'; give it a control"),
        (lambda: explore(bare, 1, 2, 3, 4), "bare takes 3 arguments after axes, got 4; leave some out."),
        (lambda: view().set(width=1), "There is no control 'width' here; it has no controls."),
        (lambda: view(degree=(1, 6)).set(width=1), "There is no control 'width' here, only degree."),
        (lambda: view(degree=(1, 6)).render(degree=7), "degree is a whole number from 1 to 6, got 7; choose another."),
        (lambda: step_through([], bare), "step_through needs at least one step, got none; look at what"),
    ],
)
def test_refusals(make, sentence):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value).startswith(sentence) and "\n" not in str(refusal.value)


def test_what_is_no_control_is_refused():
    with pytest.raises(TypeError, match="width is controlled by a slider, log_slider, choice or toggle, got 3;"):
        view(width=3)
