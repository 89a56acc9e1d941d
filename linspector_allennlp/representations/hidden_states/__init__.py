"""The feature store: the hidden states that a model computed for a sentence, kept on the disk."""
