"""What only the notebooks use: drawings, experiments and samples, claims, errata, exercises and homework."""
