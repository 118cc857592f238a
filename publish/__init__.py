"""Web pages, slides, figures and stored output, made from the checkout of the course; no part of the wheel."""
