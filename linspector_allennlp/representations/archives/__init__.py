"""What `archive_layer` is made of: a stranger's archive, its model, and a hook in it."""
