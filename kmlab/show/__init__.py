"""Live pictures: style, canvas, controls and views. The algorithms know neither them nor matplotlib."""

try:
    from .widgets import choice, editable, explore, figure_of, log_slider, panels, slider, step_through, toggle
except ModuleNotFoundError as error:  # whatever part of this is imported, it passes here first
    if error.name.startswith("kmlab"):
        raise
    raise ModuleNotFoundError(
        f"Pictures and notebooks need {error.name}, and the algorithms alone were installed: run "
        '`pip install "kmlab[lab]"` and start again.',
        name=error.name,
    ) from None

__all__ = ["choice", "editable", "explore", "figure_of", "log_slider", "panels", "slider", "step_through", "toggle"]
