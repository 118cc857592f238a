"""The fast form of solving the dual pair by pair: all variables between their bounds at once, by Newton's method."""

import numpy as np
from scipy.linalg.blas import dger
from scipy.linalg.lapack import dpotrf, dpotri

RIDGE = 1e-10  # share of the mean diagonal that makes a singular system solvable
PAUSE = 20  # pairs between two Newton steps, or half as many as there are free variables if these are more
MOST_FREE = 2000  # with more free variables than this, a Newton step costs more than the pairs it saves


def pause_after(block):
    """How many pairs come before the next Newton step."""
    return max(PAUSE, len(block) // 2)


def newton_step(p):
    """K_AA d = -g - ν1 with Σ d = 0 on the free variables A of the Dual p; -> A, or nothing if no step was taken.

    Up to the first bound; who meets it stays there, and the rest go on.
    """
    A, eps = p.free, p.eps
    if not 2 <= len(A) <= MOST_FREE:
        return A[:0]
    before, ends = p.b[A], np.array([p.lo[A], p.hi[A]])
    if eps:  # no b changes its sign
        ends = np.where(before * ends < 0, 0, ends)
    M = np.array([row.take(A) for row in p.K.rows(A.tolist())])
    M.flat[:: len(A) + 1] += RIDGE * abs(M.trace()) / len(A)
    N = inverse(M)
    if N is None:
        return A[:0]
    g = p.F[A] + eps * np.sign(before)
    x = descend(N, g, before, ends)
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


@np.errstate(divide="ignore")
def descend(N, g, start, ends):
    """Where all variables rest or have met one of their ends (2, m), from a start with the gradient g; (m,).

    T holds N = K_AA⁻¹ and, below, u = N g and v = N 1:  d = (Σu / Σv) v - u                       (SMO.5)
    One elimination takes the variable at its bound out of N, u and v                              (SMO.6)
    """
    one, x = np.ones(len(g)), start.copy()
    T = np.concatenate([N, [g @ N, one @ N]])
    u, v = T[-2:]
    for _ in range(len(g) - 1):
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
    x[k] = min(max(x[k] - (x - start).sum(), ends[0, k]), ends[1, k])
    return x


def inverse(M):
    """M⁻¹ of a positive definite M, None of another."""
    L, failed = dpotrf(M, lower=1)
    if failed:
        return None
    N, _ = dpotri(L, lower=1)
    N = N + N.T  # only the lower half was filled
    N.flat[:: len(M) + 1] /= 2
    return N
