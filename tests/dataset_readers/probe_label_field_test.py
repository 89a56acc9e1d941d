from allennlp.data import Vocabulary

from linspector_allennlp.dataset_readers.probe_label_field import UNSEEN_LABEL, ProbeLabelField


def test_a_label_that_the_vocabulary_lacks_has_its_own_index():
    vocab = Vocabulary(counter={"labels": {"Partitive": 2, "Genitive": 1}})
    indices = []
    for label in ("Partitive", "Genitive", "Elative"):
        field = ProbeLabelField(label)
        field.index(vocab)
        indices.append(field.as_tensor({}).item())
    assert indices == [0, 1, UNSEEN_LABEL]
