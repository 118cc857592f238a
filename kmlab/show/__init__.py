"""Live pictures: style, canvas, controls and views. The algorithms know neither them nor matplotlib."""

from .._warnings import needs_the_lab

with needs_the_lab():  # whatever part of this is imported, it passes here first
    from .widgets import choice, editable, explore, figure_of, log_slider, panels, slider, step_through, toggle

__all__ = ["choice", "editable", "explore", "figure_of", "log_slider", "panels", "slider", "step_through", "toggle"]
