import pytest

from linspector_allennlp.tasks import draw_pair_pool


@pytest.fixture(autouse=True, scope="module")
def all_candidates():
    """However small a task is, all pairs that can be drawn are kept."""
    before, draw_pair_pool.ENOUGH = draw_pair_pool.ENOUGH, 1000
    yield
    draw_pair_pool.ENOUGH = before
