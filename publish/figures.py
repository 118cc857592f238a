"""Every figure of the course as an SVG file: python -m publish.figures [FOLDER] (default: figures/).

A module of kmlab.course.drawings offers its figures in a function figures(), as pairs (name, Figure). The same code
gives the same bytes on every run. LECTURE_FIGURES says which of them stand for the pictures of the lectures.
"""

import argparse
import html
import importlib
import pkgutil
import re
import sys
from pathlib import Path

import matplotlib

from kmlab.course import drawings

from . import house

# page: (what it shows, our figures of it); where a page has several pictures or frames, all of them
LECTURE_FIGURES = {
    "000/s3": ("Data, kernel matrix, algorithm: three parts that know nothing of each other", ["gram_matrix_modular"]),
    "000/s4": ("A map into a space where relations are linear", ["gram_matrix_lift"]),
    "000/s9": ("An image, its projection on the subspace P and on w, and the residual", ["npt_projection"]),
    "000/s21": ("Linear and kernel PCA: lines of equal score", ["lectures_linear_and_kernel"]),
    "000/s23": ("Complex in the plane, simple in feature space", ["lectures_complex_to_simple"]),
    "000/s33-36": (
        "PCA-L1 in four frames: start, polarity, flip and add up, rest",
        ["pca_l1_frame_start", "pca_l1_frame_polarity", "pca_l1_frame_flip", "pca_l1_frame_rest"],
    ),
    "001/p112": ("Norm, distance and angle of two images, from K alone", ["gram_matrix_angle"]),
    "001/p113": ("A Gaussian puts all images on the unit sphere", ["gram_matrix_octant"]),
    "001/p114": ("A straight axis in feature space, its pre-images in the plane", ["preimages_along_the_axis"]),
    "001/p121": ("Three-dimensional data unfolded by ten nearest neighbours", ["locality_s_curve"]),
    "002/s10": ("A subspace of one dimension, and rotated axes", ["pca_keep_one", "pca_rotated_axes"]),
    "002/s12": ("Curved data, and more clusters than dimensions", ["pca_straight_axes"]),
    "002/s22": ("Straight projections in feature space are curved in the plane", ["kernel_pca_straight_and_curved"]),
    "002/s23": ("Three concentric clouds, and what linear PCA makes of them", ["kernel_pca_linear_fails"]),
    "002/s24": ("The clouds after kernel PCA with (⟨x, x′⟩ + 1)²", ["kernel_pca_clouds"]),
    "003/s4": ("Classification: an unknown function, a sample, a classifier", ["lectures_setting"]),
    "003/s5": ("The linear rule, its errors, and the perceptron's cost", ["lectures_decision_rule"]),
    "003/s8": ("When a line is good, when it is best, and when it is neither", ["lectures_when_a_line_is_best"]),
    "003/s9": ("A more complex rule, or another space", ["lectures_bend_or_lift"]),
    "003/s10": ("Solution one: the likelihood ratio as a coordinate", ["lifting_bayes_lift"]),
    "003/s11": ("Solution two: coordinates learned by a network", ["lifting_hidden_units"]),
    "003/s12": ("Solution three: many weak learners", ["lifting_boosting"]),
    "003/s13": ("A random map into many dimensions", ["lifting_random_lift", "lifting_cover"]),
    "003/s24": ("The kernel perceptron is the perceptron among the images", ["lectures_two_perceptrons"]),
    "004/s3": ("Distribution of the margins", ["svm_margins"]),
    "004/s6": ("Toy example: a line with slack, and a Gaussian", ["svm_toy"]),
    "004/s8": ("Support vector machines in a nutshell", ["lectures_nutshell"]),
    "004/s9": ("How a machine digests a new digit", ["lectures_digestion"]),
    "004/s13": ("SMO: the box, its segment, and the parabola along it", ["dual_box"]),
    "004/s17": ("One class: a tight boundary around the data", ["spheres_and_tubes_one_class"]),
    "004/s18": ("Squared and ε-insensitive loss, and the tube", ["spheres_and_tubes_tube"]),
    "004/s20": ("Linear algorithms, and the same with a kernel", ["lectures_kernelized"]),
    "004/s21": ("Kernel PCA: straight and bent lines of equal score", ["lectures_linear_and_kernel_clusters"]),
    "004/s26": ("Eight components of three clusters, exp(−‖x − z‖²/0.1)", ["kernel_pca_eight_components"]),
    "004/s27": (
        "Denoising by PCA, kernel PCA, a principal curve and an autoencoder",
        ["preimages_half_circle", "preimages_square"],
    ),
    "004/s28": ("Denoising of handwritten digits", ["preimages_digits"]),
}


def all_figures():
    """(name, function that makes the figure) for every picture; the name begins with its module's."""
    for info in pkgutil.iter_modules(drawings.__path__):
        module = importlib.import_module(f"{drawings.__name__}.{info.name}")
        for name, make in module.figures().items():
            yield f"{info.name}_{name}", make
    for name, make in house.figures().items():
        yield f"house_{name}", make


def write(folder="figures"):
    """Write all figures, with a line of progress for each."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    figures = list(all_figures())
    for i, (name, make) in enumerate(figures, 1):
        bar = "█" * (30 * i // len(figures))
        print(f"\r{bar:<30} {i}/{len(figures)} {name:<40}", end="", flush=True)
        # a fixed salt for the ids inside the file and no date: no difference without a change
        with matplotlib.rc_context({"svg.hashsalt": "kmlab"}):
            figure = make()
            figure.set_layout_engine(None)  # all is in its place; or savefig would draw everything once more to find it
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Description": figure.caption})
    for stale in {f.stem for f in folder.glob("*.svg")} - {name for name, _ in figures}:
        (folder / f"{stale}.svg").unlink()
    print(f"\n{len(figures)} figures in {folder}/")


def caption(name, folder="figures"):
    """The sentence that a written figure carries."""
    text = (Path(folder) / f"{name}.svg").read_text(encoding="utf-8")
    return html.unescape(re.search(r"<dc:description>(.*?)</dc:description>", text, re.S)[1]).strip()


def main(args):
    parser = argparse.ArgumentParser("python3 course.py figures", description=__doc__.split(":")[0], allow_abbrev=False)
    parser.add_argument("folder", nargs="?", default="figures", help="where they go (figures)")
    write(parser.parse_args(args).folder)


if __name__ == "__main__":
    main(sys.argv[1:])
