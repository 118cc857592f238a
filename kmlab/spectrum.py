"""The spectrum of a centred Gram matrix, from few of its columns where these are enough, and how a ridge shrinks it."""

import numpy as np

from . import _checks as check
from .centering import centered, seen_from
from .engine.cholesky import pairs_of, short_factor
from .engine.eigen import rounding, settle_signs
from .gram import LARGE, Gram, largest
from .kernels import Precomputed

FORMS = ("norm", "bach_jordan")
SHARE = 0.02  # the ridge, as a share of the variance in feature space, when none is given


def eigenpairs(X, kernel, center=True, name="X"):
    """Kc = U Λ Uᵀ as in NPT, from few columns of K where they are enough; (n, d) -> lam (r,), U (n, r)."""
    L, floor = short_factor(Gram(kernel, X).sparingly(), center)
    if L is None:
        K = kernel(X)
        lam, U = largest(centered(K) if center else K, floor=rounding(K))
    else:
        lam, U = pairs_of(L, floor=floor)
        U = settle_signs(U)
    if len(lam) == 0:
        raise ValueError(all_alike(name))
    return lam, U


def factor(X, kernel, name="X"):
    """L (n, r) with L Lᵀ = Kc, or None where no short one exists."""
    L, _ = short_factor(Gram(kernel, X).sparingly())
    if L is not None and L.shape[1] == 0:
        raise ValueError(all_alike(name))
    return L


def short(K):
    """The same of a Gram matrix of many points, centred or not; None for few points, or where no short one exists."""
    return short_factor(K.sparingly(), K.sums_to_zero)[0] if len(K) >= LARGE else None


def trace_of_product(K, M):
    """tr(K M) = Σ_ij K_ij M_ij of two Gram matrices, centred or not; from short factors K = AAᵀ, M = BBᵀ as |AᵀB|²."""
    if (A := short(K)) is not None and (B := short(M)) is not None:
        return float(((A.T @ B) ** 2).sum())
    return float(np.vdot(once(K), once(M)))


def once(K):
    """The whole of a Gram matrix, centred or not, for one use: nothing is kept."""
    G = K.K if K.sums_to_zero else K
    values = check.moderate(G.kernel(G.X))
    return centered(values) if K.sums_to_zero else values


def seen_from_mean(X, kernel, share):
    """K seen from m = Σ_j share_j φ_j, as UΛUᵀ; where all shares are 0, K itself. -> lam (r,), U (n, r), ⟨m, φ_i⟩ (n,)

    From few columns of K where these are enough.
    """
    if (L := short(Gram(kernel, X))) is not None:
        return *pairs_of(L - share @ L), L @ (share @ L)
    K = kernel(X)
    mean = share @ K
    return *largest(Gram(Precomputed(), seen_from(K, share, mean))), mean


def shrink(lam, kappa=None, form="norm"):
    """c (r,) with α = U c p: the functions Σ α_i k(·, x_i) whose penalised sum of squares is |p|²

    "norm"         αᵀ(K² + κK)α = |p|²      c = 1/√(λ(λ + κ))
    "bach_jordan"  |(K + κ/2) α|² = |p|²    c = 1/(λ + κ/2)
    """
    kappa = SHARE * lam.sum() if kappa is None else check.non_negative(kappa, "kappa")
    if check.one_of(form, FORMS, "form") == "norm":
        return 1 / (np.sqrt(lam) * np.sqrt(lam + kappa))
    return 1 / (lam + kappa / 2)


def shrunk(lam, U, kappa=None, form="norm"):
    """The values U Λ c of these functions on the sample; a correlation is a singular value of two such matrices."""
    return U * (lam * shrink(lam, kappa, form))


def all_alike(name):
    """What is said of a view without any variance."""
    return (
        f"The rows of {name} are all the same, or too close for this kernel to tell apart: nothing can depend on what "
        "does not vary. Vary or rescale the data, or choose another width."
    )
