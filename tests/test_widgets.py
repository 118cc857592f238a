"""A view shows the latest values, keeps the last good picture, and leaves one in the saved notebook."""

import base64
import html
import io
import re
import threading
from typing import NamedTuple

import numpy as np
import pytest
from PIL import Image

from kmlab.show import explore, log_slider, panels, slider, step_through, toolbox
from kmlab.show.canvas import Canvas
from kmlab.show.notebook import picture

WAIT = 60  # seconds, for what takes none


@panels(1, 1, size=(4, 2))
def line(axes, slope=1, sharp=False):
    axes[0].plot([0, 1], [0, slope])
    axes[0].set(ylim=(-10, 10))
    if sharp:
        raise ZeroDivisionError(f"a <slope> of {slope}\nis too sharp")
    return f"A line of slope {slope} < 99."


def shown(view):
    """Words and pixels of the picture on screen."""
    return view._picture.caption, np.asarray(Image.open(io.BytesIO(view.png)))


def alert(view):
    (sentence,) = re.findall('role="alert">(.*?)</div>', view._alert.value) or [""]
    return html.unescape(sentence)


# ---- pictures and values --------------------------------------------------------------------------------------------


def test_the_picture_carries_its_caption():
    view = explore(line, slope=(-9, 9))
    assert shown(view)[0] == view.caption == "A line of slope 1 < 99."


def test_a_caption_may_hold_any_sign():
    def signs(axes):
        return 'a < b & "c" > <i>d</i>'

    view = explore(signs)
    assert shown(view)[0] == 'a < b & "c" > <i>d</i>' and "<i>" not in view._repr_mimebundle_()[0]["text/html"]


def test_moving_a_control_changes_the_picture():
    view = explore(line, slope=(-9, 9))
    before = shown(view)[1]
    view.controls["slope"].widget.value = 5  # as the browser does
    assert view.caption == "A line of slope 5 < 99." == shown(view)[0]
    assert not np.array_equal(shown(view)[1], before)
    view.set(slope=1)
    assert np.array_equal(shown(view)[1], before)


def test_render_gives_the_same_picture_without_moving_anything():
    view = explore(line, slope=(-9, 9))
    view.set(slope=7)
    seven, on_screen = view.render(), view._picture.get_state()
    assert view.render(slope=-3) != seven and view.caption == "A line of slope -3 < 99."
    assert view.values == {"slope": 7} and view._picture.get_state() == on_screen
    assert view.render(slope=7) == seven
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(seven))), shown(view)[1])


def test_set_moves_several_controls_with_one_drawing():
    drawn = []

    def two(axes, a=0, b=0):
        drawn.append((a, b))
        return "Two."

    view = explore(two, a=(0, 9), b=(0, 9))
    view.set(a=3, b=4)
    assert drawn == [(0, 0), (3, 4)]


def test_the_size_on_screen_is_fixed_and_the_pixels_are_more():
    view = explore(line, slope=(-9, 9))
    assert view._picture.scene["size"] == [480, 240] and view._picture.scene["sharp"] == 1.2
    assert 'width="400" height="200"' in view._repr_mimebundle_()[0]["text/html"]
    assert shown(view)[1].shape[:2] == (240, 480)
    assert view.widget.children[-2:] == (view._picture, view._alert)  # a sentence never moves what is above it


# ---- errors ---------------------------------------------------------------------------------------------------------


def test_an_error_is_one_sentence_under_the_last_good_picture():
    view = explore(line, slope=(-9, 9), sharp=False)
    good, png = view._picture.get_state(), view.png
    assert alert(view) == ""
    view.set(slope=2, sharp=True)
    assert view._picture.get_state() == good and view.png == png
    assert alert(view) == "Not drawn, the picture is the last good one: a <slope> of 2 is too sharp"
    view.set(sharp=False)
    assert alert(view) == "" and view.caption == "A line of slope 2 < 99."


def test_the_first_picture_and_render_do_not_hide_an_error():
    with pytest.raises(ZeroDivisionError):
        explore(line, sharp=True)
    with pytest.raises(ZeroDivisionError):
        explore(line, sharp=False).render(sharp=True)


def test_an_interrupted_drawing_does_not_stop_the_view():
    interrupts = [KeyboardInterrupt]

    def draw(axes, t=0):
        if t == 1 and interrupts:
            raise interrupts.pop()
        return f"t = {t}"

    view = explore(draw, t=(0, 9))
    with pytest.raises(KeyboardInterrupt):
        view.set(t=1)
    view.set(t=2)
    assert shown(view)[0] == "t = 2"


# ---- threads --------------------------------------------------------------------------------------------------------


def test_fifty_quick_events_from_many_threads_end_with_the_last():
    entered, leave, drawn = threading.Event(), threading.Event(), []

    def slow(axes, t=0):
        drawn.append(t)
        if t:
            entered.set()
            assert leave.wait(WAIT)
        return f"t = {t}"

    view = explore(slow, t=(0, 1000))
    first = threading.Thread(target=view.set, kwargs={"t": 1})
    first.start()
    assert entered.wait(WAIT)
    for t in range(2, 52):  # while the first drawing is under way
        event = threading.Thread(target=setattr, args=(view.controls["t"].widget, "value", t))
        event.start()
        event.join(WAIT)
        assert not event.is_alive()  # it left its wish and went
    leave.set()
    first.join(WAIT)
    assert drawn == [0, 1, 51] and shown(view)[0] == "t = 51"


def test_threads_that_run_into_each_other_end_with_what_the_controls_say():
    @panels(1, 1, size=(2, 1))
    def numbers(axes, a=0, b=0):
        axes[0].plot([a, b])
        return f"{a} {b}"

    view = explore(numbers, a=(0, 99), b=(0, 99))

    def push(name, seed):
        for value in np.random.default_rng(seed).integers(0, 99, 15):
            view.controls[name].widget.value = int(value)

    pushers = [threading.Thread(target=push, args=(name, seed)) for seed, name in enumerate("abab")]
    for thread in pushers:
        thread.start()
    for thread in pushers:
        thread.join(WAIT)
    with view._state:
        assert view._state.wait_for(lambda: not view._drawing, WAIT)
    assert shown(view)[0] == "{a} {b}".format(**view.values)
    assert alert(view) == ""


def test_two_views_may_draw_at_the_same_time():
    views = [explore(line, slope=(-9, 9)) for _ in range(3)]
    wanted = views[0].render(slope=5)
    threads = [threading.Thread(target=lambda view=view: [view.set(slope=s) for s in (2, 3, 4, 5)]) for view in views]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert [view.png for view in views] == [wanted] * 3


# ---- what a saved notebook keeps ------------------------------------------------------------------------------------


def test_the_saved_output_is_a_picture_with_its_caption_and_the_live_view():
    view = explore(line, slope=(-9, 9))
    view.render(slope=-9)  # a later look elsewhere does not change what is displayed
    data, metadata = view._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html", "image/png", "application/vnd.jupyter.widget-view+json"}
    assert data["text/plain"] == "A line of slope 1 < 99."
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).convert("RGB"))
    assert np.array_equal(image, shown(view)[1][..., :3])
    assert metadata["image/png"] == {"width": 400, "height": 200, "alt": "A line of slope 1 < 99.", "cuts": []}
    assert explore(line, slope=(-9, 9))._repr_mimebundle_()[0]["text/plain"] == data["text/plain"]


def test_exported_html_shows_the_picture_with_its_text():
    nbformat, nbconvert = pytest.importorskip("nbformat"), pytest.importorskip("nbconvert")
    data, metadata = explore(line, slope=(-9, 9))._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("view", outputs=[output], execution_count=1)])
    for template in ("lab", "classic"):
        page, _ = nbconvert.HTMLExporter(template_name=template).from_notebook_node(notebook)
        (image,) = re.findall("<img[^>]*>", page.replace("\n", " "))
        assert data["image/png"][:99] in image
        assert 'alt="A line of slope 1 &lt; 99."' in image
        assert "<figcaption>A line of slope 1 &lt; 99.</figcaption>" in page


def test_a_picture_that_stands_still_has_its_words_in_every_form():
    data, metadata = picture(line, slope=2)._repr_mimebundle_()
    assert data["text/plain"] == metadata["image/png"]["alt"] == "A line of slope 2 < 99."
    assert "<figcaption>A line of slope 2 &lt; 99.</figcaption>" in data["text/html"]
    assert data["image/png"] in data["text/html"] and "kmlab-note" not in data["text/html"]


def test_steps_are_printed_as_a_strip_from_the_first_to_the_last():
    data, _ = squares()._repr_mimebundle_()
    shown, strip = data["text/html"].split('<div class="kmlab-strip">')
    assert "Run this cell to bring it back to life" in shown
    numbers = [int(number) for number in re.findall(r"<figcaption>Frame (\d+) of", strip)]
    assert numbers[0] == 1 and numbers[-1] == squares().last + 1 and len(numbers) == min(5, squares().last + 1)
    assert "kmlab-strip" not in step_through([7], walk, 10)._repr_mimebundle_()[0]["text/html"]


class At(NamedTuple):
    name: str
    place: np.ndarray
    count: int


def test_what_moves_is_seen_on_its_way(monkeypatch):
    seen = []

    def dot(axes, steps, t):
        axes[0].plot(*steps[t].place, "o")
        seen.append((steps[t].name, *steps[t].place, steps[t].count))
        return f"At {steps[t].name}."

    steps = [At("start", np.array([0.0, 1.0]), 1), At("end", np.array([10.0, 1.0]), 2)]
    view = step_through(steps, dot, follow=True)
    seen.clear()
    view.step(1)
    assert seen == [("end", 1.5, 1, 2), ("end", 5.0, 1, 2), ("end", 8.5, 1, 2), ("end", 10.0, 1, 2)]
    assert view.caption == "At end." and steps[1].place[0] == 10
    seen.clear()
    view.step(1)  # nowhere to go
    assert {place for _, place, *_ in seen} == {10.0}
    assert step_through(steps, dot).step(1) is None and {place for _, place, *_ in seen} == {10.0, 0.0}


def test_a_frame_is_shown_as_long_as_its_caption_takes_to_read():
    def talk(axes, steps, t):
        return steps[t]

    view = step_through(["One word more.", "word " * 30], talk)
    assert view.pace == 0  # nobody plays
    view.play()
    short = view._picture.pace
    view.tick()
    assert view._picture.pace == 0  # the last is there
    view.set(t=0)
    view.playing = True
    view.controls["t"].value = 1
    assert 0.7 < short < 1.5 < view.pace < 6


def test_a_typed_number_is_taken_as_near_as_it_can_be():
    view = explore(line, slope=(-9, 9))
    control = view.controls["slope"]
    for text, value in (("3", 3), ("3.6", 4), ("-20", -9), ("1e9", 9), ("abc", 9), ("inf", 9), ("−2", -2), ("", -2)):
        control.typed.value = text
        assert (control.value, control.typed.value) == (value, f"{value}")
        assert shown(view)[0] == f"A line of slope {value} < 99."


def test_a_number_that_is_not_typed_is_not_rounded_by_its_readout():
    @panels(1, 1, size=(2, 1))
    def dot(axes, at=0.0):
        return f"{at!r}"

    view = explore(dot, at=slider(0.0, 1.0))
    view.set(at=0.123456)
    assert view.values["at"] == 0.123456 and view.controls["at"].typed.value == "0.123"


def test_a_typed_number_has_room_for_all_its_digits():
    @panels(1, 1, size=(2, 1))
    def dots(axes, few=1, many=10):
        return "."

    view = explore(dots, few=slider(1, 10), many=log_slider(10, 1_000_000))
    few, many = (float(view.controls[name].typed.layout.width.removesuffix("em")) for name in ("few", "many"))
    assert few == 4 and many > 0.65 * len("1,000,000")  # em: a digit of a wide letter takes 0.64


def test_a_control_without_effect_is_disabled():
    view = explore(line, slope=slider(-9, 9).only(sharp=False), sharp=False)
    slope = view.controls["slope"]
    assert not slope.widget.disabled and not slope.typed.disabled
    view.set(sharp=True)  # which draws nothing, but the control knows
    assert slope.widget.disabled and slope.typed.disabled
    with pytest.raises(ValueError, match="no such control"):
        explore(line, slope=slider(-9, 9).only(kernel="Gaussian"))


def test_a_stored_picture_can_be_cut_between_its_columns():
    @panels(2, 2, widths=[3, 1])
    def four(axes, across=False):
        if across:
            axes[0].set_title("a title much longer than its own panel is wide, " * 2)
        return "Four."

    metadata = picture(four)._repr_mimebundle_()[1]["image/png"]
    canvas = Canvas(four)
    canvas.paint()
    boxes = [ax.get_tightbbox() for ax in canvas.axes]
    (cut,) = metadata["cuts"]
    assert max(boxes[0].x1, boxes[2].x1) < cut * canvas.figure.bbox.width < min(boxes[1].x0, boxes[3].x0)
    assert picture(four, across=True)._repr_mimebundle_()[1]["image/png"]["cuts"] == []


def test_on_a_narrow_page_panels_stand_below_each_other():
    @panels(1, 2, widths=[2, 1], projections={1: "3d"})
    def two(axes, slope=1):
        axes[0].plot([0, slope])
        return "Two."

    view = explore(two, slope=(0, 3))
    view._told(None, {"room": {"narrow": True, "dense": True}}, [])
    assert (
        view._picture.scene["stacked"] and view._picture.scene["sharp"] == 2 and view._picture.scene["size"][0] == 960
    )
    left, right = (ax.get_position() for ax in view.canvas.axes)
    assert left.y0 >= right.y1 and view.canvas.size[0] == 4.8 and view.canvas.axes[1].name == "3d"
    view._told(None, {"room": {"narrow": False, "dense": False}}, [])
    assert view.canvas.size == (9.6, 4.4)


# ---- steps ----------------------------------------------------------------------------------------------------------


@panels(1, 1, size=(2, 1))
def walk(axes, scale, steps, t, power=1):
    axes[0].plot(steps[: t + 1])
    return f"{scale * steps[t] ** power}."


def squares(power=(1, 3)):
    return step_through((n * n for n in range(5)), walk, 10, power=power)


def test_a_generator_becomes_frames_with_captions():
    view = squares()
    assert view.caption == "0." and shown(view)[0] == "Frame 1 of 5: 0."
    view.set(t=3)
    assert view.caption == "90." and shown(view)[0] == "Frame 4 of 5: 90."
    view.set(power=2)
    assert view.caption == "810."
    assert view.controls["t"].values_to_sweep() == [0, 2, 4]
    for t in view.controls["t"].values_to_sweep():
        assert view.render(t=t, power=1).startswith(b"\x89PNG") and view.caption == f"{10 * t * t}."
    assert view._repr_mimebundle_()[0]["text/plain"] == "Frame 4 of 5: 810."


def test_the_reader_counts_from_one():
    frame = squares().controls["t"].widget
    assert (frame.min, frame.max, frame.value, frame.description) == (1, 5, 1, "frame")
    with pytest.raises(ValueError, match="t is a whole number from 0 to 4, got 5; choose another."):
        squares().set(t=5)


def test_a_frame_keeps_its_number_when_the_slider_moves_on_meanwhile():
    shown_frames = []

    def moving(axes, steps, t):
        if t == 1:
            view.controls["t"].widget.value = 4
        return f"t = {t}"

    view = step_through("abcd", moving)
    view._picture.observe(lambda change: shown_frames.append(change["new"]), "caption")
    view.set(t=1)
    assert shown_frames == ["Frame 2 of 4: t = 1", "Frame 4 of 4: t = 3"]


def press(view, name):
    row = view.widget.children[0].children[0].children
    (button,) = (widget for widget in row if getattr(widget, "description", "") == name)
    button.click()


def test_back_and_forward_stop_at_the_ends():
    view = squares()
    press(view, "Back")
    assert view.caption == "0."
    for _ in range(6):
        press(view, "Forward")
    assert view.caption == "160."
    press(view, "Back")
    assert view.caption == "90."


def test_one_step_is_one_frame():
    view = step_through([7], walk, 10)
    assert shown(view)[0] == "Frame 1 of 1: 70." and view.controls["t"].values_to_sweep() == [0]
    press(view, "Forward")
    view.play()
    view.tick()
    assert shown(view)[0] == "Frame 1 of 1: 70." and not view.playing


def as_the_page_does(view):
    """Asks for the next frame whenever one has been shown long enough, until nothing plays."""
    while view._picture.pace > 0:
        view._told(None, {"tick": view._picture.scene["frame"]}, [])


def test_play_shows_every_frame_stops_at_the_end_and_starts_over():
    seen = []

    def slow(axes, steps, t):
        seen.append(t)
        return f"{t}"

    view = step_through("abcd", slow)
    seen.clear()
    press(view, "Play")
    as_the_page_does(view)
    assert seen == [0, 1, 2, 3] and view.caption == "3"
    seen.clear()
    press(view, "Play")  # the button says Play again
    as_the_page_does(view)
    assert seen == [0, 1, 2, 3]


def test_a_second_page_does_not_play_twice_as_fast():
    view = squares()
    view.play()
    for _ in range(2):
        view._told(None, {"tick": 0}, [])  # both have shown frame 0
    assert view.controls["t"].value == 1


def test_the_play_needs_no_thread(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")  # as in a browser's Python

    monkeypatch.setattr(threading.Thread, "start", refuse)
    view = squares()
    view.play()
    as_the_page_does(view)
    assert view.caption == "160."


def test_pause_and_a_step_stop_the_play():
    view = squares()
    press(view, "Play")
    press(view, "Pause")
    assert view._picture.pace == 0 and view.caption == "0."
    view._told(None, {"tick": 0}, [])  # was on its way
    assert view.caption == "0."
    press(view, "Play")
    press(view, "Forward")
    assert view._picture.pace == 0 and view.caption == "10."


def test_the_play_goes_on_from_where_the_reader_puts_it():
    view = squares()
    view.set(t=3)
    press(view, "Play")
    assert view.caption == "90."
    as_the_page_does(view)
    assert view.caption == "160."


# ---- a real one -----------------------------------------------------------------------------------------------------


def test_kernel_pca_on_rings_sweeps_without_an_error():
    from kmlab import datasets
    from kmlab.kernels import Gaussian
    from kmlab.pca import KernelPCA

    X, y = datasets.rings(n_per_ring=20)
    grid = np.linspace(-4, 4, 30)

    @panels(1, 2, size=(6, 3))
    def contours(axes, X, y, width=1.0, component=1):
        toolbox.scatter_classes(axes[0], X, y)
        scores = KernelPCA(Gaussian(width), 4).fit(X).on_grid(grid, grid)
        toolbox.score_map(axes[1], grid, grid, scores[..., component - 1])
        return f"Component {component} at width {width:.2g}."

    view = explore(contours, X, y, width=log_slider(0.1, 10, label="kernel width"), component=slider(1, 4))
    pictures = set()
    for name, control in view.controls.items():
        for value in control.values_to_sweep():
            pictures.add(view.render(**{name: value}))
    assert len(pictures) == 5  # three widths and three components, of which one is the same
