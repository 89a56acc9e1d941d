"""Tasks of whole sentences."""
