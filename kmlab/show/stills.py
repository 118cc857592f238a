"""A picture for readers without a kernel: in a saved, exported or printed notebook, on GitHub, on the site.

Its caption and its words for those who do not see it go with it in every form.
"""

import base64
import html
import io

from PIL import Image

LIVE = "application/vnd.jupyter.widget-view+json"  # how a widget travels; a stored notebook has none
PIXELS_PER_INCH = 100  # of a picture on the page
READABLE = 0.62  # of its full size: the smallest words in it, 13 points, are 11 pixels high
# shown in JupyterLab and Notebook only: elsewhere there is no cell to run
NOTE = '<p class="kmlab-note" hidden>Run this cell to bring it back to life.</p>'
STILL = '<p>This picture stands still: its controls need anywidget, and pip install "kmlab[lab]" brings it.</p>'


def live(widget):
    """What Jupyter shows of a widget; asked of the widget itself, it has another name in each version of ipywidgets."""
    return {LIVE: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}


def figure(png, words, size):
    """HTML of a picture, size inches large, with its caption."""
    width, height = (round(inches * PIXELS_PER_INCH) for inches in size)
    words = html.escape(words)
    least = round(READABLE * width)  # else it can be moved to and fro
    return (
        f'<figure class="kmlab-picture"><img alt="{words}" width="{width}" height="{height}" decoding="sync"'
        f' style="min-width: {least}px" src="data:image/png;base64,{base64.b64encode(png).decode()}">'
        f"<figcaption>{words}</figcaption></figure>"
    )


def bundle(canvas, png, words, below=""):
    """What Jupyter stores of a picture; below is HTML that follows it."""
    png, size = smaller(png), canvas.size
    width, height = (round(inches * PIXELS_PER_INCH) for inches in size)
    data = {
        "text/plain": words,
        "text/html": figure(png, words, size) + below,
        "image/png": base64.b64encode(png).decode(),
    }
    return data, {"image/png": {"width": width, "height": height, "alt": words, "cuts": canvas.cuts()}}


def filmstrip(frames):
    """HTML of several frames (png, words, size) side by side, for where nothing can be played."""
    small = (figure(smaller(png, 0.6), words, [inches / 2 for inches in size]) for png, words, size in frames)
    return f'<div class="kmlab-strip">{"".join(small)}</div>'


def smaller(png, scale=1.0):
    """The same picture on white, without transparency, well compressed."""
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    if scale != 1:
        picture = picture.resize([round(scale * side) for side in picture.size], Image.Resampling.LANCZOS)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=7)  # 9 takes three times as long for a fortieth
    return file.getvalue()
