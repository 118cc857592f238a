"""Pictures of the course: style, plots and live views. The only part of kmlab that knows matplotlib and ipywidgets."""

from .widgets import choice, explore, figure_of, log_slider, panels, slider, step_through, toggle

__all__ = ["choice", "explore", "figure_of", "log_slider", "panels", "slider", "step_through", "toggle"]
