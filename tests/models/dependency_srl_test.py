import math
from copy import deepcopy

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.models import Model

from linspector_allennlp.dataset_readers import CharacterNgramsIndexer, SemanticRolesReader

SENTENCES = [
    (["Nainen", "osti", "kirjan"], 1, ["A0", "_", "A1"]),
    (["Koira", "nukkui"], 1, ["A0", "_"]),
    (["Nainen", "sanoi", "koiralle", "kirjan"], 1, ["A0", "_", "A2", "A1|A3"]),
]
ENCODER = {"type": "lstm", "hidden_size": 4, "bidirectional": True}
MODELS = {
    "dependency_srl": {
        "text_field_embedder": {
            "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 6}}
        }
    },
    "char_trigram_srl": {"word_dim": 6, "ngram_dim": 3, "hidden_dim": 4},
}


def made(kind, sentences=SENTENCES, **settings):
    """A model over a vocabulary of `SENTENCES`, and a batch."""
    indexer = SingleIdTokenIndexer() if kind == "dependency_srl" else CharacterNgramsIndexer()
    reader = SemanticRolesReader(token_indexers={"tokens": indexer})
    known, instances = (
        [reader.text_to_instance(*sentence) for sentence in each] for each in (SENTENCES, sentences)
    )
    for instance in known + instances:
        reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances(known)
    params = Params(deepcopy({"type": kind, "encoder": ENCODER, **MODELS[kind], **settings}))
    model = Model.from_params(params, vocab=vocab).eval()
    batch = Batch(instances)
    batch.index_instances(vocab)
    return model, batch.as_tensor_dict()


@pytest.mark.parametrize("kind", MODELS)
def test_loss_and_scores_by_hand(kind):
    model, batch = made(kind)
    output = model(**batch)
    roles = model.vocab.get_index_to_token_vocabulary("labels")
    indices = model.vocab.get_token_to_index_vocabulary("labels")
    loss = right = predicted = 0
    for row, (words, _, gold) in enumerate(SENTENCES):
        for word in range(len(words)):
            logits = output["logits"][row, word].tolist()
            label = "O" if gold[word] == "_" else gold[word]
            loss += math.log(sum(map(math.exp, logits))) - logits[indices[label]]
            best = roles[max(roles, key=lambda index: logits[index])]
            assert best == output["roles"][row][word]
            parts = set() if best == "O" else set(best.split("|"))
            predicted += len(parts)
            right += len(parts & set(label.split("|")) - {"O"})
        assert len(output["roles"][row]) == len(words)
    assert output["loss"].item() == pytest.approx(loss / 3, rel=1e-4), "a sum over a sentence"
    metrics = model.get_metrics(reset=True)
    assert metrics["role_f1"] == pytest.approx(2 * right / (predicted + 7))
    assert model.get_metrics()["role_f1"] == 0


@pytest.mark.parametrize("kind", MODELS)
def test_alone_and_in_a_batch(kind):
    model, batch = made(kind)
    together = model(**batch)["logits"]
    for row, sentence in enumerate(SENTENCES):
        copy, single = made(kind, [sentence])
        copy.load_state_dict(model.state_dict())
        alone = copy(**single)["logits"]
        assert torch.allclose(alone[0], together[row, : len(sentence[0])], atol=1e-5)


@pytest.mark.parametrize("kind", MODELS)
def test_the_flag_is_seen(kind):
    sentences = [(SENTENCES[0][0], predicate, None) for predicate in (0, 2, None)]
    model, batch = made(kind, sentences)
    output = model(**batch)
    first, second, without = output["logits"]
    assert not torch.allclose(first, second) and not torch.allclose(first, without)
    assert "loss" not in output and "role_f1" in model.get_metrics()
    readable = model.make_output_human_readable(output)
    assert readable["predicate"] == [0, 2, None] and "gold_roles" not in readable
    assert readable["forms"][0] == ["Nainen", "osti", "kirjan"]


def test_a_role_that_training_does_not_have():
    """It is no part of the loss, and an error in the score."""
    model, batch = made("dependency_srl", [(["Nainen", "osti"], 1, ["A9", "_"])])
    output = model(**batch)
    known = torch.log_softmax(output["logits"][0, 1], 0)[model.vocab.get_token_index("O", "labels")]
    assert output["loss"].item() == pytest.approx(-known.item(), rel=1e-5)
    assert model.get_metrics()["role_recall"] == 0


@pytest.mark.parametrize("kind", MODELS)
def test_senses_are_no_part_of_the_score(kind):
    """The model predicts none: that of a predicate changes no score, and no setting counts it."""
    model, batch = made(kind)
    for facts in batch["metadata"]:
        facts["sense"] = "osta.01"
    model(**batch)
    assert model._scores.counts.labelled.gold == 7, "the arguments alone"
    with pytest.raises(ConfigurationError, match="senses"):
        made(kind, senses=True)


@pytest.mark.parametrize("kind", MODELS)
def test_matrices_are_orthogonal(kind):
    model, _ = made(kind)
    parts = [model.encoder, model.projection]
    if kind == "char_trigram_srl":
        parts += [model.words.lstm, model.words.forward_weights, model.words.backward_weights]
    for part in parts:
        for matrix in (each for each in part.parameters() if each.dim() == 2):
            rows, columns = matrix.shape
            product = matrix @ matrix.T if rows <= columns else matrix.T @ matrix
            assert torch.allclose(product, torch.eye(min(rows, columns)), atol=1e-5)
    assert not model.projection.bias.any()


def test_trigrams_of_a_word_alone():
    """A word has the same vector in any sentence, and by itself."""
    model, batch = made("char_trigram_srl")
    in_sentence = model.vectors(batch["tokens"])
    copy, alone = made("char_trigram_srl", [(["kirjan"], None, None)])
    copy.load_state_dict(model.state_dict())
    vector = copy.vectors(alone["tokens"])[0, 0]
    assert vector.shape == (6,)
    assert torch.allclose(vector, in_sentence[0, 2], atol=1e-6)
    assert torch.allclose(vector, in_sentence[2, 3], atol=1e-6)


def test_other_words_than_trigrams():
    model, _ = made("char_trigram_srl")
    _, batch = made("dependency_srl")
    with pytest.raises(
        ConfigurationError, match="expected a token indexer of type character_ngrams"
    ):
        model(**batch)
