"""The parts of `transformer_layer`: a model's files, and the pieces of words."""
