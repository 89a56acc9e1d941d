import torch
from allennlp.data import Token, Vocabulary
from allennlp.data.fields import TextField
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations import FormEmbedder, WordFormIndexer


class Recorder(FormEmbedder):
    """Gives each form the vector (its length), and remembers what it was asked."""

    def __init__(self):
        super().__init__(1)
        self.asked = []

    def embed_forms(self, forms):
        self.asked += forms
        return [[len(form)] for form in forms]


forms = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30
)


@given(st.lists(st.lists(forms, min_size=1, max_size=5), min_size=1, max_size=5))
def test_words_reach_the_embedder_as_they_are_and_once(sentences):
    fields = [
        TextField([Token(form) for form in words], {"words": WordFormIndexer()})
        for words in sentences
    ]
    for field in fields:
        field.index(Vocabulary())
    lengths = [field.get_padding_lengths() for field in fields]
    padding = {key: max(length[key] for length in lengths) for key in lengths[0]}
    batch = fields[0].batch_tensors([field.as_tensor(padding) for field in fields])
    embedder = Recorder()
    embedded = embedder(batch["words"]["code_points"])
    assert sorted(embedder.asked) == sorted({form for words in sentences for form in words})
    longest = max(map(len, sentences))
    expected = [[len(form) for form in words] + [0] * (longest - len(words)) for words in sentences]
    assert torch.equal(embedded.squeeze(-1), torch.tensor(expected, dtype=torch.float32))


def test_padding_is_masked():
    from allennlp.nn.util import get_text_field_mask

    fields = [
        TextField([Token(form) for form in words], {"words": WordFormIndexer()})
        for words in (["a", "bc"], ["d"])
    ]
    for field in fields:
        field.index(Vocabulary())
    padding = {
        key: max(f.get_padding_lengths()[key] for f in fields)
        for key in fields[0].get_padding_lengths()
    }
    batch = fields[0].batch_tensors([field.as_tensor(padding) for field in fields])
    assert get_text_field_mask(batch).tolist() == [[True, True], [True, False]]
