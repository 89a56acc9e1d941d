"""Which words an instance asks of, by tensors and by the words themselves."""

import pytest
import torch
from allennlp.data import Batch, Vocabulary
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding

from linspector_allennlp.dataset_readers import (
    PairedFormsReader,
    PairedTokensReader,
    SingleFormReader,
    TokenInContextReader,
    TokenTagsReader,
)
from linspector_allennlp.models.rows import (
    OneForm,
    TokenAtIndex,
    TwoForms,
    TwoTokens,
    WordsOfSentence,
)
from linspector_allennlp.representations import CharNgramsEmbedder, WordFormIndexer
from tests.dataset_readers.small_treebank import write_conllu

INDEXERS = {"words": WordFormIndexer()}
TREEBANK = """
1   Koira   _  NOUN  _  Case=Nom  2  nsubj
2   nukkuu  _  VERB  _  _         0  root
3   talossa _  NOUN  _  Case=Ine  2  obl

1   Nuku    _  VERB  _  _         0  root
2   talossa _  NOUN  _  Case=Ine  1  obl
"""


def single(reader=None, **_):
    reader = reader or SingleFormReader(INDEXERS)
    return reader, [reader.text_to_instance(form) for form in ("talo", "talossa")]


def paired(**_):
    reader = PairedFormsReader(INDEXERS)
    return reader, [reader.text_to_instance("talo", "talot"), reader.text_to_instance("a", "bb")]


def token(**_):
    reader = TokenInContextReader(INDEXERS)
    rows = [(["Koira", "nukkuu", "."], 1), (["Nuku", "."], 0)]
    return reader, [reader.text_to_instance(*row) for row in rows]


def two_tokens(**_):
    reader = PairedTokensReader(INDEXERS)
    rows = [(["Koira", "nukkuu", "."], 1, ["Nuku", "."], 0), (["a", "b"], 0, ["c", "d", "e"], 2)]
    return reader, [reader.text_to_instance(*row) for row in rows]


def words(folder):
    reader = TokenTagsReader("Case", token_indexers=INDEXERS)
    return reader, list(reader.read(write_conllu(folder / "x.conllu", TREEBANK)))


# The rows, their instances, how many rows each has, and the words of x (and y).
KINDS = {
    "one form": (OneForm(), single, [1, 1], [["talo", "talossa"]]),
    "two forms": (TwoForms("x,y,x-y"), paired, [1, 1], [["talo", "a"], ["talot", "bb"]]),
    "a token": (TokenAtIndex(), token, [1, 1], [["nukkuu", "Nuku"]]),
    "two tokens": (TwoTokens("x,y"), two_tokens, [1, 1], [["nukkuu", "a"], ["Nuku", "e"]]),
    "words": (WordsOfSentence(), words, [2, 1], [["Koira", "talossa", "talossa"]]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_tensors_and_words_give_the_same_rows(kind, tmp_path):
    rows, make, lengths, asked = KINDS[kind]
    reader, instances = make(folder=tmp_path)
    for instance in instances:
        reader.apply_token_indexers(instance)
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(dimension=6)})
    assert [rows.num_rows(instance) for instance in instances] == lengths
    vectors = rows.represent_words(embedder, instances)
    forms = CharNgramsEmbedder(dimension=6)
    assert [each.tolist() for each in vectors] == [
        forms.embed_forms(each).tolist() for each in asked
    ]
    batch = Batch(instances)
    batch.index_instances(Vocabulary())
    tensors = batch.as_tensor_dict()
    inputs = [tensors[name] for name in rows.inputs]
    assert all(map(torch.equal, rows.represent(embedder, *inputs), vectors))
    assert rows.lengths(*inputs).tolist() == lengths
    assert rows.features(vectors, 1).shape == (sum(lengths), rows.feature_dim(6))


def test_an_embedder_that_takes_no_words():
    reader, instances = single(SingleFormReader())
    for instance in instances:
        reader.apply_token_indexers(instance)
    embedder = BasicTextFieldEmbedder({"tokens": Embedding(3, num_embeddings=5)})
    assert OneForm().represent_words(embedder, instances) is None


def test_gold_without_its_padding():
    places = torch.tensor([[2, 0, 1], [0, -1, -1]])
    rows, tokens = WordsOfSentence(), {}
    assert rows.flat(torch.tensor([[7, 8, 9], [5, 0, 0]]), tokens, places).tolist() == [7, 8, 9, 5]
    pairs = torch.arange(18).view(2, 3, 3)
    assert rows.flat(pairs, tokens, places).tolist() == [*range(9), 9]
    assert rows.flat(torch.ones(2, 3, dtype=torch.bool), tokens, places).shape == (4,)
    label = torch.tensor([3, 1])
    assert OneForm().flat(label, tokens) is label


def test_layers_that_are_mixed_later_stay_apart():
    """The head mixes x and y layer by layer, and only then takes their difference."""
    x, y = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 5.0]])
    assert TwoForms("x-y").features([x, y], 1).tolist() == [[-2, -3]]
    assert TwoForms("x-y").features([x, y], 2).tolist() == [[1, 2, 3, 5]]
