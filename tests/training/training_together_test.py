"""Trainers together; whole runs are in `tests/runs/run_series_test.py`."""

import torch

from linspector_allennlp.training.training_together import train_together
from tests.training.frozen_probe_trainer_test import loaders, model, trainer_for  # noqa: F401

FUSED = {"optimizer": {"type": "fused_adam"}}


def test_each_is_afterwards_as_if_it_had_been_alone(model, loaders, tmp_path):  # noqa: F811
    """One in a stack, one by itself, one that cannot be trained."""
    import copy

    model._regularizer = None
    ways = {"stack": FUSED, "itself": {"optimizer": {"type": "sgd", "lr": 0.1}}, "fails": FUSED}
    trainers = {}
    for name, settings in ways.items():
        torch.manual_seed(7)
        (tmp_path / name).mkdir()
        trainers[name] = trainer_for(copy.deepcopy(model), loaders, tmp_path / name, **settings)
    broken = trainers["fails"].features.of(loaders[0])
    broken.values.values[:] = float("nan")
    errors = train_together(list(trainers.values()))
    assert errors[:2] == [None, None] and "lower learning rate" in str(errors[2])
    for name in ("stack", "itself"):
        torch.manual_seed(7)
        (tmp_path / f"{name}-alone").mkdir()
        alone = trainer_for(copy.deepcopy(model), loaders, tmp_path / f"{name}-alone", **ways[name])
        metrics = alone.train()
        found = trainers[name].metrics
        assert found.keys() == metrics.keys()
        assert all(
            abs(found[key] - metrics[key]) < 1e-6 for key in metrics if "duration" not in key
        )
        weights = [torch.load(tmp_path / each / "best.th") for each in (name, f"{name}-alone")]
        assert all(
            torch.allclose(weights[0][key], weights[1][key], atol=1e-6) for key in weights[1]
        )
        assert [file.name for file in (tmp_path / name).iterdir()] == ["best.th"]
    assert not list((tmp_path / "fails").iterdir())
