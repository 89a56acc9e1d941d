from xml.etree import ElementTree

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance
from allennlp.data.fields import MetadataField
from allennlp.predictors import Predictor

from linspector_allennlp.commands import probe_tree
from tests.commands.printed import parsed, printed


def arguments(*words):
    return parsed(probe_tree, *words)


def draw_trees(*words):
    """The lines that the command prints."""
    return printed(probe_tree, *words).splitlines()


class FakeReader:
    def __init__(self, ids):
        self.ids = ids
        self.num_read = 0

    def read(self, path):
        for sent_id in self.ids:
            self.num_read += 1
            yield Instance({"metadata": MetadataField({"sent_id": sent_id})})


class FakePredictor:
    """Takes all sentences to be chains of words; the gold trees are stars."""

    def __init__(self, ids=("dev.1", "dev.2", "dev.3")):
        self._dataset_reader = FakeReader(ids)
        self.predicted = []

    def predict_json(self, inputs):
        words = inputs["sentence"].split(" ")
        steps = range(len(words))
        edges = [[word - 1, word] for word in steps if word]
        return {"forms": words, "sent_id": "", "edges": edges,
                "distances": [[abs(a - b) for a in steps] for b in steps]}  # fmt: skip

    def predict_instance(self, instance):
        sent_id = instance["metadata"]["sent_id"]
        self.predicted.append(sent_id)
        gold = {
            "sent_id": sent_id,
            "gold_edges": [[0, 1], [0, 2], [0, 3]],
            "gold_distances": [[0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0]],
            "scored": [True, True, True, False],
        }
        return {**self.predict_json({"sentence": "Koira juoksi <kotiin> ."}), **gold}


@pytest.fixture
def predictor(monkeypatch):
    """What `use` was given last, in place of what is in an archive."""
    loaded = []

    def use(predictor):
        loaded.append(predictor)
        return predictor

    monkeypatch.setattr(Predictor, "from_path", lambda path: loaded[-1])
    use(FakePredictor())
    return use


@pytest.fixture
def treebank(fixtures):
    return fixtures / "raw" / "finnish-ud-dev.conllu"


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


def test_pictures_of_a_treebank(predictor, run, treebank, tmp_path, capsys):
    args = arguments(run, treebank, "-o", tmp_path / "new" / "trees", "--first", 2)
    args.func(args)
    folder = tmp_path / "new" / "trees"
    names = ["dev.1-distances", "dev.1-tree", "dev.2-distances", "dev.2-tree"]
    assert sorted(path.name for path in folder.iterdir()) == [f"{name}.svg" for name in names]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{folder / 'dev.1-tree.svg'}  UUAS 1/2"
    assert sorted(line.split("  ")[0] for line in lines) == [f"{folder / n}.svg" for n in names]
    texts = [element.text for element in ElementTree.parse(folder / "dev.2-tree.svg").iter()]
    assert {"dev.2", "UUAS 1/2", "Koira", "juoksi", "<kotiin>", "."} < set(texts)


def test_ten_by_default_and_no_more_read(predictor, run, treebank, tmp_path):
    fake = predictor(FakePredictor([f"dev.{number}" for number in range(50)]))
    lines = draw_trees(run, treebank, "-o", tmp_path, "--no-heat-maps")
    assert len(lines) == 10 == len(fake.predicted)
    assert fake._dataset_reader.num_read <= 11


def test_sentences_by_id(predictor, run, treebank, tmp_path):
    fake = predictor(FakePredictor())
    words = ["--no-heat-maps", "--format", "png", "--sentence", "dev.3", "dev.1"]
    lines = draw_trees(run, treebank, "-o", tmp_path, *words)
    assert [line.split()[0] for line in lines] == [
        str(tmp_path / f"dev.{number}-tree.png") for number in (1, 3)
    ]
    assert fake.predicted == ["dev.1", "dev.3"]
    assert (tmp_path / "dev.3-tree.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_id(predictor, run, treebank, tmp_path):
    words = [run, treebank, "-o", tmp_path / "trees", "--sentence", "dev.1", "dev.77"]
    with pytest.raises(ValueError, match=r"finnish-ud-dev.conllu: .* the sent_id dev\.77\."):
        draw_trees(*words)
    assert not list((tmp_path / "trees").iterdir())


def test_no_picture_replaces_another(predictor, run, treebank, tmp_path):
    predictor(FakePredictor(["a/b", "a:b", "", "A_B", ""]))
    lines = draw_trees(run, treebank, "-o", tmp_path / "trees", "--no-heat-maps")
    assert len({line.lower() for line in lines}) == 5 == len(list((tmp_path / "trees").iterdir()))
    assert str(tmp_path / "trees" / "sentence-3-tree.svg") in lines[2]


def test_a_text(predictor, run, tmp_path):
    lines = draw_trees(run, "--text", " Minä  nousen junaan ", "-o", tmp_path / "t")
    assert lines == [str(tmp_path / "t" / f"text-{kind}.svg") for kind in ("tree", "distances")]
    texts = [element.text for element in ElementTree.parse(lines[0]).iter()]
    assert {"Minä", "nousen", "junaan"} < set(texts) and "gold" not in texts


def test_a_probe_of_another_kind(predictor, run, treebank, tmp_path, monkeypatch):
    fake = predictor(FakePredictor())
    monkeypatch.setattr(fake, "predict_instance", lambda _: {"input": {}, "label": "Nom"})
    with pytest.raises(ValueError, match="distance_probe, .*, found a probe that gives input"):
        draw_trees(run, treebank, "-o", tmp_path)


def test_a_probe_that_is_not_of_syntax(train, treebank, tmp_path):
    """It is refused before its reader takes the treebank for a task file."""
    train("case_fin", trainer={"num_epochs": 1})
    with pytest.raises(ConfigurationError, match="run: a SingleFormProbe predicts no trees"):
        draw_trees(str(tmp_path / "run"), treebank, "-o", tmp_path / "trees")


def test_no_sentences(predictor, run, treebank, tmp_path):
    predictor(FakePredictor([]))
    with pytest.raises(ValueError, match="expected sentences, found none"):
        draw_trees(run, treebank, "-o", tmp_path)


def test_wrong_arguments(predictor, run, treebank, tmp_path, capsys):
    def draw(*words):
        return draw_trees(*words, "-o", tmp_path / "trees")

    with pytest.raises(ConfigurationError, match="a CoNLL-U file or --text"):
        draw(run)
    with pytest.raises(ConfigurationError, match="a CoNLL-U file or --text"):
        draw(run, treebank, "--text", "Minä nousen")
    with pytest.raises(ConfigurationError, match="--text: expected some words, found ' '"):
        draw(run, "--text", " ")
    with pytest.raises(ConfigurationError, match="--text has no ids"):
        draw(run, "--text", "Minä", "--sentence", "dev.1")
    with pytest.raises(FileNotFoundError, match="there is no such CoNLL-U file"):
        draw(run, tmp_path / "nothing.conllu")
    with pytest.raises(FileNotFoundError, match="there is no such archive or run folder"):
        draw(tmp_path / "nothing", treebank)
    assert not (tmp_path / "trees").exists()
    with pytest.raises(ConfigurationError, match="-o: expected a folder, found the file"):
        draw_trees(run, treebank, "-o", treebank)
    for words in (["--first", "0"], ["--format", "pdf"], ["--first", "2", "--sentence", "dev.1"]):
        with pytest.raises(SystemExit):
            arguments(run, treebank, "-o", tmp_path, *words)
    assert "expected a number from 1, found '0'" in capsys.readouterr().err
