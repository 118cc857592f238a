"""Feature maps written out against the kernels they belong to."""

import numpy as np
import pytest
from tolerances import EXACT, close

from kmlab.features import hom2_map, poly2_map, stack_maps, tensor_maps
from kmlab.kernels import Linear, Polynomial

MAPS = {
    "poly2": (poly2_map, Polynomial(2, 1.0)),
    "hom2": (hom2_map, Polynomial(2, 0.0)),
    "stack": (stack_maps(hom2_map, poly2_map, np.asarray), Polynomial(2, 0.0) + Polynomial(2, 1.0) + Linear()),
    "tensor": (tensor_maps(np.asarray, hom2_map, poly2_map), Linear() * Polynomial(2, 0.0) * Polynomial(2, 1.0)),
}


# definition


def test_maps_are_what_the_slides_print():
    close(poly2_map([[3.0, 5.0]]), [[1, 3 * 2**0.5, 5 * 2**0.5, 9, 25, 15 * 2**0.5]], EXACT)
    assert np.array_equal(hom2_map([[3.0, 5.0]]), [[9, 15, 15, 25]])
    assert np.array_equal(stack_maps(hom2_map, np.asarray)([[3.0, 5.0]]), [[9, 15, 15, 25, 3, 5]])
    close(tensor_maps(np.asarray, poly2_map)([[3.0, 5.0]])[0], np.kron([3, 5], poly2_map([[3.0, 5.0]])[0]), EXACT)


@pytest.mark.parametrize("d, size", [(1, 3), (2, 6), (3, 10)])
def test_maps_have_the_dimension_that_they_say(d, size):
    X = np.ones((4, d))
    assert poly2_map(X).shape == (4, size) and hom2_map(X).shape == (4, d * d)


# theorem


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_inner_products_of_images_are_the_kernel(name, d):
    phi, kernel = MAPS[name]
    rng = np.random.default_rng(d)
    X, Z = rng.standard_normal((7, d)), rng.standard_normal((5, d))
    close(phi(X) @ phi(Z).T, kernel(X, Z), EXACT)


# refusal


@pytest.mark.parametrize("combine", [stack_maps, tensor_maps])
@pytest.mark.parametrize("maps", [(), (poly2_map, "poly2")])
def test_combining_nothing_or_a_name_is_refused(combine, maps):
    with pytest.raises(TypeError, match="at least one"):
        combine(*maps)
