import pytest

from linspector_allennlp.run_folders.probed_vectors import probed_vectors
from linspector_allennlp.run_folders.run_folder import RunFolder
from tests.run_folders.made_runs import made_run

WORDS = {"type": "word_vectors", "path": "fi.vec", "dimension": 300}
MODEL = {"type": "transformer_layer", "model": "bert", "layer": 4, "alone": False, "dimension": 384}


def facts(tmp_path, *representation, **record):
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    run = made_run(folder, representation=list(representation), **record)
    return probed_vectors(RunFolder.read(run).record)


@pytest.mark.parametrize(
    "representation, encoder, dimension",
    [
        ([WORDS], None, 300),
        ([WORDS, MODEL], None, 684),
        ([WORDS], {"type": "average"}, 300),
        ([WORDS], {"type": "random_bilstm", "dimension": 2048}, 2048),
        ([WORDS, {"type": "other"}], None, None),
        ([], None, None),
    ],
)
def test_the_dimension(tmp_path, representation, encoder, dimension):
    assert facts(tmp_path, *representation, encoder=encoder)["dimension"] == dimension


def test_a_word_alone_and_in_its_sentence(tmp_path):
    in_sentence = facts(tmp_path, MODEL)
    alone = facts(tmp_path, {**MODEL, "alone": True})
    other_layer = facts(tmp_path, {**MODEL, "layer": 5})
    static = facts(tmp_path, WORDS)
    assert (in_sentence["alone"], alone["alone"], static["alone"]) == (False, True, None)
    assert in_sentence["source"] == alone["source"] != other_layer["source"]
    assert len(in_sentence["source"]) == 12 and facts(tmp_path)["source"] is None
    # Words of one with a context and of one without: neither.
    assert facts(tmp_path, MODEL, {**MODEL, "alone": True})["alone"] is None
