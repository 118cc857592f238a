"""Drawing functions, one file for each notebook: data and parameters in, artists out, a sentence back."""

from ... import show  # noqa: F401  first: without what pictures need, it says what to install
