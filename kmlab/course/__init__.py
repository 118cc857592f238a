"""What only the notebooks use: drawings, claims, errata, exercises and homework."""
