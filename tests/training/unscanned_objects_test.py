import gc

import pytest

from linspector_allennlp.training.unscanned_objects import unscanned_objects


def test_what_there_is_is_left_alone_until_the_block_ends():
    gc.unfreeze()
    with pytest.raises(KeyError):
        with unscanned_objects():
            assert gc.get_freeze_count() > 1000
            raise KeyError
    assert gc.get_freeze_count() == 0
