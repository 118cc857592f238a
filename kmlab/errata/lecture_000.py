"""Slips of lecture 000 (Kwak, the nonlinear projection trick)."""

from . import by_eye

by_eye(
    "E-K20", "pages 5 and 8", 1, "N",
    printed="the Gram matrix is written with ⟨xᵢ, xⱼ⟩, and a point x is said to lie on the subspace P",
    corrected="its entries are ⟨φ(xᵢ), φ(xⱼ)⟩, and it is the image φ(x) that can lie on P",
)  # fmt: skip
