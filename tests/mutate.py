"""Does a test notice when an equation is wrong?  `python3 course.py mutate [kmlab/pca.py ...]`

Every line of kmlab that carries an equation's tag, `# (PCA.2)`, is broken in many small ways, one at a time: a sign, a
factor, an index, an axis, a comparison. So is every function or kernel whose docstring states an equation that no line
of it carries, and every function of the same file that one of these calls. Each time the tests of that file run on a
copy of the tree, then the tests of the files that use it, until one fails. What survives is listed: it wants a test, or
a reason in EQUIVALENT.
"""

import argparse
import ast
import copy
import io
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import tokenize
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TAG = re.compile(r"\([A-Z]+[0-9]*\.[0-9]+\)")
STATED = re.compile(r"\S  +(\([A-Z]+[0-9]*\.[0-9]+\))")  # in a docstring: after an equation, not in a sentence about it
SHARED = ("errata", "exercises", "gram_matrix")  # tests of many files, asked last
PRELOAD = [
    "numpy",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.sparse.linalg",
    "scipy.sparse.csgraph",
    "scipy.spatial",
    "scipy.stats",
    "sklearn.svm",
    "sklearn.decomposition",
    "sklearn.manifold",
    "sklearn.pipeline",
    "sklearn.utils.estimator_checks",
    "matplotlib.pyplot",
    "IPython.display",
    "ipywidgets",
    "pytest",
]

# Mutants that no test can tell from the original, each with its reason.
SAME_PLANE = "on centred rows this is the same sum, up to a sign that settle_signs takes away"
PLUS_MINUS = "y and h are +1 or -1"
SYMMETRIC = "the matrix is symmetric"
SAME_LINE = "how long a direction is, and which way it goes, makes no difference to a minimum along it"
SQUARE = "the matrices are square"
ZERO = "nothing, turned over or doubled"
NO_SIGN = "a random frequency is as often negative, and cos does not see it"
LAST_BIT = "they differ only where rounding hits a tolerance to the last bit"
BEGIN = "only where the search begins: its end is the same"
AS_ONE = "only how near to each other two points count as one"
BY_THEIR_SUM = "the weights are divided by their sum in the next line"
EQUIVALENT = {
    "pca_l1.py (L1.3) p @ self.X -> 2 * (p @ self.X)": "its length is divided out in the next line",
    "pca_l1.py (L1.9) np.arange(2 ** (len(X) - 1)) -> 2 * np.arange(2 ** (len(X) - 1))": "then the first sign is always +1 instead of the last, and -p gives the same direction",
    "pca_l1.py (L1.9) 2 -> 3": "more codes than there are sign vectors: slower, nothing else",
    "pca_l1.py (L1.9) len(X) - 1 -> len(X) + 1": "more codes than there are sign vectors: slower, nothing else",
    "pca_l1.py (L1.9) 1 - 2 * ((codes[:, None] >> np.arange(len(X))) & 1) -> "
    "1 + 2 * (codes[:, None] >> np.arange(len(X)) & 1)": SAME_PLANE,
    "pca_l1.py (L1.9) 1 - 2 * ((codes[:, None] >> np.arange(len(X))) & 1) -> "
    "-(1 - 2 * (codes[:, None] >> np.arange(len(X)) & 1))": SAME_PLANE,
    "pca_l1.py (L1.9) 1 -> 2 [2]": SAME_PLANE,
    "clustering.py (CL.6) np.where(alone, -np.inf, leave)[:, None] - D * (size / (size + 1)) -> "
    "2 * (np.where(alone, -np.inf, leave)[:, None] - D * (size / (size + 1)))": LAST_BIT,
    "perceptron.py (P.2) eta * y[i] -> eta / y[i]": PLUS_MINUS,
    "perceptron.py (P.2) eta * y[i] -> eta / y[i] [2]": PLUS_MINUS,
    "lifting.py (LIFT.8) -say * y * h -> -say * y / h": PLUS_MINUS,
    "lifting.py (LIFT.8) -say * y -> -say / y": PLUS_MINUS,
    "lifting.py (LIFT.8) weights * np.exp(-say * y * h) -> -(weights * np.exp(-say * y * h))": BY_THEIR_SUM,
    "lifting.py (LIFT.8) weights * np.exp(-say * y * h) -> 2 * (weights * np.exp(-say * y * h))": BY_THEIR_SUM,
    "platt.py (PLATT.1) y > 0 -> y >= 0": PLUS_MINUS,
    "svm.py (SVM.2) y > 0 -> y >= 0": PLUS_MINUS,
    'svm.py (SVM.10) check.non_negative(radius, "radius") * check.non_negative(w_norm, "w_norm") -> '
    "-(check.non_negative(radius, 'radius') * check.non_negative(w_norm, 'w_norm'))": "it is squared in the next line",
    "svm.py (SVM.10) size < check.LARGEST -> size <= check.LARGEST": LAST_BIT,
    "svm.py (SVM.2) y > 0 -> y >= 0 [2]": PLUS_MINUS,
    "discriminant.py (FDA.2) W.sum(1) -> W.sum(0)": SYMMETRIC,
    "discriminant.py (FDA.2) F - F.mean(0) -> -(F - F.mean(0))": "squares do not see a sign",
    "kernels.py (K.14) lengths(np.diag(K)) -> -lengths(np.diag(K))": "two lengths are multiplied",
    "algebra.py (K.12) np.sqrt(diag) -> -np.sqrt(diag)": "two lengths are multiplied",
    "centering.py (C.1) K.mean(0) -> K.mean(1)": SYMMETRIC,
    "kernels.py (K.7) np.sign(X[:, i] - X[:, j]) -> -np.sign(X[:, i] - X[:, j])": "two signs are multiplied",
    "pca_l1.py (L1.1) [] -> 2 * []": ZERO,
    "primal.py (SCALE.8) 1 -> 2": SQUARE,
    "scale.py (SCALE.6) invert(r) -> 2 * invert(r)": SAME_LINE,
    "scale.py (SCALE.6) invert(r) -> 2 * invert(r) [2]": SAME_LINE,
    "scale.py (SCALE.6) invert(r) -> -invert(r) [2]": SAME_LINE,
    "scale.py (SCALE.6) residual <= tol -> residual < tol": LAST_BIT,
    "scale.py (SCALE.6) 1.0 -> 2.0": "only where y = 0, and with it the residual",
    "graph.py (G.3) 0 -> 1": "a matrix that is not square is refused, whichever side is counted",
    "ica.py (CCA.6) min(np.linalg.svd(A.T @ B, compute_uv=False)[0], 1 - 1e-15) -> "
    "-min(np.linalg.svd(A.T @ B, compute_uv=False)[0], 1 - 1e-15)": "it is squared in the next line",
    "cca.py (CCA.4) P * sign -> P / sign": "a sign is +1 or -1",
    "cca.py (CCA.4) Q * sign -> Q / sign": "a sign is +1 or -1",
    "one_class.py (OCC.5) 1 + ROUNDING -> 1 - ROUNDING": BEGIN,
    "one_class.py (OCC.5) list(range(0, n, -(-n // ROUGH))) -> 2 * list(range(0, n, -(-n // ROUGH)))": BEGIN,
    "one_class.py (OCC.5) q + sum(K.rows(some)) / len(some) -> q - sum(K.rows(some)) / len(some)": BEGIN,
    "one_class.py (OCC.5) q + sum(K.rows(some)) / len(some) -> -(q + sum(K.rows(some)) / len(some))": BEGIN,
    "one_class.py (OCC.5) q + sum(K.rows(some)) / len(some) -> 2 * (q + sum(K.rows(some)) / len(some))": BEGIN,
    "one_class.py (OCC.5) sum(K.rows(some)) / len(some) -> sum(K.rows(some)) * len(some)": BEGIN,
    "one_class.py (OCC.5) np.zeros(n) -> -np.zeros(n)": ZERO,
    "one_class.py (OCC.5) np.zeros(n) -> 2 * np.zeros(n)": ZERO,
    "one_class.py (OCC.5) whole < n -> whole <= n": BEGIN,
    "one_class.py (OCC.5) (rest := 1 - whole * C) > ROUNDING -> (rest := (1 - whole * C)) >= ROUNDING": LAST_BIT,
    "lifting.py (LIFT.1) np.linalg.solve(L, (X - mean).T) -> -np.linalg.solve(L, (X - mean).T)": "squares do not see a sign",
    "scale.py (SCALE.6) pivoted_cholesky(kernel, X, rank).L -> -pivoted_cholesky(kernel, X, rank).L": "L comes twice",
    "scale.py (SCALE.6) np.zeros(len(y)) -> -np.zeros(len(y))": ZERO,
    "scale.py (SCALE.6) np.zeros(len(y)) -> 2 * np.zeros(len(y))": ZERO,
    "scale.py (SCALE.6) invert(r) -> -invert(r)": "a direction turned over, with a step turned over",
    "discriminant.py (FDA.4) B[:, ::-1] -> -B[:, ::-1]": "settle_signs takes the sign away",
    "discriminant.py (FDA.4) B[:, keep] -> -B[:, keep]": "settle_signs takes the sign away",
    "discriminant.py (LFDA.1) np.empty(len(D2)) -> -np.empty(len(D2))": "filled in below",
    "discriminant.py (LFDA.1) np.empty(len(D2)) -> 2 * np.empty(len(D2))": "filled in below",
    "discriminant.py (LFDA.1) np.sort(np.sqrt(D2[np.ix_(members, members)]), axis=1) -> -np.sort(np.sqrt(D2[np.ix_(members, members)]), axis=1)": "two scales are multiplied",
    "discriminant.py (LFDA.1) inside[:, min(k, len(members) - 1)] -> -inside[:, min(k, len(members) - 1)]": "two scales are multiplied",
    "discriminant.py (LFDA.1) codes[:, None] == codes -> 2 * (codes[:, None] == codes)": "any number but 0 means yes",
    "active_set.py (SMO.6) 1 -> 2": "of a flag: any number but 0 means yes",
    "dual.py (DUAL.3) [e for e in (self.up.min(), self.low.max()) if np.isfinite(e)] -> "
    "2 * [e for e in (self.up.min(), self.low.max()) if np.isfinite(e)]": "the mean of the same ends, each twice",
    "features.py (F.5) ready(check.kernel(kernel)).frequencies(d, m, rng) -> "
    "-ready(check.kernel(kernel)).frequencies(d, m, rng)": NO_SIGN,
    "graph.py (G.1) heat_width(distance, width) -> -heat_width(distance, width)": "the width is squared",
    "graph.py (G.1) min -> max": "more neighbours are asked for than are looked at: slower, nothing else",
    "graph.py (G.1) k + 1 -> k - 1 [2]": "all rows are taken for tied: slower, nothing else",
    "graph.py (G.1) 2 -> 3 [2]": "one more neighbour is asked for than is looked at",
    "graph.py (G.1) -1 -> 1": "only how many threads look for neighbours",
    "graph.py (G.1) 1 -> 2 [4]": "more rows are taken for tied than are: slower, nothing else",
    "graph.py (G.3) np.zeros(k) -> -np.zeros(k)": ZERO,
    "graph.py (G.3) np.zeros(k) -> 2 * np.zeros(k)": ZERO,
    "graph.py (G.3) np.zeros((len(d), k)) -> -np.zeros((len(d), k))": ZERO,
    "graph.py (G.3) np.zeros((len(d), k)) -> 2 * np.zeros((len(d), k))": ZERO,
    "graph.py (G.3) W.copy() -> -W.copy()": "only which entries are zero counts",
    "graph.py (G.3) W.copy() -> 2 * W.copy()": "only which entries are zero counts",
    "graph.py (G.3) W.sum(1) -> W.sum(0)": SYMMETRIC,
    "graph.py (G.3) k > zeros -> k >= zeros": "then no mode is asked for, and none comes",
    "graph.py (G.3) W.reshape(1, -1) -> -W.reshape(1, -1)": "a single row is refused in the next lines",
    "graph.py (G.3) W.reshape(1, -1) -> 2 * W.reshape(1, -1)": "a single row is refused in the next lines",
    "lifting.py (LIFT.3) 1.0 -> 2.0": "a plane may be scaled",
    "lifting.py (LIFT.7) t.say * stump(X, t) -> t.say / stump(X, t)": PLUS_MINUS,
    "lifting.py (LIFT.4) frequencies(Gaussian(width), X.shape[1], k, rng).T -> "
    "-frequencies(Gaussian(width), X.shape[1], k, rng).T": NO_SIGN,
    "lifting.py (LIFT.4) 2 -> 3": "a phase at random, over any number of half turns",
    "lifting.py (LIFT.4) 1 -> 2 [2]": "of several random generators the first is taken",
    "lifting.py (LIFT.4) X @ omega -> -(X @ omega)": NO_SIGN,
    'lifting.py (LIFT.4) np.sqrt(2 / k) * np.cos(X @ omega + phase) if kind == "cosine" else np.tanh(X @ '
    "omega + phase - np.pi) -> -(np.sqrt(2 / k) * np.cos(X @ omega + phase) if kind == 'cosine' else "
    "np.tanh(X @ omega + phase - np.pi))": "features turned over have the same inner products",
    "lifting.py (LIFT.4) np.cos -> np.sin": "a phase at random, over any number of half turns",
    "lifting.py (LIFT.4) X @ omega + phase -> X @ omega - phase": "a phase at random, over any number of half turns",
    "neighbors.py (NN.1) self.diag_ - 2 * self.kernel(X, self.X_) -> "
    "2 * (self.diag_ - 2 * self.kernel(X, self.X_))": "all distances twice as long: the same neighbours",
    "pca_l1.py (L1.9) points.direction(signs[np.argmax(lengths >= (1 - TIE) * lengths.max())]) -> "
    "-points.direction(signs[np.argmax(lengths >= (1 - TIE) * lengths.max())])": "settle_signs takes the sign away",
    "pca_l1.py (L1.9) lengths >= (1 - TIE) * lengths.max() -> lengths > (1 - TIE) * lengths.max()": LAST_BIT,
    "regression.py (RIDGE.2) K.mean(0) -> K.mean(1)": SYMMETRIC,
    "regression.py (PLS.2) s - S @ (S.T @ s) -> 2 * (s - S @ (S.T @ s))": "its length is divided out in the next line",
    "sparse_bayes.py (RVM.6) np.column_stack([np.ones(len(P)), P]) if self._constant else P -> "
    "-(np.column_stack([np.ones(len(P)), P]) if self._constant else P)": "P comes twice",
    "svm.py (SVM.7) alpha < C * (1 - 1e-9) -> alpha <= C * (1 - 1e-09)": LAST_BIT,
    "svm.py (SVM.12) np.zeros(len(K)) -> -np.zeros(len(K))": ZERO,
    "svm.py (SVM.12) np.zeros(len(K)) -> 2 * np.zeros(len(K))": ZERO,
    "curves.py (PC.2) (1 - np.minimum(away / reach[:, None], 1) ** 3) ** 3 -> "
    "-(1 - np.minimum(away / reach[:, None], 1) ** 3) ** 3": BY_THEIR_SUM,
    "curves.py (PC.2) (1 - np.minimum(away / reach[:, None], 1) ** 3) ** 3 -> "
    "2 * (1 - np.minimum(away / reach[:, None], 1) ** 3) ** 3": BY_THEIR_SUM,
    "curves.py (PC.1) np.abs(arc[:, None] - arc) -> 2 * np.abs(arc[:, None] - arc)": "the reach is twice as far, too",
    "curves.py (PC.1) 1e-9 * arc[-1] -> 1e-09 / arc[-1]": AS_ONE,
    "curves.py (PC.1) -1 -> 1": AS_ONE,
    "curves.py (PC.1) 1.0 -> 2.0 [2]": AS_ONE,
    "curves.py (PC.1) spread > (1e-9 * arc[-1]) ** 2 -> spread >= (1e-09 * arc[-1]) ** 2": AS_ONE,
    "curves.py (PC.1) (1e-9 * arc[-1]) ** 2 -> 1e-09 * arc[-1] * 2": AS_ONE,
    "curves.py (PC.1) 1e-9 * arc[-1] -> 1e-09 / arc[-1] [2]": AS_ONE,
    "curves.py (PC.1) -1 -> 1 [2]": AS_ONE,
    "curves.py (PC.1) 2 -> 3 [2]": AS_ONE,
    "curves.py (PC.1) 1 -> 2": "of such rows numpy.partition sorts more than it is asked for",
    "curves.py (AE.2) self._layers(weights, X) -> 2 * self._layers(weights, X)": "a list twice over: of it only the first half and the end are used",
    "curves.py (AE.2) [] -> 2 * []": "nothing, twice",
}


FILES = [p.relative_to(ROOT).as_posix() for f in ("kmlab", "kmlab/engine") for p in sorted((ROOT / f).glob("*.py"))]


def stale():
    """The entries of EQUIVALENT that name no mutant, because their lines have changed."""
    return sorted(set(EQUIVALENT) - {m.name for file in FILES for m in mutants(file)})


class Mutant(NamedTuple):
    path: str  # from the root of the tree
    on_line: bool  # or in the body of what a docstring states
    name: str  # file, tag, what stands there -> what is put there; [2] where that comes twice
    source: str  # of the whole file


# ---- which code states an equation, and how it can be wrong


def mutants(path, root=ROOT):
    """All mutants of one file."""
    source = (root / path).read_text(encoding="utf-8")
    tree = ast.parse(source)
    found, names = {}, {}
    for tag, on_line, nodes in equations(source, tree):
        for node in nodes:
            for new in broken(node):
                text, old = ast.unparse(new), " ".join(ast.get_source_segment(source, node).split())
                changed_source = replaced(source, node, text)
                if changed_source not in found:  # two tags may stand on one line
                    name = f"{Path(path).name} {tag} {old} -> {text}"
                    names[name] = names.get(name, 0) + 1
                    name += f" [{names[name]}]" if names[name] > 1 else ""
                    found[changed_source] = Mutant(path, on_line, name, changed_source)
    return list(found.values())


def equations(source, tree):
    """(tag, True, expressions) of every tagged line; (tag, False, ...) of tagged docstrings with no such line below.

    And (tag, False, ...) of the functions of the same file that these call: there the line may hide its formula.
    """
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    methods = [node for part in tree.body if isinstance(part, ast.ClassDef) for node in part.body]
    functions = {node.name: node for node in [*methods, *tree.body] if isinstance(node, ast.FunctionDef)}
    on_lines, called = {}, {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and TAG.search(token.string) and token.line[: token.start[1]].strip():
            line = token.start[0]
            on_lines[line] = set(TAG.findall(token.string))
            inner = max((s for s in statements if s.lineno <= line <= s.end_lineno), key=lambda s: s.lineno)
            called |= dict.fromkeys(names(inner) & set(functions), tag := TAG.search(token.string)[0])
            yield tag, True, expressions(inner, tagged=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            tags = STATED.findall(ast.get_docstring(node) or "")
            below = (on_lines.get(line, set()) for line in range(node.lineno, node.end_lineno + 1))
            if tags and not set(tags) & set().union(*below):
                called |= dict.fromkeys(names(node) & set(functions), tags[0])
                yield tags[0], False, [e for s in body(node) for e in expressions(s)]
    for name, tag in sorted(called.items()):
        yield tag, False, [e for s in body(functions[name]) for e in expressions(s)]


def names(node):
    """What is called in there by its name, and what in_strips is to call."""
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    handed = [n.args[0] for n in calls if n.func.id == "in_strips"]
    return {n.func.id for n in calls} | {n.attr for n in handed if isinstance(n, ast.Attribute)}


def body(node):
    """The statements of a function, or of the methods of a class that compute something."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef) or (getattr(child, "name", None) or "").startswith("__"):
            continue
        refuses = isinstance(child, ast.If) and isinstance(child.body[-1], ast.Raise)
        if not refuses and not isinstance(child, ast.Raise | ast.AnnAssign | ast.Assert):
            if isinstance(child, ast.stmt) and not isinstance(child, ast.FunctionDef):
                yield child
            yield from body(child)


def expressions(statement, tagged=False):
    """The expressions of a statement, without those of the statements inside it, docstrings and bare calls.

    Where a bare call carries the tag, as in chosen.append(...), it is about what the call is given.
    """
    bare = isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Yield)
    if bare and not tagged:
        return
    value, targets = getattr(statement, "value", None), getattr(statement, "targets", [])
    if bare:
        parts = value.args
    elif isinstance(value, ast.Tuple):
        parts = value.elts
    else:  # a call that gives several things cannot be negated
        parts = [value] if value and not any(isinstance(target, ast.Tuple) for target in targets) else []
    for part in parts:
        part.whole = True
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr) and child not in targets:
            yield from inside(child)


def inside(node):
    """An expression and its parts, but not those that only check what comes in: of check.f(x) what x is made of."""
    if isinstance(node, ast.Call) and re.fullmatch(r"check\.\w+", ast.unparse(node.func)):
        node.args[0].whole = getattr(node, "whole", False)
        return (yield from inside(node.args[0]))
    if isinstance(node, ast.expr) and not isinstance(node, ast.Starred):
        yield node
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "in_strips":
        children.pop()  # how many rows are made at once
    for child in children:
        yield from inside(child)


SWAP = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
TURN = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
OTHER = {
    "argmin": "argmax",
    "argmax": "argmin",
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "sin": "cos",
    "cos": "sin",
    "sum": "mean",
    "mean": "sum",
    "exp": "expm1",
    "log": "log1p",
}


def broken(node):
    """Copies of an expression, each wrong in one way."""
    if isinstance(node, ast.BinOp) and type(node.op) in SWAP:
        yield changed(node, op=SWAP[type(node.op)]())
    if isinstance(node, ast.Compare):
        for table in SWAP, TURN:
            if type(node.ops[0]) in table:
                yield changed(node, ops=[table[type(node.ops[0])](), *node.ops[1:]])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert):
        node.operand.last = ast.unparse(node) == "-1"
        yield node.operand
    if isinstance(node, ast.Call):
        yield from turned(node)
    if is_factor(node):
        yield ast.Constant(node.value + 1 if isinstance(node.value, int) else 2 * node.value or 1.0)
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    if isinstance(node, ast.Attribute) and node.attr in OTHER:
        yield changed(node, attr=OTHER[node.attr])
    if isinstance(node, ast.Name) and node.id in ("min", "max"):
        yield changed(node, id=OTHER[node.id])
    if isinstance(node, ast.IfExp):
        yield changed(node, body=node.orelse, orelse=node.body)
    if isinstance(node, ast.Subscript):
        yield from shifted(node)
    if getattr(node, "whole", False) and not isinstance(node, ast.Constant | ast.Name):
        if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)):
            yield ast.UnaryOp(ast.USub(), node)
        yield ast.BinOp(ast.Constant(2), ast.Mult(), node)


def is_factor(node):
    """A number that is part of a formula: no axis, which is turned, nor the -1 of a shape, nor a tolerance."""
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
        return False
    return not hasattr(node, "axis") and not getattr(node, "last", False) and (not node.value or abs(node.value) > 1e-4)


ALONG = {"sum", "mean", "max", "min", "argmax", "argmin", "any", "all", "std", "var", "cumsum", "norm", "sort"}


def turned(node):
    """Another axis: A.mean(0) -> A.mean(1)."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in ALONG and len(node.args) == 1:
        if isinstance(node.args[0], ast.Constant) and node.args[0].value in (0, 1):
            node.args[0].axis = True
            yield changed(node, args=[ast.Constant(1 - node.args[0].value)])
    for i, word in enumerate(node.keywords):
        if word.arg == "axis" and isinstance(word.value, ast.Constant) and word.value.value in (0, 1):
            word.value.axis = True
            new = changed(word, value=ast.Constant(1 - word.value.value))
            yield changed(node, keywords=[*node.keywords[:i], new, *node.keywords[i + 1 :]])


def shifted(node):
    """Indices off by one: X[i] -> X[i - 1], X[:k] -> X[:k + 1]."""
    if isinstance(node.slice, ast.Name):
        yield changed(node, slice=ast.BinOp(node.slice, ast.Sub(), ast.Constant(1)))
    if isinstance(node.slice, ast.Slice):
        for end in "lower", "upper":
            if (at := getattr(node.slice, end)) is not None:
                yield changed(node, slice=changed(node.slice, **{end: ast.BinOp(at, ast.Add(), ast.Constant(1))}))


def changed(node, **fields):
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def replaced(source, node, text):
    """The source with a node's own text replaced; the rest, comments included, stays."""
    lines = source.encode().splitlines(keepends=True)
    start, end = (
        sum(map(len, lines[: line - 1])) + column
        for line, column in ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
    )
    data = source.encode()
    if not isinstance(node, ast.Attribute | ast.Name | ast.Subscript) or text.startswith("-"):
        text = f"({text})"
    return (data[:start] + text.encode() + data[end:]).decode()


# ---- which tests look at it


def test_files(path, root=ROOT):
    """The tests of a file, then those of the files that use it, then those of many files."""
    folder, stem = Path(path).parent.name, Path(path).stem
    uses = {
        p.stem: set(re.findall(r"^\s*from \.+(?:engine\.)?(\w+) import", text := p.read_text(encoding="utf-8"), re.M))
        | set(re.findall(r"^\s*from \.+(?:engine)? import (\w+)", text, re.M))
        for p in [*(root / "kmlab").glob("*.py"), *(root / "kmlab/engine").glob("*.py")]
    }
    users = [stem]
    for name in users:
        users += [user for user, used in sorted(uses.items()) if name in used and user not in users]
    found = [root / "tests" / f"test_{name.strip('_')}.py" for name in [*users, folder, *SHARED]]
    return [p.relative_to(root).as_posix() for p in dict.fromkeys(found) if p.exists()]


# ---- running them

CONTEXT = multiprocessing.get_context("spawn" if os.name == "nt" else "forkserver")


def run_tests(tree, test, limit):
    """In a process of its own: its exit code is pytest's, 0 if the test file passes in that tree."""
    if os.name != "nt":
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    sys.dont_write_bytecode = False  # what is not broken is compiled once
    os.chdir(tree)
    for stream in 1, 2:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    sys.path[:0] = [str(tree), str(tree / "tests")]
    import pytest

    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins take longer to load than most tests to fail
    os._exit(int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", test], [LastToFail(tree.parent / "failed.txt")])))


class LastToFail:
    """A plugin of pytest: the tests that have failed of late come first, since they look at what is broken next too."""

    def __init__(self, file):
        self.file = file

    def pytest_collection_modifyitems(self, items):
        failed = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        last = {nodeid: i for i, nodeid in enumerate(failed)}
        items.sort(key=lambda item: -last.get(item.nodeid, -1))

    def pytest_runtest_logreport(self, report):
        if report.failed:
            with open(self.file, "a", encoding="utf-8") as file:
                print(report.nodeid, file=file)


def passes(tree, test, limit):
    """False also if the tests do not end: they may compute for limit seconds, and wait longer for a busy machine."""
    process = CONTEXT.Process(target=run_tests, args=(tree, test, limit))
    process.start()
    process.join(limit if os.name == "nt" else 10 * limit)
    process.kill()
    process.join()
    return process.exitcode == 0


class Bench:
    """Copies of the tree, one for each mutant at work, and how long every test file may take."""

    def __init__(self, folder, processes):
        self.limits, self.lock = {}, threading.Lock()
        self.trees = [Path(folder, str(i)) for i in range(processes + 1)]
        for tree in self.trees:
            shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "__pycache__", "my-notebooks", "figures"))
        self.clean = self.trees.pop()

    def limit(self, test):
        with self.lock:
            if test not in self.limits:
                start = time.monotonic()
                if not passes(self.clean, test, 900):
                    sys.exit(f"{test} does not pass as it is: mend it first.")
                self.limits[test] = 20 + int(6 * (time.monotonic() - start))
        return self.limits[test]

    def killer(self, mutant):
        """The first test file that fails on this mutant, or None."""
        tree = self.trees.pop()
        try:
            self.put(tree / mutant.path, mutant.source)
            return next((test for test in test_files(mutant.path) if not passes(tree, test, self.limit(test))), None)
        finally:
            self.put(tree / mutant.path, (ROOT / mutant.path).read_text(encoding="utf-8"))
            self.trees.append(tree)

    def put(self, path, source):
        """Other source into a file. What Python has compiled of it goes: it may look as old, and be as long."""
        path.write_text(source, encoding="utf-8")
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()


def main(args):
    parser = argparse.ArgumentParser(
        prog="python3 course.py mutate", description=__doc__.split("\n")[0], allow_abbrev=False
    )
    parser.add_argument("files", nargs="*", help="files of kmlab; all of them if none is given")
    parser.add_argument("--processes", type=int, default=1, help="how many mutants are tried at a time (1)")
    parser.add_argument("--only", default="", help="only mutants whose name contains this text")
    parser.add_argument("--lines", action="store_true", help="only lines that carry a tag, which takes half the time")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth of them, for a first look")
    parser.add_argument("--excused", action="store_true", help="only those in EQUIVALENT, which no test may notice")
    parser.add_argument("--list", action="store_true", help="only list them")
    options = parser.parse_args(args)
    if unknown := stale():
        sys.exit("No such mutants any more, take them out of EQUIVALENT:\n" + "\n".join(unknown))
    files = [Path(f).resolve().relative_to(ROOT).as_posix() for f in options.files] or FILES
    todo = [m for file in files for m in mutants(file) if m.on_line or not options.lines]
    todo = [m for m in todo if options.only in m.name][:: options.every]
    if options.list:
        return print("\n".join(m.name for m in todo))
    wrong = 0
    if os.name != "nt":
        CONTEXT.set_forkserver_preload(PRELOAD)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.processes) as pool:
        bench = Bench(folder, options.processes)
        for file in dict.fromkeys(m.path for m in todo):
            all_, start = [m for m in todo if m.path == file], time.monotonic()
            tried = [m for m in all_ if (m.name in EQUIVALENT) == options.excused]
            killers = zip(tried, pool.map(bench.killer, tried), strict=True)
            noticed = sum(told(mutant, killer, options.excused) for mutant, killer in killers)
            wrong += noticed if options.excused else len(tried) - noticed
            print(
                f"{file}: of {len(all_)} mutants {len(tried)} were tried, {noticed} were noticed, "
                f"{len(tried) - noticed} survived; {time.monotonic() - start:.0f} s",
                flush=True,
            )
    return 1 if wrong else 0


def told(mutant, killer, excused):
    """Was it noticed? What should not be is printed as soon as it is known."""
    if (killer is None) != excused:
        print(f"{'noticed by ' + killer if killer else 'survived'}: {mutant.name}", flush=True)
    return killer is not None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
