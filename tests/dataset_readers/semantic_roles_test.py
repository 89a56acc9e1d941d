import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader
from allennlp.data.data_loaders import MultiProcessDataLoader

from linspector_allennlp.dataset_readers import SemanticRolesReader
from linspector_allennlp.fields import labels_of, metadata_of, text_of
from tests.downstream.role_lines import block

TEXT = (
    block(("Nainen", "_", "A0", "_"), ("osti", "ostaa.01", "_", "A0|A1"), ("nukkui", "nukkua.02", "-", "_"))
    + block(("Ei", "_"))
    + block(("Nukkui", "nukkua.02", "_"))
)  # fmt: skip


def reader(**settings):
    return DatasetReader.from_params(Params({"type": "semantic_roles", **settings}))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    return str(tmp_path / "x.txt")


def test_an_instance_for_each_predicate(path):
    roles = reader()
    first, second, third = roles.read(path)
    assert [token.text for token in text_of(first).tokens] == ["Nainen", "osti", "nukkui"]
    assert first["predicate_flags"].tensor.tolist() == [0, 1, 0]
    assert second["predicate_flags"].tensor.tolist() == [0, 0, 1]
    assert labels_of(first) == ["A0", "O", "O"] and labels_of(second) == ["O", "A0|A1", "O"]
    facts = metadata_of(second)
    assert facts["roles"] == ["_", "A0|A1", "_"], "as the file has them"
    assert (facts["predicate"], facts["sense"], facts["sentence"]) == (2, "nukkua.02", 0)
    assert facts["input"] == {"sentence": "Nainen osti nukkui", "predicate": 2}
    assert (facts["lines"], facts["file"]) == ([1, 2, 3], path)
    assert [metadata_of(each)["line"] for each in (first, second, third)] == [2, 3, 7]
    assert metadata_of(third)["sentence"] == 2
    assert roles.left_out == {"without a predicate": 1}


def test_words_alone():
    instance = reader().text_to_instance(["Nainen", "osti"])
    assert instance["predicate_flags"].tensor.tolist() == [0, 0]
    assert "labels" not in instance.fields and metadata_of(instance)["predicate"] is None
    with pytest.raises(ValueError, match="predicate: expected a number from 0 to 1, .* found 2"):
        reader().text_to_instance(["Nainen", "osti"], 2)


def test_a_file_without_predicates(tmp_path):
    (tmp_path / "x.txt").write_text(block(("Ei", "_")))
    with pytest.raises(ValueError, match="x.txt: expected predicates .Y as FILLPRED., found none"):
        list(reader().read(str(tmp_path / "x.txt")))


def test_a_role_of_the_name_of_none(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text(block(("osti", "ostaa.01", "_"), ("kirjan", "_", "O")), encoding="utf-8")
    with pytest.raises(ValueError, match="x.txt, line 2: expected a role, or _ for none; O is"):
        list(reader().read(path))


def test_several_processes(path):
    loader = MultiProcessDataLoader(SemanticRolesReader(), path, batch_size=1, num_workers=2)
    assert sorted(metadata_of(each)["line"] for each in loader.iter_instances()) == [2, 3, 7]
