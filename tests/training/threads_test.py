import pytest
import torch

from linspector_allennlp.training.threads import num_threads_set_to


def test_the_number_of_threads_is_restored():
    before = torch.get_num_threads()
    with pytest.raises(RuntimeError), num_threads_set_to(before + 1):
        assert torch.get_num_threads() == before + 1
        raise RuntimeError
    assert torch.get_num_threads() == before
