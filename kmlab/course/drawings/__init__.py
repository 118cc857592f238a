"""Drawing functions, one file for each notebook: data and parameters in, artists out, a sentence back."""
