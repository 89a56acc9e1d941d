import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands import probe_layers
from tests.commands.printed import printed


def describe_layers(*words):
    """What the command prints."""
    return printed(probe_layers, *words)


def rows(text):
    lines = text.split("\n\n")[0].splitlines()
    return {line.split()[0]: line.split(maxsplit=5)[1:] for line in lines[2:]}


def test_the_modules_of_a_tagger(tagger_run):
    text = describe_layers(tagger_run / "model.tar.gz", "--sentence", "Minä nousen junaan")
    table = rows(text)
    assert table["encoder"] == ["LstmSeq2SeqEncoder", "1×3×10", "1×3×9", "1", "output, input"]
    words = "text_field_embedder.token_embedder_tokens"
    assert table[words] == ["Embedding", "1×3×6", "1×3", "1", "output"]
    characters = "text_field_embedder.token_embedder_characters._embedding"
    assert table[characters] == ["TimeDistributed", "1×3×6×4", "1×3×6", "1", "–"]
    assert table["tag_projection_layer._module"][1:3] == ["3×5", "3×10"]
    assert "metrics" not in table
    assert text.endswith("Shapes for: Minä nousen junaan")


def test_words_that_the_model_knows(tagger_run):
    text = describe_layers(tagger_run, "--weights-file", "model_state_e1_b0.th")
    words = text.rpartition("Shapes for: ")[2].split()
    known = (tagger_run / "vocabulary/tokens.txt").read_text(encoding="utf-8").splitlines()
    assert len(words) == 4 and set(words) < set(known)


def test_wrong_arguments(tagger_run, tmp_path):
    with pytest.raises(ConfigurationError, match="--sentence: expected some words"):
        describe_layers(tagger_run, "--sentence", " ")
    for text in ("{", "[]", '{"upos_tags": 1}'):
        with pytest.raises(ConfigurationError, match="--extra-inputs: expected JSON like"):
            describe_layers(tagger_run, "--extra-inputs", text)
    with pytest.raises(ConfigurationError, match="SequenceTaggingDatasetReader takes no upos"):
        describe_layers(tagger_run, "--extra-inputs", '{"upos": "X"}')
    with pytest.raises(ConfigurationError, match="no_such_package cannot be imported"):
        describe_layers(tagger_run, "--package", "no_such_package")
    with pytest.raises(FileNotFoundError, match="nowhere: there is no such archive or run folder"):
        describe_layers(tmp_path / "nowhere")
