"""Which data a run is trained, validated and tested on, and what it says of that."""

import json

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.dataset_readers import DependencyTreeReader, SingleFormReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.jsonnet import evaluate
from linspector_allennlp.run_folders.run_record import RunRecord
from linspector_allennlp.runs.data_sources import DataPaths, ScoredData, data_sources

PATHS = DataPaths("train", "dev", "test")


def sources(paths=PATHS, **settings):
    reader = SingleFormReader()
    return data_sources(paths, reader, reader, 13, **settings)


def paths_of(**settings):
    return {name: source.path for name, source in sources(**settings).items()}


def test_as_named():
    assert paths_of() == {"train": "train", "validation": "dev", "test": "test"}
    assert paths_of(paths=DataPaths("train")) == {"train": "train"}


def test_tested_on_validation_data():
    assert paths_of(tested_on="validation") == {
        "train": "train",
        "validation": "dev",
        "test": "dev",
    }
    held_out = paths_of(tested_on="validation", held_out=0.1)
    assert held_out == {"train": "train", "validation": "train", "test": "dev"}


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"tested_on": "dev"}, "tested_on: expected test or validation, found 'dev'"),
        ({"held_out": 0.0}, "held_out: expected between 0 and 1, found 0.0"),
        ({"held_out": 1.0}, "held_out: expected between 0 and 1, found 1.0"),
        ({"tested_on": "validation", "paths": DataPaths("a")}, "needs a validation_data_path"),
    ],
)
def test_mistakes(settings, message):
    with pytest.raises(ConfigurationError, match=message):
        sources(**settings)


def lines(source):
    return {metadata_of(instance)["line"] for instance in source.reader.read(source.path)}


def test_what_is_held_out_is_not_trained_on(fixtures):
    folder = fixtures / "type_level/Case/finnish"
    paths = DataPaths(str(folder / "train.txt"), str(folder / "dev.txt"))
    whole = lines(sources(paths=paths)["train"])
    found = sources(paths=paths, held_out=0.1)
    train, validation = lines(found["train"]), lines(found["validation"])
    assert not train & validation and train | validation == whole
    assert 0.05 * len(whole) < len(validation) < 0.15 * len(whole)
    # A share of what is left, with nothing of what is held out.
    part = sources(paths=paths, held_out=0.1, train_share=0.5)
    assert lines(part["validation"]) == validation
    assert lines(part["train"]) < train
    assert 0.4 * len(train) < len(lines(part["train"])) < 0.6 * len(train)


def test_a_run_says_what_its_scores_are_of(train, environment, fixtures, tmp_path):
    environment("Case")
    usual = train("syneval", "usual", trainer={"num_epochs": 2})
    changes = {"tested_on": "validation", "trainer": {"num_epochs": 2}}
    metrics = train("syneval", held_out=0.1, **changes)
    assert (
        metrics["num_test"] == usual["num_validation"] and usual["num_test"] != metrics["num_test"]
    )
    assert metrics["num_train"] + metrics["num_validation"] == usual["num_train"]
    folder = tmp_path / "run"
    provenance = json.loads((folder / "provenance.json").read_text())
    dev = str(fixtures / "type_level/Case/finnish/dev.txt")
    assert (provenance["tested_on"], provenance["held_out"]) == ("validation", 0.1)
    assert provenance["data"]["test"]["path"] == dev
    said = f"the test scores are those of the validation data, {dev}; the best epoch was chosen on 10 % of"
    assert any(said in warning for warning in provenance["warnings"])
    assert RunRecord.read(folder).tested_on == "validation"
    assert said in summarize([str(folder)])
    assert RunRecord.read(tmp_path / "usual").tested_on == "test"
    assert "tested_on" not in json.loads((tmp_path / "usual/provenance.json").read_text())
    # Without anything held out, the same data are chosen by and scored.
    both = train("syneval", "both", **changes)
    assert both["test_accuracy"] == both["best_validation_accuracy"]
    assert "makes the scores too good" in summarize([str(tmp_path / "both")])


def test_folds_have_no_test_file(train, environment):
    environment("Case")
    with pytest.raises(ConfigurationError, match="expected neither tested_on nor held_out"):
        train("syneval", held_out=0.1, folds={"type": "k_fold", "k": 3})


def test_what_is_said():
    assert ScoredData().warnings() == [] and ScoredData().settings() == {}
    assert ScoredData(held_out=0.2).settings() == {"held_out": 0.2}
    (warning,) = ScoredData("validation", "dev.txt", 0.25).warnings()
    assert warning == (
        "the test scores are those of the validation data, dev.txt; the best epoch was chosen on 25 % of the "
        "training data, held out"
    )


CONTROL = """
    local probe = import 'linspector/probe.libsonnet';
    local control = import 'linspector/control.libsonnet';
    control.of(probe.syneval {
      data: 'DATA', tested_on: std.extVar('tested_on'), held_out: 0.1,
      representation: { token_indexers: {}, text_field_embedder: {} },
    }, learnable=std.extVar('learnable'))
"""


def test_the_control_task_is_tested_on_the_same_data():
    learnable = evaluate(CONTROL, learnable=True, tested_on="validation")
    assert (learnable["tested_on"], learnable["held_out"]) == ("validation", 0.1)
    other = evaluate(CONTROL, learnable=False, tested_on="validation")
    assert other["test_data_path"] == "DATA/dev.txt" and other["tested_on"] == "test"
    assert other["validation_data_path"] == "DATA/train.txt" and other["held_out"] is None


def test_what_cannot_be_learned_is_validated_on_all_it_was_trained_on():
    """Its best validation accuracy is reported as the share of its training data that it memorised."""
    found = evaluate(CONTROL, learnable=False, tested_on="test")
    assert found["validation_data_path"] == "DATA/train.txt" and found["held_out"] is None
    assert (found["tested_on"], found["test_data_path"]) == ("test", "DATA/test.txt")
    assert evaluate(CONTROL, learnable=True, tested_on="test")["held_out"] == 0.1


def test_all_items_of_a_file_are_looked_at_where_some_are_held_out(train, environment, tmp_path):
    """A header is the first line of the file, in whichever part of it."""
    environment("Case")
    data = tmp_path / "data"
    data.mkdir()
    rows = [f"{'abcdefgh'[i % 8]}{i} {'XY'[i % 2]}\n".replace(" ", "\t") for i in range(60)]
    for name in ("train", "dev", "test"):
        (data / f"{name}.txt").write_text("Form\tCase\n" * (name == "train") + "".join(rows))
    paths = {
        f"{split}_data_path": str(data / f"{name}.txt")
        for split, name in [("train", "train"), ("validation", "dev"), ("test", "test")]
    }
    folders = []
    for seed in range(6):
        folders.append(f"seed{seed}")
        train("syneval", folders[-1], seed=seed, held_out=0.4, trainer={"num_epochs": 1}, **paths)
    for folder in folders:
        said = json.loads((tmp_path / folder / "provenance.json").read_text())["warnings"]
        assert any("looks like a header" in warning for warning in said), folder


def test_test_data_may_have_a_reader_of_their_own():
    own, other = SingleFormReader(), SingleFormReader()
    found = data_sources(PATHS, own, other, 13, transfer=True)
    assert [source.reader for source in found.values()] == [own, own, other]
    found = data_sources(PATHS, own, other, 13)
    assert [source.reader for source in found.values()] == [own, other, other]
    found = data_sources(PATHS, own, other, 13, transfer=True, train_share=0.5)
    assert found["train"].reader is not own and found["validation"].reader is own
    found = data_sources(PATHS, own, other, 13, transfer=True, held_out=0.5)
    assert found["validation"].path == "train" and found["test"].reader is other
    with pytest.raises(ConfigurationError, match="expected a validation_dataset_reader"):
        sources(transfer=True)


def test_parts_of_a_treebank_are_divided_in_one_way():
    paths = DataPaths(*(f"a.conllu#{part}/8:1:1" for part in ("train", "dev", "test")))
    readers = [DependencyTreeReader(max_length=most) for most in (50, 50, 40)]
    assert data_sources(paths, *readers[:2], seed=13)
    with pytest.raises(
        ConfigurationError, match="validation_dataset_reader: expected the min_length"
    ):
        data_sources(paths, *readers[1:], seed=13)
    assert data_sources(PATHS, *readers[1:], seed=13)
