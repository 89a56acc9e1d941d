import io
import os
import pickle

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.vector_files.inert_pickle import (
    InertObject,
    InertUnpickler,
)


def load(content):
    return InertUnpickler(io.BytesIO(content)).load()


class Malicious:
    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("function", [os.system, eval, getattr, np.load, pickle.loads])
def test_a_program_is_refused_and_not_run(tmp_path, monkeypatch, protocol, function):
    monkeypatch.chdir(tmp_path)
    content = pickle.dumps(Malicious(function, "open('evidence', 'w')"), protocol)
    with pytest.raises(pickle.UnpicklingError, match="a pickle with .*, which was not loaded"):
        load(content)
    assert not list(tmp_path.iterdir())


def test_names_with_points_are_refused():
    content = pickle.dumps(KeyedVectors.save, 4)  # `KeyedVectors.save` of an allowed module
    with pytest.raises(pickle.UnpicklingError, match="KeyedVectors.save, which was not loaded"):
        load(content)


def test_not_even_numpy_is_called():
    array = load(pickle.dumps(np.arange(3.0), 4))
    assert isinstance(array, InertObject) and type(array).__name__ == "_reconstruct"
    assert array.state[1] == (3,) and isinstance(array.state[2], InertObject)
    assert array.state[4] == np.arange(3.0).tobytes()


def test_a_class_cannot_be_changed():
    change = b"\x80\x02cgensim.models.keyedvectors\nKeyedVectors\nN}X\1\0\0\0xK\1s\x86b."
    with pytest.raises(TypeError):
        load(change)
    assert not hasattr(InertObject, "x") and not hasattr(KeyedVectors, "x")


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_call_nothing(content):
    try:
        made = load(b"\x80\x04" + content)
    except Exception as error:  # noqa: BLE001
        assert not isinstance(error, AssertionError)
    else:
        assert type(made).__module__ in ("builtins", InertObject.__module__)
