"""A picture in numbers, so that the page can draw it: it follows faster, and its points can be touched.

Points, lines and maps are handed over as numbers in pixels, in the order in which matplotlib draws them. Whatever else
a drawing holds is drawn here, as a small transparent picture (a piece) at its place in that order: slower, never wrong.
A drawing function declares nothing.
"""

import base64
import zlib

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.contour import ContourSet
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, IdentityTransform

from .pixels import png
from .space import space_of
from .words import EM, letters_of, outline_of

NOTHING = "None", "none", "", " ", None  # names of no line and no marker
SMALL = 100_000  # bytes of a piece
FINEST = 2**16 - 1  # steps of a map whose finer values the page finds between them
STRAIGHT = 1e-3  # pixels: a line that leaves the horizontal or vertical by less is set on whole pixels, as Agg does


class Frame:
    """What the page needs for the picture that a canvas has just been filled with: scene, numbers, pieces."""

    def __init__(self, canvas):
        self.canvas = canvas
        self.width, self.height = canvas.figure.canvas.get_width_height()
        self.pixels_per_point = canvas.figure.dpi / 72
        self.layers, self.pieces, self.glyphs, self._arrays, self._used = [], {}, canvas.glyphs, [], 0
        self.panels = [self.panel(panel.ax) for panel in canvas.panels]
        self.run = []  # of artists that the page cannot draw
        for i, panel in self.in_order():
            if panel.flat and panel.can_be_lifted():
                for artist in panel.shown_artists():
                    self.add(i, artist)
            elif not panel.flat:
                self.add_space(i, panel.ax)
            else:
                self.run.append(panel.ax)
        self.end_run()

    @property
    def scene(self):
        return {"size": [self.width, self.height], "panels": self.panels, "layers": self.layers}

    @property
    def numbers(self):
        return b"".join(self._arrays)

    def in_order(self):
        """Panels with their numbers, as they are drawn; what else the figure holds joins the run of pieces."""
        panels = {panel.ax: (i, panel) for i, panel in enumerate(self.canvas.panels)}
        for child in sorted(self.canvas.figure.get_children()[1:], key=lambda artist: artist.get_zorder()):
            if child in panels and child.get_visible():
                yield panels[child]
            elif child.get_visible():
                self.run.append(child)

    def panel(self, ax):
        box = ax.bbox
        return {
            "box": [box.x0, self.height - box.y1, box.width, box.height],
            "xlim": [float(end) for end in ax.get_xlim()],
            "ylim": [float(end) for end in ax.get_ylim()],
            "xlog": ax.get_xscale() == "log",
            "ylog": ax.get_yscale() == "log",
        }

    def add(self, panel, artist):
        if not artist.get_visible():
            return
        layers = self.lift(artist)
        if layers is None and not isinstance(artist, Text):
            self.run.append(artist)
            return
        self.end_run()
        if layers is None:
            self.add_text(artist)
        else:
            self.layers += [layer | {"panel": panel} for layer in layers]

    def add_space(self, i, ax):
        """A panel in space: drawn here as it stands, and in numbers for when it is turned; titles lie flat on it."""
        self.end_run()
        flat = [artist for artist in (ax.title, ax.get_legend()) if artist is not None and artist.get_visible()]
        for artist in flat:
            artist.set_visible(False)
        before = len(self.layers)
        self.take_piece(self.draw_piece([ax]))
        for artist in flat:
            artist.set_visible(True)
        if len(self.layers) > before and (space := space_of(ax, self)):
            self.panels[i]["space"] = space
            self.layers[-1] |= {"panel": i, "space": True}
        for artist in flat:
            self.add(i, artist)

    # ---- pieces

    def end_run(self):
        if self.run:
            self.take_piece(self.draw_piece(self.run))
            self.run = []

    def add_text(self, text):
        if not text.get_text():
            return
        place = text.get_transform().transform(text.get_unitless_position())
        if not np.isfinite(place).all():
            return
        plain = type(text) is Text and text.get_bbox_patch() is None and not text.get_path_effects()
        if plain and (letters := letters_of(text)):
            return self.add_letters(text, place, *letters)
        look = (
            text.get_text(), *np.round(place, 3), hash(text.get_fontproperties()), text.get_color(), text.get_alpha(),
            text.get_rotation(), text.get_rotation_mode(), text.get_ha(), text.get_va(), text._linespacing,
        )  # fmt: skip
        piece = self.canvas.texts.get(look) if plain else None
        if piece is None:
            piece = self.draw_piece([text])
            if plain and piece:
                self.canvas.texts[look] = piece
        self.take_piece(piece)

    def add_letters(self, text, place, points, places, width):
        size, share = points * self.pixels_per_point, {"left": 0, "center": 0.5, "right": 1}[text.get_ha()]
        for letter in set(text.get_text()) - self.glyphs.keys():
            self.glyphs[letter] = outline_of(letter)
        layer = {"kind": "words", "text": text.get_text(), "at": places, "size": size / EM, "em": size}
        start = [place[0] - share * width * size, self.height - place[1]]
        color = self.colour(text.get_color(), text.get_alpha())
        self.layers.append(layer | {"start": start, "fill": color, "panel": None})

    def take_piece(self, piece):
        if piece:
            box, key, png = piece
            self.pieces[key] = png
            self.layers.append({"kind": "piece", "key": key, "box": box, "panel": None})

    def draw_piece(self, artists):
        """Where it is, a name for what it shows, and its pixels: few as they are, which a page shows at once, others as
        PNG; None where nothing is to be seen."""
        renderer = self.canvas.scratch(RendererAgg)
        renderer.clear()
        for artist in artists:
            artist.draw(renderer)
        pixels = np.asarray(renderer.buffer_rgba())
        rows = np.flatnonzero(pixels[..., 3].any(1))  # sooner found than a box that matplotlib works out before
        if not rows.size:
            return None
        top, bottom = int(rows[0]), int(rows[-1]) + 1
        columns = np.flatnonzero(pixels[top:bottom, :, 3].any(0))
        left, right = int(columns[0]), int(columns[-1]) + 1
        pixels = pixels[top:bottom, left:right]
        content = pixels.tobytes() if pixels.nbytes <= SMALL else png(pixels)
        return [left, top, right - left, bottom - top], f"{zlib.crc32(content):x}.{len(content):x}", content

    # ---- numbers

    def put(self, array, kind=np.float32):
        """Place of the numbers in the message: [first byte, how many]."""
        array = np.ascontiguousarray(array, kind)
        content, start = array.tobytes(), self._used
        padding = bytes(-len(content) % 4)
        self._arrays += [content, padding]
        self._used += len(content) + len(padding)
        return [start, array.size]

    def down(self, xy):
        """Pixels counted from the top, as the page does."""
        return np.column_stack([xy[:, 0], self.height - xy[:, 1]])

    def lift(self, artist):
        """Layers for the page; [] where nothing is to be seen, None where the page cannot draw it."""
        clip = self.clip(artist)
        strange = artist.get_path_effects() or artist.get_sketch_params() or artist.get_agg_filter()
        if clip is None or strange or artist.get_rasterized():
            return None
        for kind, lift in LIFTS.items():
            if isinstance(artist, kind):
                layers = lift(self, artist)
                return layers and [layer | clip for layer in layers]
        return None

    def clip(self, artist):
        """The box within which the artist is seen, rounded as Agg does; None where it is no box."""
        path, box = artist.get_clip_path(), artist.get_clip_box()
        if not artist.get_clip_on() or (path is None and box is None):
            return {}
        if path is not None:
            return None
        left, low, right, high = np.floor(box.extents + 0.5).tolist()
        return {"clip": [left, self.height - high, right - left, high - low]}

    # ---- colours, strokes, marks

    def colour(self, color, alpha=None):
        color = np.atleast_2d(color)[0] if not isinstance(color, str) else color
        rgba = to_rgba(color, alpha)
        return to_hex(rgba, keep_alpha=True) if rgba[3] > 0 else None

    def colours(self, colors, n):
        """One colour for all, or a list of colours and the number of each one's."""
        if len(colors) == 0:
            return {"face": None}
        if len(colors) == 1 or (colors == colors[0]).all():
            return {"face": self.colour(colors[0])}
        each = np.resize(colors, (n, 4))
        palette, which = np.unique((255 * each).round().astype(np.uint8), axis=0, return_inverse=True)
        return {"faces": ["#" + bytes(color).hex() for color in palette], "which": self.put(which, np.uint16)}

    def polyline(self, xy, width):
        steps = np.abs(np.diff(xy, axis=0))
        if 0 < len(steps) < 1024 and (steps.min(1) < STRAIGHT).all():
            xy = np.floor(xy + 0.5) + (round(width) % 2) / 2
        return self.put(self.down(xy))

    def dash(self, offset, dashes):
        return [part * self.pixels_per_point for part in dashes] if dashes is not None else []

    def line_look(self, line):
        if line.get_linestyle() in NOTHING or line.get_linewidth() == 0:
            return None
        dashed = line.is_dashed()
        return {
            "stroke": self.colour(line.get_color(), line.get_alpha()),
            "width": line.get_linewidth() * self.pixels_per_point,
            "cap": line.get_dash_capstyle() if dashed else line.get_solid_capstyle(),
            "join": line.get_dash_joinstyle() if dashed else line.get_solid_joinstyle(),
            "dash": self.dash(*line._dash_pattern),
        }

    def mark_look(self, line):
        if line.get_marker() in NOTHING or line.get_markersize() == 0:
            return None
        marker, edge = line._marker, line.get_markeredgewidth()
        return {
            "shape": outline(marker.get_path(), marker.get_transform()),
            "size": line.get_markersize() * self.pixels_per_point,
            "face": self.colour(line.get_markerfacecolor(), line.get_alpha()) if marker.is_filled() else None,
            "edge": self.colour(line.get_markeredgecolor(), line.get_alpha()) if edge else None,
            "width": edge * self.pixels_per_point,
        }

    def scatter_look(self, dots, n):
        """Which rows of how many the points are, is told by who drew them; else they are all."""
        sizes = np.sqrt(dots.get_sizes()) * self.pixels_per_point
        edges, width = dots._edgecolors, float(np.max(dots.get_linewidths(), initial=0)) * self.pixels_per_point
        each = {"sizes": self.put(np.resize(sizes, n))} if len(np.unique(sizes)) > 1 else {}
        like_face = isinstance(edges, str) or (len(edges) > 0 and np.array_equal(edges, dots._facecolors))  # "face"
        return {
            "shape": outline(dots.get_paths()[0]),
            "size": float(sizes[0]) if len(sizes) else 0.0,
            "edge": None if like_face or not len(edges) or not width else self.colour(edges[0]),
            "width": width,
            "swell": like_face * width,  # an edge of the colour of the face makes the mark larger
            "rows": np.asarray(dots.rows).tolist() if hasattr(dots, "rows") else None,
            "of": dots.of if hasattr(dots, "of") else n,
            "moves": getattr(dots, "moves", 0),
        } | each | self.colours(dots._facecolors, n)  # fmt: skip

    # ---- artists

    def line(self, line):
        if line.get_markevery() is not None or line.get_fillstyle() not in ("full", "none"):
            return None
        layers, look, marks = [], self.line_look(line), self.mark_look(line)
        xy = line.get_transform().transform(line.get_xydata()) if marks else None
        if look:
            path = line.get_path()
            points = line.get_transform().transform(path.vertices) if len(path.vertices) else np.empty((0, 2))
            layers.append({"kind": "lines", "xy": self.polyline(points, look["width"])} | look)
        if marks:
            rows = getattr(line, "of", len(xy)) if look is None else None  # points on a curve are no rows
            layers.append({"kind": "marks", "xy": self.put(self.down(xy)), "of": rows} | marks)
        return layers

    def segments(self, lines):
        """Lines of a collection, one layer for each look."""
        if isinstance(lines, ContourSet) and lines.filled:
            return None
        lines.update_scalarmappable()
        paths, transform = lines.get_paths(), lines.get_transform()
        colors, widths, dashes = lines.get_edgecolor(), lines.get_linewidth(), lines.get_linestyle()
        names = [self.colour(color) for color in colors] or [None]
        groups = {}
        for i, path in enumerate(paths):
            look = tuple(of[i % len(of)] for of in (names, widths, dashes))
            groups.setdefault((*look[:2], tuple(look[2][1] or ())), []).append(path)
        layers = []
        for (color, width, dash), group in groups.items():
            if all(path.codes is None for path in group):
                xy = transform.transform(pen_lifted(path.vertices for path in group))  # all at once
            else:
                xy = pen_lifted(
                    part for path in group for part in transform.transform_path(path).to_polygons(closed_only=False)
                )
            if color and width and len(xy):
                look = {"stroke": color, "width": float(width) * self.pixels_per_point, "dash": self.dash(0, dash)}
                layers.append({"kind": "lines", "xy": self.put(self.down(xy)), "cap": "butt", "join": "round"} | look)
        return layers

    def scatter(self, dots):
        paths, offsets = dots.get_paths(), dots.get_offsets()
        dots.update_scalarmappable()
        edges, widths = dots._edgecolors, np.unique(dots.get_linewidths())
        several = not isinstance(edges, str) and len(edges) > 1 and not np.array_equal(edges, dots._facecolors)
        if len(paths) != 1 or several or len(widths) > 1 or dots.get_hatch():
            return None
        xy = dots.get_offset_transform().transform(np.ma.filled(offsets, np.nan))
        return [{"kind": "marks", "xy": self.put(self.down(xy))} | self.scatter_look(dots, len(xy))]

    def patch(self, patch):
        if patch.get_hatch() or type(patch).draw not in (Patch.draw, Spine.draw):
            return None
        if isinstance(patch, Spine):
            patch._adjust_location()
        width = patch.get_linewidth() * self.pixels_per_point
        path = patch.get_transform().transform_path(patch.get_path())
        stroke = self.colour(patch.get_edgecolor()) if width else None
        fill = self.colour(patch.get_facecolor()) if patch.get_fill() else None
        xy = pen_lifted(path.to_polygons(closed_only=False))
        look = {"stroke": stroke, "width": width, "fill": fill, "dash": self.dash(*patch._dash_pattern)}
        look |= {"cap": patch.get_capstyle(), "join": patch.get_joinstyle()}
        return (
            [{"kind": "lines", "xy": self.polyline(xy, width if stroke else 0)} | look]
            if len(xy) and (stroke or fill)
            else []
        )

    def image(self, image):
        """A map: numbers from 0 to 1 and a table of colours."""
        values, finer = getattr(image, "coarse", None), 4
        if values is None:
            values, finer = image.get_array(), 1
        alpha, norm = image.get_alpha(), image.norm
        hidden = np.ma.is_masked(image.get_array())  # NaN among them
        if values.ndim != 2 or image.get_interpolation() != "nearest" or np.ndim(alpha) or hidden:
            return None
        shares = np.ma.getdata(norm(values)) if finer == 1 else (values - norm.vmin) / (norm.vmax - norm.vmin)
        left, right, bottom, top = image.get_extent()
        (x0, y0), (x1, y1) = image.get_transform().transform([[left, bottom], [right, top]])
        first_row_at_top = (image.origin == "upper") == (y1 > y0)
        shares = shares if first_row_at_top else shares[::-1]
        shares = shares if x1 > x0 else shares[:, ::-1]
        n = image.cmap.N
        if finer == 1:
            place = self.put(np.clip(shares * n, 0, n - 1), np.uint8)
        else:  # many more steps than colours
            place = self.put(np.clip(shares * FINEST + 0.5, 0, FINEST), np.uint16)
        box = [min(x0, x1), self.height - max(y0, y1), abs(x1 - x0), abs(y1 - y0)]
        return [
            {
                "kind": "map",
                "values": place,
                "shape": list(values.shape),
                "finer": finer,
                "table": table(image.cmap),
                "box": box,
                "alpha": 1.0 if alpha is None else alpha,
            }
        ]


def outline(path, transform=IdentityTransform()):
    """The shape of a mark as polygons of unit size, y downwards."""
    large = (transform + Affine2D().scale(64, -64)).transform_path(path)  # a circle has as many corners as it needs
    return [(polygon / 64).round(3).ravel().tolist() for polygon in large.to_polygons(closed_only=False)]


def pen_lifted(polygons):
    """One line, with NaN between its parts; -> (m, 2)."""
    parts = [part for polygon in polygons for part in (polygon, [[np.nan, np.nan]])]
    return np.vstack(parts[:-1]) if parts else np.empty((0, 2))


def table(cmap):
    return base64.b64encode(cmap(np.arange(cmap.N), bytes=True).tobytes()).decode()


LIFTS = {
    Line2D: Frame.line,
    PathCollection: Frame.scatter,
    LineCollection: Frame.segments,
    ContourSet: Frame.segments,
    AxesImage: Frame.image,
    Patch: Frame.patch,
}
