"""A panel in space in numbers, so that the page can turn it: points, lines and faces in the units of its box.

The page sees them as matplotlib's camera does, and draws them while the reader turns; what stands is drawn by
matplotlib.
"""

import numpy as np
from mpl_toolkits.mplot3d.art3d import Line3D, Line3DCollection, Path3DCollection, Poly3DCollection


def space_of(ax, frame):
    """Camera, box and things of 3-D axes; None for a camera that is rolled."""
    if ax.roll or ax._vertical_axis != 2:
        return None
    limits = np.array([ax.get_xlim3d(), ax.get_ylim3d(), ax.get_zlim3d()])
    origin, right, up = ax.transData.transform([[0, 0], [1, 0], [0, 1]])

    def seen(xyz):
        """Place of the points in the message, in the units of the box, from its middle."""
        return frame.put(((np.asarray(xyz, float) - limits[:, 0]) / np.ptp(limits, axis=1) - 0.5) * ax._box_aspect)

    things = [_thing(artist, frame, seen) for artist in ax.get_children() if artist.get_visible()]
    return {
        "camera": [ax.elev, ax.azim],
        "distance": ax._dist,
        "focal": float(ax._focal_length) if np.isfinite(ax._focal_length) else None,
        "origin": [origin[0], frame.height - origin[1]],
        "scale": [right[0] - origin[0], up[1] - origin[1]],
        "box": (ax._box_aspect / 2).tolist() if ax._axis3don else None,
        "things": [thing for thing in things if thing],
    }


def _thing(artist, frame, seen):
    pixels = frame.pixels_per_point
    match artist:
        case Line3D():
            line, marks = frame.line_look(artist), frame.mark_look(artist)
            return {"kind": "line", "xyz": seen(np.column_stack(artist.get_data_3d())), "line": line, "marks": marks}
        case Path3DCollection():
            xyz = np.column_stack(artist._offsets3d)
            return {"kind": "marks", "xyz": seen(xyz)} | frame.scatter_look(artist, len(xyz))
        case Line3DCollection():
            parts = [np.vstack([segment, np.full((1, 3), np.nan)]) for segment in artist._segments3d]
            look = {"stroke": frame.colour(artist.get_edgecolor()), "width": artist.get_linewidth()[0] * pixels}
            return {"kind": "line", "xyz": seen(np.vstack(parts)), "line": look} if parts else None
        case Poly3DCollection():
            faces = _faces(artist)
            edges = artist._edgecolor3d
            return {
                "kind": "faces",
                "xyz": seen(faces.reshape(-1, 3)),
                "corners": faces.shape[1],
                "edge": frame.colour(edges) if len(edges) and np.max(artist.get_linewidth()) > 0 else None,
                "width": float(np.max(artist.get_linewidth())) * pixels,
            } | frame.colours(artist._facecolor3d, len(faces))
    return None


def _faces(artist):
    """The corners of every face, (faces, corners, 3)."""
    if hasattr(artist, "_faces"):
        return np.ma.filled(np.ma.asarray(artist._faces, float), np.nan)
    return np.array([artist._vec[:3, corners].T for corners in artist._segslices])  # until matplotlib 3.10
