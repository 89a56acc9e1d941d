"""A model at several epochs: which checkpoints there are, the suite of a diagnosis, and the study."""

import argparse
import json
import shutil

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.analysis.epoch_table import epoch_table
from linspector_allennlp.commands import probe_diagnose
from linspector_allennlp.commands.probe_diagnose import diagnosis_text
from linspector_allennlp.commands.probe_report import study_page
from linspector_allennlp.report.page.model import PageFigure
from linspector_allennlp.run_folders.own_scores import own_scores_of
from linspector_allennlp.run_folders.results_file import read_results
from linspector_allennlp.suite.checkpoints import find_checkpoints
from linspector_allennlp.suite.diagnosis import diagnosis_suite
from linspector_allennlp.suite.plan import planned_runs
from linspector_allennlp.suite.suite import Suite
from tests.representations.tiny_transformers import make_bert
from tests.suite.small_studies import Here

LAYERS = ["text_field_embedder", "encoder#0"]


def metrics_of(run, number):
    return json.loads((run / f"metrics_epoch_{number}.json").read_text())["validation_accuracy"]


def test_an_allennlp_run(tagger_run):
    for source in (tagger_run, tagger_run / "model.tar.gz"):
        found = find_checkpoints([str(source)])
        assert found.name == "run" and list(found.epochs) == [1, 2]
        assert found.epochs[2]["weights_file"] == str(tagger_run / "model_state_e2_b0.th")
        own = found.own_scores()
        # What AllenNLP calls epoch 0 ends with the weights of e1.
        assert own.by_epoch == {1: metrics_of(tagger_run, 0), 2: metrics_of(tagger_run, 1)}
        assert own.metric == "accuracy" and own.split == "validation" and own.is_share
    assert found.own_scores("loss").metric == "loss" and not found.own_scores("loss").is_share
    with pytest.raises(ConfigurationError, match="run has no f9, only accuracy"):
        found.own_scores("f9")
    with pytest.raises(
        ConfigurationError, match="run has no 3, only 1, 2. AllenNLP keeps all with"
    ):
        found.chosen([1, 3])


def test_the_metric_that_a_model_was_judged_by(tagger_run, tmp_path):
    shutil.copytree(tagger_run, tmp_path / "run")
    (tmp_path / "run/model_state_e2_b7.th").write_bytes(b"")  # in the middle of an epoch
    config = json.loads((tmp_path / "run/config.json").read_text())
    config["trainer"]["validation_metric"] = "+accuracy3"
    (tmp_path / "run/config.json").write_text(json.dumps(config))
    found = find_checkpoints([str(tmp_path / "run")], "tagger")
    assert found.own_scores().metric == "accuracy3" and list(found.epochs) == [1, 2]
    assert found.own_scores().title == "tagger itself, validation accuracy3"


def test_a_config_that_is_something_else(tmp_path):
    (tmp_path / "model_state_e1_b0.th").touch()
    (tmp_path / "config.json").write_text('{"trainer": "x"}')
    assert find_checkpoints([str(tmp_path)]).judged_by is None


def test_a_list_of_archives(tagger_run, tmp_path):
    paths = [tmp_path / f"step-{number}.tar.gz" for number in (20, 3)]
    for path in paths:
        shutil.copy(tagger_run / "model.tar.gz", path)
    found = find_checkpoints(list(map(str, paths)))
    assert found.epochs == {3: {"archive": str(paths[1])}, 20: {"archive": str(paths[0])}}
    assert found.is_archive and found.own_scores() is None
    shutil.copy(tagger_run / "metrics.json", tmp_path)
    assert find_checkpoints(list(map(str, paths))).own_scores() is None, "which of them has it?"
    assert find_checkpoints([str(paths[0])]).own_scores() is not None
    copies = [tmp_path / name / "run" for name in "ab"]
    for copy in copies:
        shutil.copytree(tagger_run, copy)
    found = find_checkpoints(list(map(str, copies)))
    assert list(found.epochs) == [1, 2]  # the names have no numbers
    assert found.own_scores().by_epoch.keys() == {1, 2}
    with pytest.raises(FileNotFoundError, match="nowhere: there is no such archive"):
        find_checkpoints(["nowhere"])


def test_the_checkpoints_of_a_transformer(tagger_run, tmp_path):
    for step in (500, 1000):
        make_bert(tmp_path / f"out/checkpoint-{step}")
    history = [
        {"step": 500, "loss": 2.0},
        {"step": 500, "eval_accuracy": 0.5, "eval_loss": 1.0},
        {"step": 1000, "eval_accuracy": 0.75},
    ]
    (tmp_path / "out/checkpoint-1000/trainer_state.json").write_text(
        json.dumps({"log_history": history})
    )
    found = find_checkpoints([str(tmp_path / "out")])
    assert found.name == "out" and list(found.epochs) == [500, 1000]
    assert found.own_scores().by_epoch == {500: 0.5, 1000: 0.75}
    folders = [str(tmp_path / f"out/checkpoint-{step}") for step in (1000, 500)]
    assert find_checkpoints(folders).epochs == found.epochs
    task = tagger_run.parent  # no run is planned
    suite = diagnosis_suite(found, ["0", "2"], [task], [500])
    of_model = suite["representations"]["out"]
    assert of_model["layers"] == [0, 2] and list(of_model["epochs"]) == ["500"]
    assert diagnosis_suite(found, None, [task])["representations"]["out"]["layers"] == "all"
    with pytest.raises(ConfigurationError, match="numbers of a transformer's layers.*'encoder'"):
        diagnosis_suite(found, ["encoder"], [task])
    with pytest.raises(ConfigurationError, match="of AllenNLP's or of Hugging Face's, not both"):
        find_checkpoints([folders[0], str(tagger_run)])


@pytest.fixture
def suite(tagger_run, fixtures):
    tasks = [fixtures / "type_level/Number/finnish", fixtures / "token_level/Case/finnish"]
    return diagnosis_suite(
        find_checkpoints([str(tagger_run)]),
        LAYERS,
        tasks,
        config={"trainer": {"num_epochs": 1}},
    )


def test_the_plan(suite, tagger_run):
    runs = planned_runs(suite)
    called = [[run.columns[name] for name in ("epoch", "layer", "task")] for run in runs]
    assert called == [
        [epoch, layer, task] for epoch in (1, 2) for layer in LAYERS for task in ("Number", "Case")
    ]
    embedders = [
        run.settings["model"]["text_field_embedder"]["token_embedders"]["words"] for run in runs
    ]
    assert embedders[3] == {
        "type": "archive_layer", "archive": str(tagger_run), "module": LAYERS, "layer": 1,
        "weights_file": str(tagger_run / "model_state_e1_b0.th"),
    }  # fmt: skip
    assert len({run.name for run in runs}) == 8 and "encoder_0-epoch2" in runs[-1].name


def test_layers_by_number_and_what_is_left_out(suite):
    of_run = suite["representations"]["run"]
    assert {r.columns["layer"] for r in planned_runs({**suite, "skip": [{"epoch": 2}]})} == {
        *LAYERS
    }
    assert all(r.columns["epoch"] == 1 for r in planned_runs({**suite, "skip": [{"epoch": 2}]}))
    some = {"run": {**of_run, "layers": [1]}}
    runs = planned_runs({**suite, "representations": some})
    assert {run.columns["layer"] for run in runs} == {"encoder#0"}
    with pytest.raises(ConfigurationError, match="numbers of 2 modules.*from 0 to 1, found 2"):
        planned_runs({**suite, "representations": {"run": {**of_run, "layers": [2]}}})


@pytest.mark.parametrize("epochs", [[1], {}, {"one": {}}, {"-1": {}}, {"1": "a.th"}, {True: {}}])
def test_what_are_no_epochs(suite, epochs):
    of_run = {**suite["representations"]["run"], "epochs": epochs}
    with pytest.raises(ConfigurationError, match="epochs: expected by number what changes"):
        planned_runs({**suite, "representations": {"run": of_run}})


def test_epochs_are_of_one_embedder(suite):
    of_run = {**suite["representations"]["run"], "representation": ["a.vec", "b.vec"]}
    with pytest.raises(ConfigurationError, match="run: epochs are those of one embedder"):
        planned_runs({**suite, "representations": {"run": of_run}})
    base = "random_bilstm:archive:M:encoder"
    of_base = {**suite["representations"]["run"], "representation": base}
    run = planned_runs({**suite, "skip": [], "representations": {"run": of_base}})[0]
    embedder = run.settings["model"]["text_field_embedder"]["token_embedders"]["words"]
    assert embedder["base"]["weights_file"].endswith("e1_b0.th") and "weights_file" not in embedder


def test_own_scores_that_are_none():
    assert own_scores_of({}) is None
    for given in (3, {}, {"model": "m", "metric": "a", "split": "s", "by_epoch": {"x": 1}}):
        with pytest.raises(ValueError, match="own_scores: expected model, metric"):
            own_scores_of({"own_scores": given})


def test_a_study(suite, tagger_run, tmp_path):
    """Trained, as a table, in words, and on the page."""
    Suite(suite, tmp_path / "study").run(executor=Here(), workers=1)
    table = read_results(tmp_path / "study")
    assert table["epoch"].tolist() == sorted(table["epoch"].tolist())
    found = epoch_table(table)
    assert list(found.columns) == [1, 2] and found.shape == (4, 2)
    assert {place[-2] for place in found.index} == {
        "run, layer text_field_embedder", "run, layer encoder#0",
    }  # fmt: skip
    assert table[table["metric"] == "accuracy"]["oov"].notna().all()
    main = table[table["is_main"] & (table["split"] == "test") & (table["task"] == "Number")]
    first = main[main["representation"].str.endswith("encoder#0") & (main["epoch"] == 1)]
    by_hand = found.xs("Number", level="task").iloc[1]
    assert by_hand[1] == first["value"].item()
    text = diagnosis_text(tmp_path / "study")
    own = metrics_of(tagger_run, 0), metrics_of(tagger_run, 1)
    (line,) = [line.split() for line in text.splitlines() if "itself" in line]
    assert line[-2:] == [f"{100 * score:.1f}" for score in own]
    page = study_page(tmp_path / "study")
    (section,) = [section for section in page.sections if section.key == "curves"]
    curves = [part for part in section.parts if isinstance(part, PageFigure)]
    assert len(curves) == 2  # one for each task
    for figure in curves:
        *layers, own_series = figure.content.series
        assert [series.x for series in layers] == [[1, 2], [1, 2]]
        assert own_series.name == "run itself, validation accuracy"
        assert (own_series.x, own_series.y) == ([1, 2], list(own))
        assert figure.content.x_title == "epoch"
    # A study that goes on plans the same.
    assert all(map(Suite(suite, tmp_path / "study").is_finished, planned_runs(suite)))


def command(*arguments):
    parser = argparse.ArgumentParser()
    probe_diagnose.add_arguments(parser)
    args = parser.parse_args(list(map(str, arguments)))
    args.func(args)


def test_the_command_says_which_layers_there_are(tagger_run, fixtures, tmp_path, capsys):
    task = fixtures / "type_level/Number/finnish"
    usual = [tagger_run, "-s", tmp_path / "study", "--tasks", task]
    with pytest.raises(ConfigurationError, match="(?s)--layers: say which.*text_field_embedder"):
        command(*usual)
    with pytest.raises(ConfigurationError, match="no 'encodr'; do you mean one of encoder"):
        command(*usual, "--layers", "encodr")
    with pytest.raises(ConfigurationError, match="--epochs: expected numbers, as 2,8,20"):
        command(*usual, "--layers", "encoder", "--epochs", "last")
    command(*usual, "--layers", ",".join(LAYERS), "--epochs", "2", "--seeds", "2", "--dry-run")
    assert "4 runs, 0 of them done." in capsys.readouterr().out
    assert not (tmp_path / "study").exists()
