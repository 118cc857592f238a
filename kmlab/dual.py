"""The one quadratic program behind every margin method, and the one solver for it.

    min  ½ bᵀKb + qᵀb + ε Σ|b_i|     with  Σ b_i fixed  and  lo_i ≤ b_i ≤ hi_i                   (DUAL.1)

               q           bounds of b          Σ b     ε
    SVC       -y           from 0 to C y         0      0       b_i = y_i α_i carries the sign of its label
    SVR       -t           -C ... C              0      > 0     one b_i for the two multipliers of a point
    one-class  0           0 ... 1              ν n     0
    sphere    -k(x,x)/2    0 ... C               1      0

Sequential minimal optimization moves two variables at a time and soon knows which of them end at a bound. On the rest
the problem is a linear system, so now and then all free variables are solved for at once, up to the first bound.
J. Platt, Fast training of SVMs using sequential minimal optimization, 1999; R.-E. Fan, P.-H. Chen, C.-J. Lin, Working
set selection using second order information for training SVMs, JMLR 6, 2005.  Pages 004/s10-15.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import daxpy, dger
from scipy.linalg.lapack import dpotrf, dpotri

from .gram import Gram
from .kernels import Precomputed

FLAT = 1e-12  # a curvature below this counts as this: equal points have none, and (9) would divide by zero
NEAR = 1e-12  # a bound closer than this, relative to b and its step, is reached: the rest is rounding
MET = 1e-9  # slopes of a pair that are closer than this are equal, or rounding would decide who is next
RIDGE = 1e-10  # share of the mean diagonal that makes a singular system solvable
PAUSE = 20  # pairs between two Newton steps, or half as many as there are free variables if these are more
MOST_FREE = 2000  # with more free variables than this, a Newton step costs more than the pairs it saves


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


class Dual:
    """(DUAL.1) and where its solution stands: b, the gradient F = Kb + q, and the slopes to both sides of every b_i."""

    def __init__(self, K, q, lo, hi, b=None, eps=0.0):
        self.K = Gram(Precomputed(), K) if isinstance(K, np.ndarray) else K
        self.q, self.lo, self.hi, self.eps = (*(np.array(v, dtype=float) for v in (q, lo, hi)), float(eps))
        self.b = np.zeros(len(q)) if b is None else np.array(b, dtype=float)
        self.slopes = np.empty((3, len(q)))
        self.F, self.up, self.low = self.slopes
        self.F[:] = q
        support = self.b.nonzero()[0]
        self.follow(support, self.b[support])
        self.objective, self.n_steps, self.converged = self.value(), 0, False

    def value(self):
        return float(0.5 * self.b @ (self.F + self.q) + self.eps * np.abs(self.b).sum())  # (DUAL.1)

    def follow(self, index, change):
        """F after b[index] has changed, and the slopes where b may rise (up) and where it may fall (low)."""
        for row, c in zip(self.K.rows(index.tolist()), change.tolist(), strict=True):
            daxpy(row, self.F, a=c)
        b, eps = self.b, self.eps
        self.up[:] = self.F + np.where(b >= 0, eps, -eps) if eps else self.F
        self.low[:] = self.F + np.where(b > 0, eps, -eps) if eps else self.F
        self.up[b >= self.hi] = np.inf
        self.low[b <= self.lo] = -np.inf

    @property
    def gap(self):
        """max low - min up: at the optimum no pair gains by moving, and this is not positive      (DUAL.2)"""
        return float(self.low.max() - self.up.min())

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


def smo(p, tol=1e-3, max_steps=100_000, newton=True, trace=True):
    """Sequential minimal optimization of the Dual p in place; yields every step, or now and then if not traced.

    i = argmin up                                        (SMO.1)   the steepest way up
    j = argmax (low_j - up_i)²₊ / |φ_i - φ_j|²           (SMO.2)   the partner with the largest gain
    b_j ← b_j - (E2 - E1) / |φ_i - φ_j|²                 (SMO.3)   E1 = up_i, E2 = low_j: (9) of 004/s14
    clipped to [lo, hi], b_i ← b_i + b_j(old) - b_j      (SMO.4)   the sum stays: (13)
    """
    K, b, eps, half, F, up, low = p.K, p.b, p.eps, p.K.diag / 2, p.F, p.up, p.low
    lo, hi = p.lo.tolist(), p.hi.tolist()
    zero, flat = np.array(0.0), np.array(FLAT * max(1.0, float(half.max())))  # arrays: numpy takes them faster
    gain, curvature = np.empty_like(b), np.empty_like(b)
    wait = PAUSE
    while True:
        i = int(up.argmin())  # (SMO.1)
        Ki, E1 = K[i], up.item(i)
        np.subtract(half, Ki, out=curvature)
        curvature += half.item(i)  # |φ_i - φ_j|² / 2
        np.maximum(curvature, flat, out=curvature)
        np.subtract(low, E1, out=gain)
        np.maximum(gain, zero, out=gain)
        gain *= gain
        gain /= curvature
        j = int(gain.argmax())  # (SMO.2)
        E2, c = low.item(j), 2 * curvature.item(j)
        if E2 - E1 < tol and low.max() - E1 < tol:
            p.converged = True
            return
        if p.n_steps >= max_steps:
            return
        bi, bj = b.item(i), b.item(j)
        top = 0.0 if eps and bi < 0 < hi[i] else hi[i]  # |b| has a kink at zero: stop there
        bottom = 0.0 if eps and bj > 0 > lo[j] else lo[j]
        new = bj - (E2 - E1) / c  # (SMO.3)
        step = min(bj - new, top - bi, bj - bottom)
        b[i] = top if top - bi - step <= NEAR * (abs(bi) + step) else bi + step  # (SMO.4)
        b[j] = bottom if bj - step - bottom <= NEAR * (abs(bj) + step) else bj - step
        if trace:  # the segment of 004/s15, on which both stay within their bounds
            ends, gap = (max(bottom, bi + bj - top), min(hi[j], bi + bj - lo[i])), float(low.max()) - E1
        np.subtract(Ki, K[j], out=gain)
        for slope in (F, up, low):
            daxpy(gain, slope, a=step)
        if not eps and abs(F.item(i) - F.item(j)) < MET * (E2 - E1):
            F[j] = F.item(i)
        for t in (i, j):
            bt, Ft = b.item(t), F.item(t)
            up[t] = Ft + (eps if bt >= 0 else -eps) if bt < hi[t] else np.inf
            low[t] = Ft + (eps if bt > 0 else -eps) if bt > lo[t] else -np.inf
        p.objective -= step * (E2 - E1 - 0.5 * step * (gain.item(i) - gain.item(j)))
        p.n_steps += 1
        if trace:
            yield PairStep(i, j, E1, E2, c, *ends, new, b.item(j), gap, p.objective, b.copy())
        wait -= 1
        if wait == 0:
            gap, block = p.gap, newton_step(p) if newton else ()
            wait = max(PAUSE, len(block) // 2)
            if len(block) or not trace:
                yield BlockStep(block, gap, p.objective, b.copy())


@np.errstate(divide="ignore")
def newton_step(p):
    """K_AA d = -g - ν1 with Σ d = 0 on the free variables A, up to the first bound; that one stays, the rest go on.

    T holds N = K_AA⁻¹ and, below, u = N g and v = N 1:  d = (Σu / Σv) v - u                       (SMO.5)
    One elimination takes the variable at its bound out of N, u and v                              (SMO.6)
    """
    A, eps = p.free, p.eps
    if not 2 <= len(A) <= MOST_FREE:
        return A[:0]
    before, ends = p.b[A], np.array([p.lo[A], p.hi[A]])
    if eps:  # no b changes its sign
        ends = np.where(before * ends < 0, 0, ends)
    M = np.array([row.take(A) for row in p.K.rows(A.tolist())])
    M.flat[:: len(A) + 1] += RIDGE * abs(M.trace()) / len(A)
    N = _inverse(M)
    if N is None:
        return A[:0]
    g, one, x = p.F[A] + eps * np.sign(before), np.ones(len(A)), before.copy()
    T = np.concatenate([N, [g @ N, one @ N]])
    u, v = T[-2:]
    for _ in range(len(A) - 1):
        d = v * (one.dot(u) / one.dot(v)) - u  # (SMO.5)
        room = np.maximum(*((ends - x) / d))  # of the two bounds, the one ahead
        i = int(room.argmin())
        if room.item(i) >= 1:
            x += d
            break
        d *= room.item(i)
        x += d
        x[i] = ends.item(int(d.item(i) > 0), i)
        ends[:, i] = -np.inf, np.inf
        u += d
        dger(-1.0, T[i] / T[i, i], T[:, i], a=T.T, overwrite_a=1)  # (SMO.6)
    room = np.where(v == 0, 0, np.minimum(*np.abs(ends - x)))
    k = int(room.argmax())  # where is most room, rounding in Σ d is put right
    x[k] = min(max(x[k] - (x - before).sum(), ends[0, k]), ends[1, k])
    d = x - before
    slope, bend = float(g @ d), float(d @ M @ d)
    if not slope < 0:
        return A[:0]
    if bend > -slope:  # after much rounding in N the way is still right, its length is not
        x = before - slope / bend * d
    p.b[A] = x
    p.follow(A, x - before)
    p.objective = p.value()
    return A


def working_sets(p, size, tol=1e-3, max_steps=10_000):
    """The size/2 steepest ways up and down are solved exactly, the rest stays: (5)-(8) of 004/s12  (SMO.7)"""
    while (gap := p.gap) >= tol and p.n_steps < max_steps:
        half, unit = max(1, size // 2), MET * gap  # slopes that differ by less are equal: the lower index comes first
        steepest = [np.argsort(np.round(slope / unit), kind="stable")[:half] for slope in (p.up, -p.low)]
        B = np.unique(np.concatenate(steepest))  # (SMO.7)
        K, before = np.array([row[B] for row in p.K.rows(B.tolist())]), p.b[B]
        part = Dual(K, p.F[B] - K @ before, p.lo[B], p.hi[B], before, p.eps)
        for _ in smo(part, tol / 10, trace=False):
            pass
        p.b[B] = part.b
        p.follow(B, part.b - before)
        p.objective, p.n_steps = p.value(), p.n_steps + 1
        yield BlockStep(B, gap, p.objective, p.b.copy())
    p.converged = gap < tol


def _inverse(M):
    L, failed = dpotrf(M, lower=1)
    if failed:
        return None
    N, _ = dpotri(L, lower=1)
    N = N + N.T  # only the lower half was filled
    N.flat[:: len(M) + 1] /= 2
    return N
