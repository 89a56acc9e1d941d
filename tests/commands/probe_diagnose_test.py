"""The model that LINSPECTOR takes apart, from its training to the curves of its layers."""

import argparse
import json

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands import probe_diagnose
from linspector_allennlp.commands.probe_diagnose import diagnosis_text
from linspector_allennlp.commands.probe_report import study_page
from linspector_allennlp.report.page.model import PageFigure
from linspector_allennlp.run_folders.results_file import read_results
from linspector_allennlp.suite.checkpoints import find_checkpoints
from linspector_allennlp.suite.diagnosis import diagnosis_suite
from linspector_allennlp.suite.suite import Suite
from tests.suite.small_studies import Here

LAYERS, EPOCHS = ["words", "encoder"], [1, 2, 3]
TASKS = [
    "type_level/Case", "type_level/Number", "type_level/Person", "token_level/Case", "token_level/OddFeat",
]  # fmt: skip


@pytest.fixture
def trigrams(train, fixtures, tmp_path, monkeypatch):
    monkeypatch.setenv("SRL_DIR", str(fixtures / "downstream/srl/finnish"))
    small = {"encoder": {"hidden_size": 16}, "word_dim": 12, "ngram_dim": 8, "hidden_dim": 8}
    train("downstream/char_trigram_srl", "trigrams", model=small,
          data_loader={"batch_size": 8}, trainer={"num_epochs": 3})  # fmt: skip
    return tmp_path / "trigrams"


def test_char_trigram_srl(trigrams, fixtures, tmp_path):
    settings = diagnosis_suite(
        find_checkpoints([str(trigrams)]),
        LAYERS,
        [fixtures / task / "finnish" for task in TASKS],
        EPOCHS,
        config={"trainer": {"num_epochs": 1}},
    )
    study = Suite(settings, tmp_path / "study")
    study.run(executor=Here(), workers=1)
    assert not study.failed
    table = read_results(tmp_path / "study")
    main = table[table["is_main"] & (table["split"] == "test")]
    assert len(main) == len(TASKS) * len(LAYERS) * len(EPOCHS) and main["value"].notna().all()
    dims = main.groupby(main["representation"].str.split().str[-1])["epoch"].nunique()
    assert dims.to_dict() == {"encoder": 3, "words": 3}

    own = [
        json.loads((trigrams / f"metrics_epoch_{epoch - 1}.json").read_text())["validation_role_f1"]
        for epoch in EPOCHS
    ]
    (line,) = [line for line in diagnosis_text(tmp_path / "study").splitlines() if "itself" in line]
    assert line.split()[-3:] == [f"{100 * score:.1f}" for score in own]
    sections = study_page(tmp_path / "study").sections
    (curves,) = [section for section in sections if section.key == "curves"]
    figures = [part for part in curves.parts if isinstance(part, PageFigure)]
    assert len(figures) == len(TASKS)
    for figure in figures:
        *layers, of_model = figure.content.series
        assert {series.name.split()[-1] for series in layers} == set(LAYERS)
        assert all(series.x == EPOCHS for series in layers)
        assert of_model.y == own and of_model.name == "trigrams itself, validation role_f1"


def planned(tagger_run, fixtures, tmp_path, monkeypatch, *more):
    """The settings that the command plans with these options."""
    found = []
    monkeypatch.setattr(probe_diagnose, "train_and_show", lambda suite, *_: found.append(suite))
    parser = argparse.ArgumentParser()
    probe_diagnose.add_arguments(parser)
    task = str(fixtures / "type_level/Number/finnish")
    usual = [str(tagger_run), "-s", str(tmp_path / "study"), "--layers", "encoder", "--epochs", "2"]
    args = parser.parse_args([*usual, "--tasks", task, *more])
    args.func(args)
    (suite,) = found
    (run,) = suite.runs
    return run.settings


def test_quick_and_overrides(tagger_run, fixtures, tmp_path, monkeypatch):
    of = (tagger_run, fixtures, tmp_path, monkeypatch)
    usual, quick = planned(*of), planned(*of, "--quick")
    changed = {
        **usual,
        "data_loader": {"batch_size": 128, "shuffle": True},
        "trainer": {
            **usual["trainer"],
            "num_epochs": 8,
            "optimizer": {"type": "fused_adam", "lr": 0.003},
        },
    }
    assert quick == changed and usual["data_loader"]["batch_size"] == 16
    given = '{"seeds": [7], "config.trainer.num_epochs": 2}'
    seventh = planned(*of, "--quick", "-o", given)
    assert (seventh["random_seed"], seventh["trainer"]["num_epochs"]) == (7, 2)
    assert seventh["data_loader"]["batch_size"] == 128
    nested = '{"config": {"data_loader": {"batch_size": 64}}}'
    small = planned(*of, "--quick", "-o", nested)
    assert (small["data_loader"]["batch_size"], small["trainer"]["num_epochs"]) == (64, 8)
    dotted = planned(*of, "-o", '{"config.data_loader.batch_size": 64}')
    assert dotted["data_loader"] == {"batch_size": 64, "shuffle": True}
    with pytest.raises(ConfigurationError, match="--overrides: expected JSON like.*found '3'"):
        planned(*of, "-o", "3")
