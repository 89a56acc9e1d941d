"""Training word vectors on text."""
