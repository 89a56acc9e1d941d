"""A probe from Python, in the ten lines that the docs have."""

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite import Job, probe_config, representation
from linspector_allennlp.suite.job import control_settings
from linspector_allennlp.tasks.make_type_level import make_type_level_tasks
from linspector_allennlp.tasks.word_forms import TypeLevelSettings


def test_ten_lines(tmp_path, fixtures, capfd):
    settings = TypeLevelSettings(size=300)
    make_type_level_tasks(
        tmp_path / "DATA",
        "finnish",
        [str(fixtures / "raw/finnish.tsv")],
        settings=settings,
        tasks=["Case"],
    )
    config = probe_config(
        "single_form",
        data=tmp_path / "DATA/Case/finnish",
        representation="char_ngrams:dimension=50",
        seed=3,
        head={"type": "linear"},
        trainer={"num_epochs": 3},
    )
    run = Job(config, tmp_path / "run").run()
    assert capfd.readouterr().out == ""

    scores = run.scores()
    test = scores[scores.split == "test"].set_index("metric")
    assert test.value["accuracy"] == run.metrics["test_accuracy"]
    assert test.low["accuracy"] == run.metrics["test_accuracy_low"]
    assert not {"accuracy_low", "accuracy_high"} & set(scores.metric)
    assert set(scores.seed) == {3} and set(scores.task) == {"Case"} and not scores.control.any()
    assert "baseline_majority" in set(scores[scores.split == "run"].metric)
    assert scores[["split", "metric"]].duplicated().sum() == 0

    predictions = run.predictions_table("test")
    assert (predictions.label == predictions.gold).mean() == pytest.approx(test.value["accuracy"])
    assert "None" in set(predictions.gold), "the label is text"

    report, confusion = run.label_report_table("test"), run.confusion_table("test")
    assert (
        report.support["None"] == (predictions.gold == "None").sum() == confusion.loc["None"].sum()
    )
    assert confusion.to_numpy().sum() == len(predictions)
    assert confusion.to_numpy().trace() / len(predictions) == pytest.approx(test.value["accuracy"])


def test_it_is_what_a_config_says(root, environment, treebank, fixtures):
    environment("Case")
    treebank(target="Case")
    data = {
        "single_form": fixtures / "type_level/Case/finnish",
        "tagging": fixtures / "raw/finnish-ud",
    }
    for kind, target in [("single_form", None), ("tagging", "Case")]:
        of_config = Job(root / f"training_configs/{kind}.jsonnet", "run").settings()
        for name in ("char_ngrams", representation("char_ngrams")):
            assert probe_config(kind, data[kind], name, target=target) == of_config


def test_changes():
    mlp = {"type": "mlp", "hidden_dims": [10]}
    settings = probe_config(
        "single_form",
        "D",
        "fi.vec",
        head=mlp,
        trainer={"num_epochs": 2},
        train_share=0.5,
        model={"x": 1},
    )
    assert settings["model"]["head"] == mlp and settings["model"]["x"] == 1
    assert settings["trainer"]["num_epochs"] == 2 and settings["trainer"]["patience"] == 5
    assert settings["train_share"] == 0.5 and settings["pytorch_seed"] == 13
    assert probe_config("single_form", "D", "fi.vec", seed=0)["numpy_seed"] == 0


def test_another_language():
    here = probe_config("tagging", "UD/fi", "fi.vec", target="Case")
    domain = probe_config("tagging", "UD/fi", "fi.vec", target="Case", test={"data": "UD/tr"})
    assert domain == {**here, "test_data_path": "UD/tr-test.conllu"}
    test = {"data": {"files": ["UD/tr*"], "split": "8:1:1"}, "representation": "tr.vec:unk=zeros"}
    aligned = probe_config("tagging", "UD/fi", "fi.vec", target="Case", test=test)
    assert aligned["test_data_path"] == "UD/tr*#test/8:1:1" and aligned["transfer"]
    assert aligned["dataset_reader"] == here["dataset_reader"]
    assert aligned["validation_data_path"] == here["validation_data_path"]
    of_test = aligned["validation_dataset_reader"]
    assert of_test == {
        **here["dataset_reader"],
        "token_indexers": {"test_words": {"type": "word_form"}},
    }
    vectors = representation("tr.vec:unk=zeros")["text_field_embedder"]["token_embedders"]["words"]
    assert aligned["model"]["text_field_embedder"] == {
        "type": "transfer",
        "train": here["model"]["text_field_embedder"],
        "test": {"token_embedders": {"test_words": vectors}},
    }
    control = control_settings(aligned)["validation_dataset_reader"]
    assert control["reader"] == of_test and control["train_reader"] == here["dataset_reader"]
    senteval = probe_config("sentence", "S/fi.txt", "fi.vec", test={"data": "S/tr.txt"})
    assert senteval["test_data_path"] == "S/tr.txt#te"
    for wrong in ({"representation": "tr.vec"}, {"data": "D", "vectors": "tr.vec"}):
        with pytest.raises(
            ConfigurationError, match="test: expected data and, over aligned vectors"
        ):
            probe_config("single_form", "D", "fi.vec", test=wrong)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("single", "D", "fi.vec"), "there is no probe 'single': expected one of control_tasks.edges,"),
        (("single_form", "D", "char_ngram"), "Did you mean char_ngrams?"),
        (("edges", "D", "fi.vec", 1, "upos"), "target: a probe of edges has none"),
    ],
)  # fmt: skip
def test_what_there_is_not(arguments, message):
    with pytest.raises(ConfigurationError) as raised:
        probe_config(*arguments)
    assert message in raised.value.message
