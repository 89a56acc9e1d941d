import torch

from linspector_allennlp.modules.trigram_words import TrigramWords


def test_the_weighted_sum_of_the_last_states():
    module = TrigramWords(num_ngrams=9, ngram_dim=3, hidden_dim=4, word_dim=5)
    words = torch.tensor([[[2, 3, 4], [5, 6, 0]], [[2, 3, 4], [0, 0, 0]]])
    vectors = module(words)
    assert vectors.shape == (2, 2, 5)
    lstm = module.lstm._module
    for place, ngrams in (((0, 0), [2, 3, 4]), ((0, 1), [5, 6]), ((1, 0), [2, 3, 4])):
        # Each word by itself, without padding and without AllenNLP.
        _, (states, _) = lstm(module.ngrams(torch.tensor([ngrams])))
        forward, backward = states[0, 0], states[1, 0]
        expected = (
            module.forward_weights.weight @ forward
            + module.backward_weights.weight @ backward
            + module.forward_weights.bias
        )
        assert torch.allclose(vectors[place], expected, atol=1e-6)


def test_a_word_that_comes_again_is_composed_once():
    module = TrigramWords(num_ngrams=9, ngram_dim=3, hidden_dim=4, word_dim=5)
    seen = []
    module.lstm.register_forward_hook(lambda _, inputs, __: seen.append(len(inputs[0])))
    module(torch.tensor([[[2, 3], [4, 5], [2, 3], [2, 3]]]))
    assert seen == [2]
