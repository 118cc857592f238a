"""For instructors: what runs a class on one machine. Not part of the kmlab package."""
