"""Live pictures: style, canvas, controls and views. The algorithms know neither them nor matplotlib."""

from .widgets import choice, editable, explore, figure_of, log_slider, panels, slider, step_through, toggle

__all__ = ["choice", "editable", "explore", "figure_of", "log_slider", "panels", "slider", "step_through", "toggle"]
