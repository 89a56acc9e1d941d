import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unscanned_objects() -> Iterator[None]:
    """
    In this block the garbage collector leaves alone what there is already. The instances of a task
    are a million small objects, and it would go through them again and again.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
