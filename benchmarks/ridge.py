"""Kernel ridge regression: the leave-one-out residuals for thirty values of λ, beside a grid search of scikit-learn.

scikit-learn's KernelRidge has no shortcut: leaving out each point would be n fits for every λ, so its grid search is
asked for five folds, a coarser answer at a small part of that price. kmlab's residuals are checked against KernelRidge
fitted without the point, and the choice of λ against the grid search's.
"""

import numpy as np
from sklearn.kernel_ridge import KernelRidge as Theirs
from sklearn.model_selection import GridSearchCV

from kmlab.kernels import Gaussian, median_width
from kmlab.regression import KernelRidge

from .data import curved_sheet
from .side_by_side import Case, Goal, Race

LAMS = np.geomspace(1e-3, 10, 30)


def cases(quick):
    for n in (1000,) if quick else (1000, 5000):
        for d in 2, 64:
            rounds = 1 if quick or n > 2000 else 3  # a grid search takes seconds
            yield Case(
                "ridge, leave-one-out path",
                f"n = {n}, d = {d}",
                Goal(mean=2, least=2),
                lambda n=n, d=d, rounds=rounds: path(n, d, rounds),
            )


def path(n, d, rounds=1):
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (n, 2)) if d == 2 else curved_sheet(n, d)[0]
    t = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.1 * rng.standard_normal(n)
    k = Gaussian(1.0 if d == 2 else median_width(X))
    ours = KernelRidge(k)
    search = GridSearchCV(Theirs(kernel="rbf", gamma=k.gamma), {"alpha": LAMS}, scoring="neg_mean_squared_error", cv=5)

    def agree(residuals, found):
        i, off = (residuals**2).mean(1).argmin(), 0.0
        for left in range(0, n, n // 3):
            rest = np.arange(n) != left
            missed = t[left] - Theirs(LAMS[i], kernel="rbf", gamma=k.gamma).fit(X[rest], t[rest]).predict(X[[left]])[0]
            off = max(off, abs(missed - residuals[i, left]))
        errors = (residuals[i] ** 2).mean(), -found.best_score_
        words = f"residuals {off:.0e}, errors {errors[0]:.4f} and {errors[1]:.4f}, "
        words += f"λ {LAMS[i]:.2g} and {found.best_params_['alpha']:.2g}"
        return words, bool(off < 1e-8)

    return Race(
        lambda: ours.loo_path(X, t, LAMS),
        {"grid search, 5 folds": lambda: search.fit(X, t)},
        agree,
        rounds=rounds,
    )
