"""The feature store: what a model computed for a sentence, kept on the disk."""
