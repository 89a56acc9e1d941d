"""Files of word vectors, in whatever format, and the memory-mapped store that they are read into."""
