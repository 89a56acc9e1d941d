from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def num_threads_set_to(num_threads: int) -> Iterator[None]:
    """Torch works on so many threads inside the block, and on as many as before after it."""
    before = torch.get_num_threads()
    torch.set_num_threads(num_threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
