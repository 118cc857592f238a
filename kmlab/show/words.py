"""Words of a picture as outlines of letters: the page fills them, sharp at every size and whatever fonts it has.

matplotlib draws a line of text letter by letter, which takes longer than all the rest of a picture; an outline
is needed once.
"""

from functools import lru_cache

import numpy as np
from matplotlib.font_manager import findfont, get_font
from matplotlib.ft2font import Kerning, LoadFlags

EM = 1000  # units of an outline
CURVES = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}


def letters_of(text):
    """(size in points, [x of each letter in ems], width in ems) of a plain line of text; None for any other."""
    said = text.get_text()
    if "\n" in said or "$" in said or text.get_rotation() or text.get_va() != "baseline":
        return None
    file = findfont(text.get_fontproperties())
    if file != _house_font() or any(_letter(letter) is None for letter in said):
        return None
    places, x = [], 0.0
    for before, letter in zip(" " + said, said, strict=False):
        x += _kerning(before, letter) if places else 0.0
        places.append(round(x, 4))
        x += _letter(letter)[1]
    return text.get_fontsize(), places, x


def outline_of(letter):
    """SVG path, y downwards, EM units high."""
    return _letter(letter)[0]


@lru_cache(1)
def _house_font():
    return findfont("DejaVu Sans")


def _font():
    font = get_font(_house_font())
    font.set_size(EM, 72)  # a unit is a pixel
    return font


@lru_cache(1024)
def _letter(letter):
    """Outline and advance in ems; None if the font does not have it."""
    font = _font()
    if not font.get_char_index(ord(letter)):
        return None
    glyph = font.load_char(ord(letter), flags=LoadFlags.NO_HINTING)
    vertices, codes = font.get_path()
    parts, points = [], iter(zip(np.round(vertices).astype(int).tolist(), codes.tolist(), strict=True))
    for (x, y), code in points:
        more = [next(points)[0] for _ in range({3: 1, 4: 2}.get(code, 0))]
        parts.append(CURVES[code] + ("" if code == 79 else " ".join(f"{u} {-v}" for u, v in [(x, y), *more])))
    return "".join(parts), glyph.linearHoriAdvance / 65536 / EM


@lru_cache(4096)
def _kerning(before, letter):
    font = _font()
    pair = (font.get_char_index(ord(part)) for part in (before, letter))
    return font.get_kerning(*pair, Kerning.UNFITTED) / 64 / EM
