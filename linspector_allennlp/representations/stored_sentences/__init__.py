"""What `precomputed` is made of: vectors by sentence or by index, in whatever format."""
