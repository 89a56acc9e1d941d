"""What `transformer_layer` is made of: a model's files, word pieces, pooling."""
