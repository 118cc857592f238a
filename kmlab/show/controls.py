"""What a reader moves: sliders, choices and toggles, each with its range, its widget and values for a test to try."""

import copy
import inspect
import math

import ipywidgets
import numpy as np

WIDE = {"width": "22em"}
ROUND = (  # of a decade, for a log slider: as many as it has room for
    (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9),
    (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9),
    (1, 1.5, 2, 3, 4, 5, 7),
    (1, 2, 3, 5),
)


class Control:
    """One parameter that the reader moves: its widget, its range, and the values that a test tries."""

    needs = {}  # name of another control -> its values for which this one does anything

    def __init__(self, value, label):
        self.start, self.label = value, label

    def only(self, **needs):
        """This control, at work only when others have these values: slider(1, 9).only(kernel="polynomial")."""
        self.needs = {name: values if isinstance(values, (list, tuple)) else [values] for name, values in needs.items()}
        return self

    def enable(self, yes):
        self.widget.disabled = not yes

    def matters(self, values):
        return all(values[name] in allowed for name, allowed in self.needs.items())

    def build(self, name, default):
        self.name, self.label = name, self.label or name.replace("_", " ")
        start = next((value for value in (self.start, default) if value is not None), self.middle())
        self.check(start)
        self.widget = self.make_widget(start)
        self.widget.description = self.widget.tooltip = self.label
        self.widget.style.description_width = "initial"
        self.box = self.make_box()
        return self

    def make_box(self):
        """What is displayed."""
        return self.widget

    @property
    def value(self):
        return self.widget.value

    @value.setter
    def value(self, value):
        self.check(value)
        self.widget.value = value


class slider(Control):
    """Numbers from lo to hi; whole numbers where lo, hi and step are whole."""

    def __init__(self, lo, hi, step=None, value=None, label=None):
        super().__init__(value, label)
        if not (_is_number(lo) and _is_number(hi) and lo < hi):
            raise ValueError(f"A slider needs two numbers lo < hi, got {lo!r} and {hi!r}; give them in that order.")
        if step is not None and not (_is_number(step) and 0 < step <= hi - lo):
            raise ValueError(f"A slider's step lies between 0 and {hi - lo:g}, got {step!r}; choose a smaller one.")
        self.whole = all(isinstance(number, (int, np.integer)) for number in (lo, hi, step or 1))
        self.lo, self.hi, self.step = lo, hi, step or (1 if self.whole else _round_step((hi - lo) / 100))

    def check(self, value):
        if not (_is_number(value) and self.lo <= value <= self.hi and (not self.whole or value == int(value))):
            kind = "whole number" if self.whole else "number"
            raise ValueError(f"{self.name} is a {kind} from {self.lo:g} to {self.hi:g}, got {value!r}; choose another.")

    def middle(self):
        return (self.lo + self.hi) // 2 if self.whole else (self.lo + self.hi) / 2

    def make_widget(self, start):
        kind = ipywidgets.IntSlider if self.whole else ipywidgets.FloatSlider
        return kind(start, min=self.lo, max=self.hi, step=self.step, readout=False, layout=WIDE)

    def make_box(self):
        """With a readout of our own: that of ipywidgets has idle zeros, and on a log slider keeps what is no number."""
        longest = max(len(_written(number)) for number in (self.lo, self.hi))
        room = {"width": f"{max(4, 1 + 0.7 * longest):.1f}em"}
        self.typed = ipywidgets.Text(_written(self.widget.value), continuous_update=False, layout=room)
        self._writing = False
        self.typed.observe(self._take_typed, "value")
        self.widget.observe(self._write, "value")
        return ipywidgets.HBox([self.widget, self.typed])

    def enable(self, yes):
        self.widget.disabled = self.typed.disabled = not yes

    def _take_typed(self, change):
        """A number is taken, as near as the slider can come to it; anything else goes back."""
        if self._writing:
            return
        try:
            number = float(change["new"].replace(",", "").replace("−", "-"))
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            self.widget.value = self.nearest(number)
        self._write()

    def _write(self, *_):
        self._writing = True
        self.typed.value = _written(self.widget.value)
        self._writing = False

    def nearest(self, number):
        return round(number) if self.whole else number  # the widget itself keeps to its range

    def values_to_sweep(self):
        between = self.lo + self.step * round((self.hi - self.lo) / self.step / 2)
        return sorted({self.lo, min(between, self.hi), self.hi})


class log_slider(slider):
    """Numbers from lo > 0 to hi in steps of about the same factor; all are round, as are those that a text names."""

    def __init__(self, lo, hi, value=None, label=None):
        super().__init__(lo, hi, None, value, label)
        if lo <= 0:
            raise ValueError(f"A log slider needs lo > 0, got {lo!r}; use slider() for a range with 0.")
        self.whole, self.stops = False, sorted({*_round_numbers(lo, hi), float(lo), float(hi)})

    def middle(self):
        return self.stops[len(self.stops) // 2]

    def make_widget(self, start):
        self.stops = sorted({*self.stops, float(start)})
        return ipywidgets.SelectionSlider(options=self.options, value=float(start), readout=False, layout=WIDE)

    @property
    def options(self):
        return [(_written(value), value) for value in self.stops]

    def allow(self, value):
        """One more stop, so that the slider can be set to just this value."""
        self.check(value)
        if float(value) not in self.stops:
            before, self.stops = self.value, sorted({*self.stops, float(value)})
            with self.widget.hold_trait_notifications():
                self.widget.options = self.options
                self.widget.value = before

    def nearest(self, number):
        return min(self.stops, key=lambda stop: abs(math.log(stop / max(number, self.lo))))

    @property
    def value(self):
        return self.widget.value

    @value.setter
    def value(self, value):
        self.check(value)
        self.widget.value = self.nearest(value)

    def values_to_sweep(self):
        return sorted({self.stops[0], self.stops[len(self.stops) // 2], self.stops[-1]})


class choice(Control):
    """One of a list, or of a dict name -> value."""

    def __init__(self, options, value=None, label=None):
        super().__init__(value, label)
        self.options = dict(options) if isinstance(options, dict) else {str(option): option for option in options}
        if not self.options:
            raise ValueError("A choice needs at least one option, got none; give a list or a dict.")

    def check(self, value):
        if value not in self.options.values():
            raise ValueError(f"{self.name} is one of {', '.join(self.options)}, got {value!r}; choose one of these.")

    def middle(self):
        return next(iter(self.options.values()))

    def make_widget(self, start):
        return ipywidgets.Dropdown(options=list(self.options.items()), value=start, layout={"width": "auto"})

    def values_to_sweep(self):
        return list(self.options.values())


class toggle(Control):
    """On or off."""

    def __init__(self, value=None, label=None):
        super().__init__(value, label)

    def check(self, value):
        if value not in (True, False):
            raise ValueError(f"{self.name} is True or False, got {value!r}; choose one of these.")

    def middle(self):
        return False

    def make_widget(self, start):
        return ipywidgets.Checkbox(bool(start), indent=False, layout={"width": "auto"})

    def values_to_sweep(self):
        return [False, True]


class frames(slider):
    """The number t of a frame; the reader sees 1 to count, the drawing function gets 0 to count - 1."""

    def __init__(self, count):
        Control.__init__(self, None, "frame")
        self.whole, self.lo, self.hi, self.step = True, 0, count - 1, 1

    def middle(self):
        return 0

    def make_widget(self, start):
        return ipywidgets.IntSlider(start + 1, min=1, max=self.hi + 1, readout=False, layout=WIDE)

    def make_box(self):
        box = super().make_box()
        box.layout.display = "none" if self.hi == 0 else None
        return box

    def recount(self, count):
        """There are other frames now, so many; the last is shown if the present one is gone."""
        self.hi = count - 1
        self.widget.max = count
        self.box.layout.display = "none" if self.hi == 0 else None

    @property
    def value(self):
        return self.widget.value - 1

    @value.setter
    def value(self, value):
        self.check(value)
        self.widget.value = value + 1


def _written(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _is_number(value):
    return isinstance(value, (int, float, np.integer, np.floating)) and math.isfinite(value)


def _round_step(step):  # 1, 2 or 5 times a power of ten, not above step
    power = 10.0 ** math.floor(math.log10(step))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= step * (1 + 1e-9))


def _round_numbers(lo, hi):
    """Round numbers from lo to hi, about sixty or fewer, in steps of about the same factor."""
    decades = math.log10(hi / lo)
    digits = next((row for row in ROUND if len(row) * decades <= 60), ROUND[-1])
    powers = range(math.floor(math.log10(lo)), math.ceil(math.log10(hi)) + 1)
    return [value for power in powers for digit in digits if lo <= (value := float(f"{digit}e{power}")) <= hi]


def _as_control(name, given):
    match given:
        case Control():
            return copy.copy(given)  # the same one may be given to several views
        case bool():
            return toggle(given)
        case (_, _) | (_, _, _) if isinstance(given, tuple):
            return slider(*given)
        case list() | dict():
            return choice(given)
    raise TypeError(f"{name} is controlled by a slider, log_slider, choice or toggle, got {given!r}; use one of these.")


def build_controls(draw, data, fixed, controls):
    """Controls by name, each at its first value: its own, or the default of draw's parameter, or the middle."""
    takes = list(inspect.signature(draw).parameters.values())[1:]
    if len(data) > len(takes):
        raise ValueError(f"{draw.__name__} takes {len(takes)} arguments after axes, got {len(data)}; leave some out.")
    defaults = {parameter.name: parameter.default for parameter in takes[len(data) :]}
    for name in controls.keys() - defaults.keys():
        raise ValueError(f"{draw.__name__} has no parameter {name!r} to control, only {', '.join(defaults) or 'none'}.")
    for name, given in controls.items():
        for other in getattr(given, "needs", {}).keys() - controls.keys():
            raise ValueError(f"{name} is at work for some values of {other!r}, but there is no such control here.")
    needed = [name for name, default in defaults.items() if default is inspect.Parameter.empty]
    for name in needed:
        if name not in controls and name not in fixed:
            raise ValueError(f"{draw.__name__} needs a value for {name!r}; give it a control, {name}=slider(...).")
    return {
        name: _as_control(name, given).build(name, None if name in needed else defaults[name])
        for name, given in controls.items()
    }
