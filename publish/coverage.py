"""Where each page of the lectures went: notebook section, function of kmlab, test.

The sections of a page are those that cite it or show one of its errata, read from the notebooks. What computes the page
and which test would fail if that were wrong is said in TESTED; the test of this file looks whether each name is there
and whether the test uses the function.
"""

import ast
import json
import re
from pathlib import Path
from typing import NamedTuple

from kmlab.course.errata import all_errata

ROOT = Path(__file__).resolve().parent.parent
PAGES = {  # in the order of the lecture; of p122 to p124 we have one, without a number
    "000": [f"s{i}" for i in range(1, 39)],
    "001": [*(f"p{i}" for i in range(109, 122)), "RKHS", *(f"p{i}" for i in range(125, 129))],
    "002": [f"s{i}" for i in range(1, 30)],
    "003": [f"s{i}" for i in range(3, 40)],
    "004": [f"s{i}" for i in range(1, 29)],  # its title page names a method
}
# titles and outlines; the others hold something to teach
TITLES = {"000": ["s1", "s2"], "001": [], "002": ["s1", "s2"], "003": ["s3"], "004": ["s10", "s16"]}
LECTURES = {lecture: [page for page in pages if page not in TITLES[lecture]] for lecture, pages in PAGES.items()}
# pages | functions, classes and methods of kmlab | tests, behind the name of their file
TESTED = """
000/s3 | kernels.Precomputed npt.NPT | npt: precomputed gives the same coordinates
000/s4 | features.poly2_map | features: inner products of images are the kernel
000/s5 | kernels.feature_distance2 kernels.feature_angle | kernels: distance and angle are those of explicit images
000/s6 | pca.KernelPCA discriminant.KernelFDA cca.KernelCCA regression.KernelRidge svm.SVC
    | pca: kernel trick and projection trick give the same scores
    | discriminant: the kernel version solves the regularised problem
    | cca: linear kernel cca without ridge is cca
    | regression: ridge is a linear ridge on the coordinates of npt
    | svm: kernel trick and coordinates agree
000/s7 s13 | npt.NPT | npt: coordinates have zero mean and at most n minus 1 dimensions
000/s8 s15-16 | npt.NPT.coords_of | npt: a vector of the span has coordinates and a projection
000/s9 | npt.NPT.coords_of npt.NPT.residual | npt: a vector of the span has coordinates and a projection
    | npt: coordinates of a new point are its best approximation
000/s10 | npt.NPT | npt: npt is an orthonormal basis of the span of the images
000/s11 | npt.NPT.transform | npt: coordinates of a new point are its best approximation
000/s12 | npt.NPT.fit_transform | npt: npt reproduces the gram matrix
    | npt: any factor of the gram is a rotation of the coordinates
000/s14 | npt.NPT.residual | npt: residual vanishes where the images span the space
    | npt: residual of a gaussian grows to its limit when a point leaves
000/s17 | centering.center_gram | centering: centred gram is the gram of centred images
000/s18 | centering.center_gram centering.Centerer
    | centering: the three lecture formulas agree
    | centering: new points are centred as in lecture 000
000/s19 | npt.NPT.fit | npt: npt reproduces the gram matrix
    | npt: small eigenvalues count as zero and nothing becomes nan
000/s20 | npt.NPT.transform npt.Kernelized | npt: coordinates of a new point are its best approximation
    | npt: ridge on coordinates is kernel ridge
000/s21 | pca.KernelPCA pca.KernelPCA.on_grid | pca: kernel pca is pca of the explicit images
    | pca: scores on a grid are the scores of its points
000/s22 | pca.KernelPCA npt.NPT | pca: kernel trick and projection trick give the same scores
000/s23 | svm.SVC | svm: a hard margin touches the nearest points and no more
000/s24 | svm.SVC | svm: two points by hand | svm: the hard margins of kernel and coordinates are the same
000/s25 | svm.SVC npt.NPT | svm: the hard margins of kernel and coordinates are the same
    | svm: kernel trick and coordinates agree | svm: centring the kernel changes nothing
000/s26 | pca_l1.KernelPCAL1 | pca_l1: the gram matrix alone takes the steps of npt
000/s27 | pca_l1.R1PCA pca_l1.L1PCA | pca_l1: r1 finds the best line through the mean
    | pca_l1: no scores fit better than those of the l1 error
000/s28 | pca_l1.PCAL1 | pca_l1: a component maximises the sum of absolute projections
    | pca_l1: rotating the data rotates the axes
000/s29 s33 | pca_l1.PCAL1.steps | pca_l1: the first start is the longest row and the others are rows
000/s30 s34 | pca_l1.climb | pca_l1: one round flips the points and adds them up
000/s31 s35 | pca_l1.climb pca_l1.PCAL1 | pca_l1: one round flips the points and adds them up
    | pca_l1: dispersion never falls and every climb ends on a fixed point
000/s32 s36 | pca_l1.PCAL1 | pca_l1: dispersion never falls and every climb ends on a fixed point
    | pca_l1: a point at the mean does not stop it from stopping
000/s37 | pca_l1.KernelPCAL1 | pca_l1: kernel scores are those of the explicit images
    | pca_l1: the gram matrix alone takes the steps of npt
000/s38 | npt.NPT pca_l1.R1PCA | npt: a lasso depends on the factor and ridge does not
    | pca_l1: r1 from the gram matrix is r1 on npt

001/p109 | kernels.is_psd | kernels: psd and cpsd know the boundary cases
001/p110 | kernels.Sum kernels.Product kernels.Scaled kernels.is_psd
    | kernels: what is called a kernel is positive semi definite and stays so
    | kernels: a difference of kernels is not closed
001/p111 | features.stack_maps features.tensor_maps
    | kernels: sums and products of kernels are those of stacked and tensored maps
001/p112 | kernels.feature_distance2 kernels.feature_angle
    | kernels: norm distance and angle have the numbers of the exercises
    | kernels: distance and angle are those of explicit images
001/p113 | kernels.Gaussian | kernels: gaussian images lie on the unit sphere within one quadrant
001/p114 | preimage.projection_coefficients preimage.next_point preimage.fixed_point_steps
    | preimage: coefficients rebuild the projection in feature space
    | preimage: where the fixed point stops the gradient vanishes
001/p115 | preimage.preimage preimage.image_distance2 | preimage: a midpoint of two images has no preimage
    | preimage: least squares finds the point behind an image
001/p116 | preimage.preimage | preimage: distances to neighbours give back a point from its own image
    | preimage: the kernel ridge map is kernel ridge on scores and centred points
001/p117 | pca.KernelPCA manifold.KernelLPP discriminant.KernelLFDA clustering.KernelKMeans perceptron.KernelPerceptron
    | pca: linear kernel pca is pca
    | manifold: with a linear kernel it is lpp
    | discriminant: with the linear kernel local kernel is local
    | clustering: kernel k means is k means on coordinates from the same start
    | perceptron: the kernel perceptron walks as the perceptron on npt coordinates
001/p118 | manifold.KernelLPP | manifold: kernel lpp solves its printed problem where that has an answer
    | manifold: the slides regulariser returns the null space of the kernel
001/p119 | manifold.KernelLPP manifold.LaplacianEigenmap
    | manifold: with a full rank kernel kernel lpp is the eigenmap whatever the kernel
001/p120 | manifold.LaplacianEigenmap graph.graph_modes
    | manifold: the eigenmap solves the generalised eigenproblem
    | manifold: every component has one zero and the vectors are constant on it
001/p121 | graph.knn_graph manifold.LaplacianEigenmap | graph: both ways to symmetrise are symmetric without loops
    | manifold: the eigenmap solves the generalised eigenproblem
    | manifold: on a narrow sheet the second coordinate repeats the first
001/RKHS | kernels.Gaussian npt.NPT | kernels: reproducing property bounds a function by its norm
001/p125 | dependence.coco | dependence: no functions of norm one have a larger covariance than coco
    | dependence: without a bound on the norms there is no maximum
    | dependence: centred dependence of independent samples vanishes and uncentred does not
    | dependence: a polynomial kernel is blind to a function beyond its degree and a gaussian is not
001/p126 | dependence.coco dependence.witnesses | dependence: coco is the same by three routes and a fourth is larger
    | dependence: witnesses have norm one mean zero and reach coco
001/p127 | manifold.LaplacianEigenmap | manifold: the homework unfolds the s curve
001/p128 | discriminant.fda_weights discriminant.scatter discriminant.KernelFDA
    | discriminant: laplacians of the weights give the scatter matrices
    | discriminant: primal and dual share solutions and nonzero eigenvalues
    | discriminant: without a ridge the dual has directions of no width

002/s3 | kernels.feature_distance2 neighbors.KernelKNN | kernels: distance and angle are those of explicit images
    | neighbors: distances are those of explicit images
002/s4 | centering.center_gram | centering: only the centred gram is blind to translation
002/s5 | kernels.NegativePower kernels.is_cpsd | kernels: negative power of a distance is cpsd up to two
002/s6 | kernels.feature_distance2 npt.embed_cpsd | kernels: a cpsd kernel is a distance in disguise
    | neighbors: points come back from their distances up to a rotation
002/s7 | neighbors.KernelKNN kernels.feature_distance2
    | neighbors: knn is the vote of the nearest images in a double loop
    | neighbors: the two distance formulas differ by two
002/s8 s26 | pca.PCA | pca: pca solves the eigenproblem of the covariance
002/s9 | pca.PCA | pca: scores are uncorrelated with the promised variances
002/s10 s12 | pca.PCA | pca: what is rebuilt misses exactly the tail of the spectrum
002/s11 | pca.PCA | pca: first axis maximises the variance over all directions
    | pca: equal variances leave the directions open
002/s13-14 | pca.KernelPCA | pca: kernel pca is pca of the explicit images
002/s15-19 | pca.KernelPCA | pca: alphas solve the eigenproblem and sum to zero
    | pca: kernel pca is pca of the explicit images
002/s20 | pca.KernelPCA | pca: number of components is bounded by points and features
    | pca: linear kernel pca is pca
002/s21 | centering.center_gram | centering: the three lecture formulas agree
002/s22 | pca.KernelPCA.on_grid | pca: scores on a grid are the scores of its points
002/s23-24 | pca.KernelPCA pca.ring_spectrum | pca: rings have the closed form spectrum
    | pca: first component tells rings apart if and only if their squares vary enough
002/s25 | pca.KernelPCA | pca: variances of the scores rank the components
    | pca: reconstruction error is the tail of the spectrum
002/s27 | pca.KernelPCA | pca: four lectures agree where the images are centred
    | pca: new points with a raw kernel are off by a constant for each component
002/s28 | kernels.Precomputed pca.KernelPCA | pca: precomputed kernel pca is the same model
002/s29 | discriminant.KernelFDA cca.KernelCCA cca.KernelICA neighbors.ParzenClassifier neighbors.parzen_density
    clustering.SpectralClustering clustering.KernelKMeans clustering.KernelVQ kernels.KendallTau
    sparse_bayes.RVM regression.KernelRidge regression.KernelLogistic regression.KernelPLS
    | discriminant: the kernel version solves the regularised problem
    | cca: no functions correlate better
    | cca: two sources are unmixed
    | neighbors: parzen is the nearest mean in feature space
    | neighbors: the density integrates to one
    | clustering: separate pieces are recovered exactly
    | clustering: kernel k means is k means on coordinates from the same start
    | clustering: the codebook shrinks from all samples to one
    | kernels: kendall kernel on all rankings of four has rank six
    | sparse_bayes: em never loses evidence
    | regression: ridge is a linear ridge on the coordinates of npt
    | regression: every weight is the probability of a mistake
    | regression: kernel pls is pls on the coordinates of npt

003/s4 | perceptron.Perceptron | perceptron: labels may be any two things
003/s5 | perceptron.perceptron_cost | perceptron: cost is the sum over the wrong side
003/s6 | perceptron.Perceptron.steps | perceptron: the first updates by hand
003/s7 | perceptron.Perceptron perceptron.novikoff_bound
    | perceptron: updates stay below the bound on thirty data sets
003/s8 | lifting.log_ratio | lifting: equal covariances give a line whatever the priors
003/s9 | lifting.is_separable perceptron.KernelPerceptron
    | perceptron: xor never ends but in the quadratic space it does
    | lifting: separability agrees with the linear program
003/s10 | lifting.log_ratio lifting.bayes_map | lifting: the last coordinate of the bayes map decides
003/s11 | lifting.MLP | lifting: two hidden units solve xor and one does not
003/s12 | lifting.AdaBoostStumps | lifting: boosting stays below its bound
003/s13 | lifting.cover_count lifting.random_map scale.RandomFourier
    | lifting: cover counts the separable labellings exactly
    | lifting: a random map into n dimensions separates every labelling
    | scale: the error of random waves falls with the root of their number
003/s14 s17 s24 | perceptron.KernelPerceptron
    | perceptron: the kernel perceptron walks as the perceptron on npt coordinates
003/s15 | perceptron.Perceptron perceptron.KernelPerceptron
    | perceptron: primal and dual hold the same plane after every update
    | lifting: dot product form does not notice a rotation and stumps do
003/s16 | perceptron.KernelPerceptron perceptron.novikoff_bound
    | perceptron: primal and dual hold the same plane after every update
    | perceptron: a bound grows when eta is on one side only
003/s18 | kernels.Polynomial features.poly2_map | features: inner products of images are the kernel
003/s19 | kernels.Gaussian kernels.is_psd | kernels: what is called a kernel is positive semi definite and stays so
003/s20 | features.hom2_map kernels.Polynomial
    | kernels: homogeneous square is the inner product of outer products
    | features: inner products of images are the kernel
003/s21 | features.hom2_map kernels.Polynomial | features: maps are what the slides print
    | kernels: rank of a polynomial gram counts its monomials
003/s22 | kernels.Polynomial | kernels: rank of a polynomial gram counts its monomials
003/s23 | kernels.Polynomial kernels.Gaussian | kernels: kernel is its formula in a double loop
003/s25 | perceptron.KernelPerceptron
    | perceptron: the kernel perceptron walks as the perceptron on npt coordinates
    | perceptron: the radius of the inputs breaks the bound far from the origin
003/s26 | perceptron.KernelPerceptron perceptron.novikoff_bound
    | perceptron: the radius of the inputs breaks the bound far from the origin
003/s27 | perceptron.KernelPerceptron | perceptron: a hundred times the kernel changes no update
003/s28 | perceptron.Perceptron perceptron.KernelPerceptron
    | perceptron: the margin is some margin and never the widest
    | perceptron: the labels as a kernel have the largest quotient there is even for coins
003/s29 | kernels.Tanh | kernels: tanh is not positive semi definite
    | perceptron: two points have one top under a kernel and two under tanh
003/s30 | npt.Kernelized | npt: kernelized does what its method does and nothing else
003/s31 | pca.rayleigh | pca: rayleigh quotient is largest at the first generalised eigenvector
    | pca: pca is the rayleigh quotient against the identity
003/s32 | pca.PCA | pca: pca solves the eigenproblem of the covariance
003/s33 s35 | pca.PCA | pca: dual and primal pca agree in sign too
003/s34 | pca.rayleigh pca.PCA | pca: rayleigh reaches four where the inverse on the other side reaches two
    | pca: dual and primal pca agree in sign too
003/s36-38 | pca.KernelPCA | pca: four lectures agree where the images are centred
003/s39 | pca.KernelPCA.on_grid | pca: scores on a grid are the scores of its points

004/s1 | relevance.relevant_dimension | relevance: a planted dimension is recovered in every draw
004/s2 | svm.vc_bound svm.srm_bound svm.enclosing_ball | svm: bounds of the lecture
    | svm: the corners of a simplex attain the bound on the capacity
    | svm: a capacity read off a trained machine depends on the sample
    | svm: the smallest ball is smaller than the longest vector
004/s3 | svm.margin_distribution | svm: margins of training points are distances to the line
004/s4 | svm.SVC | svm: the primal and the dual value meet
    | svm: the printed primal without one half has half the box
004/s5 | svm.SVC svm.kkt_report svm.duality_gap | svm: the kkt conditions hold
    | svm: the gap is never negative and closes
004/s6 s8 | svm.SVC svm.SVC.on_grid | svm: scikit learn finds the same classifier
    | svm: a grid shows the decision function
004/s7 s9 | svm.SVC | svm: a machine that learns from its support vectors alone is the same
    | svm: the kkt conditions hold
004/s11 | dual.Dual | dual: the solution is that of a general solver
    | dual: gradient objective and slopes are what they say
004/s12 | dual.working_sets | dual: every working set is solved exactly and the rest stays
004/s13 | dual.smo | dual: every step is feasible and never worse
004/s14 | dual.smo | dual: at the unclipped value the derivative along the pair is zero
004/s15 | dual.smo svm.SVC.steps | svm: steps in alpha are those of the slide | dual: the first exercise by hand
004/s17 | one_class.SVDD | one_class: three points on a line by hand | one_class: radius and slack give the dual value
004/s18 | svm.squared_loss svm.tube_loss | svm: losses of the lecture
004/s19 | svm.SVR | svm: a general solver of the primal finds the line that the dual finds
    | svm: the tube is optimal
004/s20 | pca.KernelPCA discriminant.KernelFDA | pca: linear kernel pca is pca
    | discriminant: with the linear kernel kernel fisher is fisher
004/s21 | pca.KernelPCA.on_grid | pca: scores on a grid are the scores of its points
004/s22-23 | pca.KernelPCA | pca: alphas solve the eigenproblem and sum to zero
004/s24 | pca.KernelPCA.transform | pca: kernel pca is pca of the explicit images
004/s25 | centering.center_gram centering.Centerer | centering: the three lecture formulas agree
    | centering: centred cross matrix is that of images shifted by the training mean
004/s26 | pca.KernelPCA | pca: eight components separate three clusters first and split them later
004/s27 | preimage.denoise curves.PrincipalCurve curves.Autoencoder
    | preimage: new points of a half circle come closer to it
    | curves: new points of a half circle come closer to it
004/s28 | preimage.denoise | preimage: new digits are cleaner after kernel pca than after the best pca
"""
LISTED = r"[sp]\d+(?:-[sp]?\d+)?"
CITATION = re.compile(rf"\b(00[0-4])/({LISTED}(?:(?:, and |, | and | to ){LISTED})*)")


class Section(NamedTuple):
    """A second-level section of a notebook: its prose, and its code."""

    notebook: str
    title: str
    text: str
    code: str

    @property
    def anchor(self):  # as JupyterLab and the site name it
        return re.sub(r"[`*$\\]", "", self.title).replace(" ", "-")


def cited(text):
    """Pages that a text cites: "000/s3-4, s9" -> {("000", "s3"), ("000", "s4"), ("000", "s9")}."""
    pages = {("001", "RKHS")} if re.search(r"page on RKHS|RKHS page", text) else set()
    for lecture, listed in CITATION.findall(text):
        for letter, first, last in re.findall(r"([sp])(\d+)(?:-[sp]?(\d+))?", listed):
            pages |= {(lecture, f"{letter}{i}") for i in range(int(first), int(last or first) + 1)}
    return pages


def sections(folder=ROOT / "notebooks"):
    """Every second-level section of the notebooks, without the first one, which only draws the map."""
    for path in sorted(folder.glob("*.ipynb"))[1:]:
        title, text, code = "", [], []
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code":
                code.append(source)
                continue
            for piece in re.split(r"(?m)^(?=## )", source):
                if piece.startswith("## "):
                    if title:
                        yield Section(path.stem, title, "\n".join(text), "\n".join(code))
                    title, text, code = piece[3:].split("\n")[0].strip(), [], []
                text.append(piece if title else "")
        yield Section(path.stem, title, "\n".join(text), "\n".join(code))


def tested():
    """{(lecture, page): (parts of kmlab, [(test file, test), ...])}, as TESTED has it."""
    found = {}
    for entry in re.split(r"\n+(?=00)", TESTED.strip()):
        pages, parts, *tests = (piece.split() for piece in entry.split("|"))
        lecture, first = pages[0].split("/")
        named = [(f"test_{file.rstrip(':')}.py", "_".join(["test", *words])) for file, *words in tests]
        for page in [("001", "RKHS")] if first == "RKHS" else cited(f"{lecture}/{', '.join([first, *pages[1:]])}"):
            found[page] = parts, named
    return found


def users(folder=ROOT / "tests"):
    """{(test file, test): {(module, name), ...}}: what a test uses of kmlab, itself or by its fixtures and helpers."""
    found = {}
    for path in sorted(folder.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        origin = {
            alias.asname or alias.name: (node.module.removeprefix("kmlab."), alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        names = {
            target.id: _names(node)
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        names |= {node.name: _names(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
        for test in (name for name in names if name.startswith("test_")):
            reached = names[test].union(*(names[name] for name in names[test] & set(names)))
            found[path.name, test] = {origin[name] for name in reached & set(origin)}
    return found


def _names(node):
    """Variables and arguments that a piece of a program mentions."""
    return {n.id if isinstance(n, ast.Name) else n.arg for n in ast.walk(node) if isinstance(n, ast.Name | ast.arg)}


def table():
    """(lecture, page, sections, parts of kmlab, tests) for every page."""
    errata = {entry.id: cited(f"{entry.lecture}/{entry.pages}") for entry in all_errata().values()}
    found, named = list(sections()), tested()
    cites = {s: cited(s.text).union(*(errata[id] for id in re.findall(r"E-[A-Z]\d+", s.code + s.text))) for s in found}
    for lecture, pages in LECTURES.items():
        for page in pages:
            here = [section for section in found if (lecture, page) in cites[section]]
            yield lecture, page, here, *named.get((lecture, page), ([], []))
