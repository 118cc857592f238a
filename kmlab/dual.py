"""The one quadratic program behind every margin method, and the one solver for it.

    min  ½ bᵀKb + qᵀb + ε Σ|b_i|     with  Σ b_i fixed  and  lo_i ≤ b_i ≤ hi_i                   (DUAL.1)

               q           bounds of b          Σ b     ε
    SVC       -y           from 0 to C y         0      0       b_i = y_i α_i carries the sign of its label
    SVR       -t           -C ... C              0      > 0     one b_i for the two multipliers of a point
    one-class  0           0 ... 1/(ν n)         1      0       b = α
    sphere    -k(x,x)/2    0 ... C               1      0       b = α

Sequential minimal optimisation moves two variables at a time and soon knows which of them end at a bound. On the rest
the problem is a linear system, so now and then all free variables are solved for at once, up to the first bound.
J. Platt, Fast training of SVMs using sequential minimal optimization, 1999; R.-E. Fan, P.-H. Chen, C.-J. Lin, Working
set selection using second order information for training SVMs, JMLR 6, 2005.  Pages 004/s10-15.
"""

import sys
import time
from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import warn_not_converged
from ._sums import KernelSum, Support
from .engine.active_set import newton_step, pause_after
from .engine.slopes import MET, Slopes, arrived
from .engine.threads import one_thread
from .gram import Gram
from .kernels import Precomputed


class PairStep(NamedTuple):
    """One step of SMO: b_i rises and b_j falls by the same amount. E1 and E2 leave out the offset: it cancels."""

    i: int
    j: int
    E1: float
    E2: float
    curvature: float  # -η of 004/s14
    lo: float  # the segment on which b_j may lie
    hi: float
    unclipped: float
    clipped: float
    gap: float  # how far the KKT conditions were violated before the step
    objective: float  # after the step, as is b
    b: np.ndarray


class BlockStep(NamedTuple):
    """Several variables moved at once: the free ones by Newton, or a working set solved exactly."""

    block: np.ndarray
    gap: float
    objective: float
    b: np.ndarray


class Dual(Slopes):
    """(DUAL.1) and where its solution stands: b, the gradient F = Kb + q, and the slopes to both sides of every b_i.

    up_i is the slope where b_i may rise, low_i where it may fall: F_i, with ε > 0 also ±ε, and ±∞ at a bound.
    """

    def __init__(self, K, q, lo, hi, b=None, eps=0.0):
        K = Gram(Precomputed(), K) if isinstance(K, np.ndarray) else K
        q, lo, hi, b = (np.array(v, dtype=float) for v in (q, lo, hi, np.zeros(len(q)) if b is None else b))
        super().__init__(K, q, lo, hi, b, float(eps))
        self.objective = self.value()
        self.n_steps = 0
        self.converged = False

    def value(self):
        return float(0.5 * self.b @ (self.F + self.q) + self.eps * np.abs(self.b).sum())  # (DUAL.1)

    @property
    def gap(self):
        """max low - min up: at the optimum no pair gains by moving, and this is not positive      (DUAL.2)"""
        return self.low.item(self.argmax_low) - self.up.item(self.argmin_up)

    @property
    def free(self):
        """Variables strictly inside their bounds; with ε > 0 also away from the kink of |b| at zero."""
        inside = (self.b > self.lo) & (self.b < self.hi)
        return (inside & (self.b != 0) if self.eps else inside).nonzero()[0]

    @property
    def offset(self):
        """-slope: the mean over free variables; without any, the middle of what KKT allows         (DUAL.3)"""
        if len(free := self.free):
            return -float((self.F[free] + self.eps * np.sign(self.b[free])).mean())
        ends = [e for e in (self.up.min(), self.low.max()) if np.isfinite(e)]
        return -float(sum(ends) / len(ends))

    # ---- one step of 004/s13-15, as four verbs

    def steepest(self):
        """The i with the steepest way up: where up is least, as was found with the gap."""
        return self.argmin_up  # (SMO.1)

    def partner(self, i):
        """The j with the largest gain (E2 - E1)² / |φ_i - φ_j|² if b_j falls as b_i rises; E1 = up_i, E2 = low_j."""
        return int(self.gains(i).argmax())  # (SMO.2)

    def clipped(self, i, j):
        """How far they go: to the lowest point, (E2 - E1) / |φ_i - φ_j|², or to the end of their segment."""
        E1, E2 = self.up.item(i), self.low.item(j)
        lowest = (E2 - E1) / self.distance2(i, j)  # (SMO.3)
        return min(lowest, self.top[i] - self.b.item(i), self.b.item(j) - self.bottom[j])  # (SMO.4)

    def move(self, i, j, step):
        """b_i rises and b_j falls by this step; F, the slopes and the objective follow."""
        b, E1, E2 = self.b, self.up.item(i), self.low.item(j)
        b[i] = arrived(b.item(i), step, self.top[i])  # (SMO.4)
        b[j] = arrived(b.item(j), -step, self.bottom[j])
        self.objective -= self.follow_pair(i, j, step, E2 - E1)
        self.n_steps += 1

    def on_the_slide(self, i, j):
        """E1, E2, -η, the two ends of the segment of b_j and its unclipped value, as on 004/s14-15."""
        E1, E2, curvature = self.up.item(i), self.low.item(j), self.distance2(i, j)
        both, bj = self.b.item(i) + self.b.item(j), self.b.item(j)
        ends = max(self.bottom[j], both - self.top[i]), min(self.hi.item(j), both - self.lo.item(i))
        return E1, E2, curvature, *ends, bj - (E2 - E1) / curvature


def smo(p, tol=1e-3, max_steps=100_000, newton=True, trace=True):
    """Sequential minimal optimisation of the Dual p in place; yields every step, or now and then if not traced.

    i = argmin up                                        (SMO.1)   the steepest way up
    j = argmax (low_j - up_i)²₊ / |φ_i - φ_j|²           (SMO.2)   the partner with the largest gain
    b_j ← b_j - (E2 - E1) / |φ_i - φ_j|²                 (SMO.3)   E1 = up_i, E2 = low_j: (9) of 004/s14
    clipped to [lo, hi], b_i ← b_i + b_j(old) - b_j      (SMO.4)   the sum stays: (13)
    now and then all variables between their bounds      (SMO.5)   by Newton's method, in the engine
    """
    next_newton = p.n_steps + pause_after(())
    while (gap := p.gap) >= tol and p.n_steps < max_steps:
        i = p.steepest()  # (SMO.1)
        j = p.partner(i)  # (SMO.2)
        step = p.clipped(i, j)  # (SMO.3), (SMO.4)
        shown = p.on_the_slide(i, j) if trace else ()
        p.move(i, j, step)
        if trace:
            yield PairStep(i, j, *shown, p.b.item(j), gap, p.objective, p.b.copy())
        else:  # the same again and again, by the engine
            p.pairs(min(next_newton, max_steps) - p.n_steps, tol)
        if p.n_steps == next_newton:
            gap, block = p.gap, newton_step(p) if newton else ()
            next_newton += pause_after(block)
            if len(block) or not trace:
                yield BlockStep(block, gap, p.objective, p.b.copy())
    p.converged = p.gap < tol


def spread(K):
    """The largest |φ_j - φ_0|², at least what is above zero: the unit of the precision of a sphere."""
    return max(float((K.diag + K.diag[0] - 2 * K[0]).max()), 1e-300)


def solved(p, tol=1e-3, max_steps=100_000):
    """p at its optimum."""
    with one_thread():
        for _ in smo(p, tol, max_steps, trace=False):
            pass
    return p


def working_sets(p, size, tol=1e-3, max_steps=10_000):
    """The size/2 steepest ways up and down are solved exactly, the rest stays: (5)-(8) of 004/s12  (SMO.7)"""
    while (gap := p.gap) >= tol and p.n_steps < max_steps:
        half, unit = max(1, size // 2), MET * gap  # slopes that differ by less are equal: the lower index comes first
        steepest = [np.argsort(np.round(slope / unit), kind="stable")[:half] for slope in (p.up, -p.low)]
        B = np.unique(np.concatenate(steepest))  # (SMO.7)
        K, before = np.array([row[B] for row in p.K.rows(B.tolist())]), p.b[B]
        part = solved(Dual(K, p.F[B] - K @ before, p.lo[B], p.hi[B], before, p.eps), tol / 10)
        p.b[B] = part.b
        p.follow(B, part.b - before)
        p.objective, p.n_steps = p.value(), p.n_steps + 1
        yield BlockStep(B, gap, p.objective, p.b.copy())
    p.converged = gap < tol


class DualSum(Support, KernelSum):
    """A kernel sum whose weights b solve (DUAL.1), to the precision `tol` and within `max_steps` pairs."""

    needs = "distances"

    def _gram(self, X, ridge=0.0, wanted=np.inf):
        K = Gram(self.kernel, X, ridge, wanted)
        check.moderate(K.diag)
        return K

    def _solve(self, X, p, tol, refuse=None):
        """Run the solver to its end and keep the sum that it finds; refuse(p), called now and then, may raise."""
        steps = smo(p, tol, self.max_steps, trace=False)
        with one_thread():
            for _ in on_screen(steps, p, type(self).__name__, tol) if self.progress else steps:
                if refuse:
                    refuse(p)
        if refuse:
            refuse(p)
        self.n_iter_, self.converged_ = p.n_steps, p.converged and not self._without_images
        self._set_sum(X, p.b, p.b.nonzero()[0])
        if not p.converged:
            remedy = "scale the data to a size of about one, lower C, or raise max_steps"
            warn_not_converged(self, remedy, f"{p.gap:.2g} from the optimum where {tol:.2g} is asked for")


def on_screen(steps, p, name, tol):
    """The same steps, and twice a second a line on the screen that says how far they are."""
    last = time.monotonic()
    for step in steps:
        if time.monotonic() - last > 0.5:
            last = time.monotonic()
            print(f"{name}: {p.n_steps} steps, violation {step.gap:.2g}, goal {tol:.2g}", file=sys.stderr, flush=True)
        yield step
