"""The fast form of F = Kb + q and its slopes to both sides while b changes: buffers, BLAS and plain floats."""

import numpy as np
from numpy import divide, fmax, square, subtract
from scipy.linalg.blas import daxpy, dger

FLAT = 1e-12  # a curvature below this counts as this: equal points have none, and (9) would divide by zero
NEAR = 1e-12  # a bound closer than this, relative to b and its step, is reached: the rest is rounding
MET = 1e-9  # slopes of a pair that are closer than this are equal, or rounding would decide who is next
ZERO, ONES, INF = np.array(0.0), np.ones(3), np.inf


class Slopes:
    """F = Kb + q, and of ½ bᵀKb + qᵀb + ε Σ|b_i| the slope up_i where b_i may rise and low_i where it may fall.

    At a bound that slope is ±∞; argmin_up and argmax_low are the steepest. |b| has a kink at zero, where the two slopes
    differ by 2ε; bottom_i and top_i say how far b_i may go before it meets a bound or the kink.
    """

    def __init__(self, K, q, lo, hi, b, eps):
        self.K, self.q, self.lo, self.hi, self.b, self.eps = K, q, lo, hi, b, eps
        slopes = np.empty((3, len(q)))
        self.F, self.up, self.low = slopes
        self._columns, self._gain, self._near, self._near_whom = slopes.T, np.empty(len(q)), np.empty(len(q)), None
        self._lo, self._hi = lo.tolist(), hi.tolist()
        self.bottom, self.top = (list(self._lo), list(self._hi)) if eps else (self._lo, self._hi)
        self._half = K.diag / 2
        self._flat = np.array(FLAT * max(1.0, float(self._half.max())))
        self._halves = np.array(2 * self._half[0]) if (self._half == self._half[0]).all() else None
        self.F[:] = q
        support = b.nonzero()[0]
        self.follow(support, b[support])

    def follow(self, index, change):
        """F and the slopes after b[index] has changed."""
        b, eps, F, n = self.b, self.eps, self.F, len(self.F)
        for row, c in zip(self.K.rows(index.tolist()), change.tolist(), strict=True):
            daxpy(row, F, n, c)
        self.up[:] = self.F + np.where(b >= 0, eps, -eps) if eps else self.F
        self.low[:] = self.F + np.where(b > 0, eps, -eps) if eps else self.F
        self.up[b >= self.hi] = INF
        self.low[b <= self.lo] = -INF
        self.argmin_up, self.argmax_low = int(self.up.argmin()), int(self.low.argmax())
        if eps:
            for t, bt in zip(index.tolist(), b[index].tolist(), strict=True):
                self._stop_at_kink(t, bt)

    def _stop_at_kink(self, t, b):
        lo, hi = self._lo[t], self._hi[t]
        self.bottom[t] = 0.0 if b > 0 > lo else lo
        self.top[t] = 0.0 if b < 0 < hi else hi

    def follow_pair(self, i, j, step, steepness):
        """The same after b_i has risen and b_j has fallen by step; -> by how much the objective falls.

        steepness is by how much the slopes of the two differed before.
        """
        F, up, low, b, eps, change = self.F, self.up, self.low, self.b, self.eps, self._gain
        subtract(self.K[i], self.K[j], change)
        dger(step, change, ONES, 1, 1, self._columns, 1, 1, 1)  # F, up and low += step * change, in place
        if not eps and abs(F.item(i) - F.item(j)) < MET * steepness:
            F[j] = F.item(i)
        for t in (i, j):
            bt, Ft = b.item(t), F.item(t)
            up[t] = Ft + (eps if bt >= 0 else -eps) if bt < self._hi[t] else INF
            low[t] = Ft + (eps if bt > 0 else -eps) if bt > self._lo[t] else -INF
            if eps:
                self._stop_at_kink(t, bt)
        self.argmin_up, self.argmax_low = int(up.argmin()), low.argmax()
        return step * (steepness - 0.5 * step * (change.item(i) - change.item(j)))

    def pairs(self, most, tol):
        """So many steps of SMO, or fewer where the gap falls below tol: the four verbs of Dual in one, to the bit."""
        K, F, up, low, b, eps = self.K, self.F, self.up, self.low, self.b, self.eps
        bottom, top, lo, hi, change = self.bottom, self.top, self._lo, self._hi, self._gain
        i, j = self.argmin_up, self.argmax_low
        for n in range(most + 1):
            E1 = up.item(i)
            if n == most or not low.item(j) - E1 >= tol:
                break
            j = int(self.gains(i).argmax())
            steep, bi, bj = low.item(j) - E1, b.item(i), b.item(j)
            step = min(steep / (2 * self._near.item(j)), top[i] - bi, bj - bottom[j])
            b[i] = bi = arrived(bi, step, top[i])
            b[j] = bj = arrived(bj, -step, bottom[j])
            subtract(K[i], K[j], change)
            dger(step, change, ONES, 1, 1, self._columns, 1, 1, 1)
            self.objective -= step * (steep - 0.5 * step * (change.item(i) - change.item(j)))
            Fi, Fj = F.item(i), F.item(j)
            if eps:
                up[i] = Fi + (eps if bi >= 0 else -eps) if bi < hi[i] else INF
                low[i] = Fi + (eps if bi > 0 else -eps)
                up[j] = Fj + (eps if bj >= 0 else -eps)
                low[j] = Fj + (eps if bj > 0 else -eps) if bj > lo[j] else -INF
                self._stop_at_kink(i, bi)
                self._stop_at_kink(j, bj)
            else:
                if abs(Fi - Fj) < MET * steep:
                    F[j] = Fj = Fi
                up[i], low[i] = Fi if bi < hi[i] else INF, Fi
                up[j], low[j] = Fj, Fj if bj > lo[j] else -INF
            i, j = int(up.argmin()), int(low.argmax())
        self.argmin_up, self.argmax_low = i, j
        self.n_steps += n

    def gains(self, i):
        """(low_j - up_i)²₊ / |φ_i - φ_j|² for every j, times two; (n,), overwritten by the next call."""
        gain = self._gain
        subtract(self.low, self.up[i, ...], gain)
        fmax(gain, ZERO, gain)
        square(gain, gain)
        return divide(gain, self._near if self._near_whom == i else self._half_distances2(i), gain)

    def distance2(self, i, j):
        """|φ_i - φ_j|², and of equal points as much as rounding would leave."""
        return 2 * (self._near if self._near_whom == i else self._half_distances2(i)).item(j)

    def _half_distances2(self, i):
        """|φ_i - φ_j|² / 2 for every j, kept until another i comes."""
        near, self._near_whom = self._near, i
        if self._halves is None:
            subtract(self._half, self.K[i], near)
            near += self._half[i, ...]
        else:  # images of one length, as a Gaussian's are
            subtract(self._halves, self.K[i], near)
        return fmax(near, self._flat, near)


def arrived(b, step, end):
    """b + step, or the end of the way exactly where only rounding is left of it."""
    new = b + step
    return end if abs(end - new) <= NEAR * (abs(b) + abs(step)) else new
