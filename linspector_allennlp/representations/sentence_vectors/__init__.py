"""Files with the vectors of sentences, by sentence or by number: the parts of `precomputed`."""
