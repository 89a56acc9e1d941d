import pytest

from linspector_allennlp.tasks import pair_pool


@pytest.fixture(autouse=True, scope="module")
def all_candidates():
    """However small a task is, all pairs that can be drawn are kept."""
    before, pair_pool.ENOUGH = pair_pool.ENOUGH, 1000
    yield
    pair_pool.ENOUGH = before
