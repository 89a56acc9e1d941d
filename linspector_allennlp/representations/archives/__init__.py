"""The parts of `archive_layer`: a stranger's archive, its model, and a hook in it."""
