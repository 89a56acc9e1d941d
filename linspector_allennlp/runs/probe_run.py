import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Optional

import numpy as np
from allennlp.commands.train import TrainModel
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.models import Model

from linspector_allennlp.models import Probe
from linspector_allennlp.models.probe import Asked, as_probe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.modules import FittedHead
from linspector_allennlp.run_folders.run_record import Column
from linspector_allennlp.run_folders.tab_tables import write_tab_table
from linspector_allennlp.runs import run_files
from linspector_allennlp.runs.data_facts import ProbedSplit, data_facts
from linspector_allennlp.runs.data_warnings import data_warnings
from linspector_allennlp.runs.fold_evaluation import (
    divided,
    evaluate_folds,
    fit_to,
    foldable,
    lost_groups,
)
from linspector_allennlp.runs.known_items import mark_known
from linspector_allennlp.runs.provenance import warn_of_result
from linspector_allennlp.runs.recorded_run import RecordedRun, logger
from linspector_allennlp.runs.transfer import TEST_MAJORITY, most_frequent_label, transfer_of
from linspector_allennlp.training.evaluation import Outcome, evaluate
from linspector_allennlp.training.feature_source import FeatureSource
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer
from linspector_allennlp.training.head_training import head_weights
from linspector_allennlp.training.split import SeenItems, Split

FOLD_COLUMNS = (Column("sd of folds", "fold_accuracy_sd"),)


@TrainModel.register("probe_run", constructor="from_partial_objects")
class ProbeRun(RecordedRun):
    """
    A probe run from data files to a run folder that can be published: a `recorded_run` with the checks,
    baselines, intervals, out-of-vocabulary rates and bits that make a score worth something. Labels
    are taken from the training data alone.

    Registered as a `TrainModel` with name "probe_run": a config says `"type": "probe_run"` at its
    top level. Any trainer serves. Keys: see `RecordedRun`.
    """

    kind = "probe"
    split_type = ProbedSplit
    model: Probe
    _splits: dict[str, ProbedSplit]  # type: ignore[assignment]

    @classmethod
    def _vocabulary_items(cls, train: Split, splits: Iterable[Split]) -> Iterable[SeenItems]:
        """
        The labels of the training data alone, because what is asked in the test data must not be known
        from there; then the words of these splits.
        """
        yield train.labels_seen
        yield from (split.others_seen for split in splits)

    @classmethod
    def _check_model(cls, model: Model) -> None:
        as_probe(
            model,
            "A probe_run trains the probes of this package, not {}; say recorded_run instead, or "
            'leave out the "type" at the top of the config, to train another model.',
        )

    def _begin(self, reader: DatasetReader, seed: int) -> None:
        probe, trainer = self.model, self.trainer
        if self._downstream is not None:
            raise ConfigurationError("downstream: expected a recorded_run.")
        for split in self._splits.values():
            probe.check_fields(split.field_names, with_gold=True)
        self._frozen = trainer if isinstance(trainer, FrozenProbeTrainer) else None
        self._features = (
            self._frozen.features
            if self._frozen
            else FeatureSource(
                probe,
                trainer.cuda_device,
                self._splits.values(),
                folder=self.serialization_dir,
            )
        )
        if isinstance(probe.head, FittedHead) and not self._frozen:
            raise ConfigurationError(
                f"{probe.head_name}: expected the trainer frozen_probe, which fits it."
            )
        if self._frozen:
            self._features.shelf = self._shared.features(probe)
        warnings = data_warnings(self._splits, probe, self._shared)
        if self._folds is not None:
            if not self._frozen or not probe.label_names:
                raise ConfigurationError(
                    "folds: expected the trainer frozen_probe and a probe that chooses a label."
                )
            items = foldable(self._splits["train"].records)
            self._divided = self._folds.divide(items, seed)
            warnings += [*self._folds.warnings(), *lost_groups(self._splits["train"].path)]
        for warning in warnings:
            logger.warning(warning)
        self._facts = data_facts(self._splits, probe, self._shared)
        if probe.label_names and transfer_of(getattr(reader, "task", None), self._splits):
            self._facts.update(most_frequent_label(self._splits["test"].items))
        if self._mdl and not probe.gives_probabilities:
            raise ConfigurationError(
                f"mdl: a {type(probe).__name__} gives no probabilities, so that there is no code. It "
                "is for probes that choose a label or a head."
            )
        if self._mdl and self._folds is not None:
            raise ConfigurationError("mdl: expected the files' own split: leave out `folds`.")
        if self._mdl and not self._frozen:
            raise ConfigurationError(
                "mdl: expected the trainer frozen_probe, which trains on blocks."
            )
        self._record_beginning(
            reader,
            seed,
            warnings,
            main_metric=probe.main_metric,
            head=probe.head_name,
            columns=[*probe.columns, *(FOLD_COLUMNS if self._folds else ())],
            baselines=[*probe.baseline_metrics, TEST_MAJORITY],
            predictions={"kind": probe.prediction_kind, "cluster": probe.cluster_key},
            encoder=probe.encoder_provenance(),
            folds=self._folds
            and {
                **self._folds.settings(),
                "seed": self._folds.seed_of(seed),
                "number": len(self._divided),
            },
        )

    def _represent(self) -> None:
        if self.model.rows.needs_fitting:
            self.model.rows.fit(self._splits["train"].instances())
        loaders = [split.loader for split in self._splits.values()]
        self._features.prepare(loaders)
        if self._frozen:
            self._frozen.represent(loaders)

    def _evaluate(self, split: Split) -> dict[str, Any]:
        features = self._features.of(split.loader)
        outcome = evaluate(self.model, features, with_predictions=True)
        mark_known(outcome.predictions, self._splits[split.name], self.model, self._shared)
        run_files.write_outcome(self.serialization_dir, split.name, outcome)
        if split.name != "test":
            return {}
        test = Asked(self._splits["test"].items, features.targets)
        train = Asked(self._splits["train"].items, self._training_targets())
        worth = self.model.worth(train, test, outcome.predictions, self._nats(features, outcome))
        metrics = {**outcome.all_metrics(), **self.model.interval(outcome.predictions), **worth}
        return {f"test_{key}": value for key, value in metrics.items() if value is not None}

    def _nats(self, features: Features, outcome: Outcome) -> Optional[float]:
        """
        The sum of −ln p of the right answers, in the epoch with the least validation loss. Another
        trainer keeps one epoch: if that was not chosen by its loss, there is no such number.
        """
        if self._frozen and self.model.gives_probabilities:
            return self._frozen.nats(features)
        tracker = getattr(self.trainer, "_metric_tracker", None)
        chosen_by = [name for _, name in getattr(tracker, "tracked_metrics", ())]
        return outcome.nats if chosen_by == ["loss"] else None

    def _training_targets(self) -> dict[str, Ragged]:
        """Without their features, which another trainer never needs."""
        if self._frozen:
            return self._features.of(self._splits["train"].loader).targets
        return self.model.targets(list(self._splits["train"].instances()))

    def _complete(self, metrics: dict[str, Any]) -> None:
        if self._mdl and self._frozen:
            metrics.update(self._online_code(self._frozen))
        metrics.update(self._facts)
        if self._folds is not None and self._frozen:
            with self.phases("folds"):
                metrics.update(self._evaluate_folds(self._frozen))
        # A control task is not there to be solved.
        baselines = [] if self._record.control else self._record.baselines
        others = self.model.result_warnings(self._splits["train"].path, metrics)
        warn_of_result(self.serialization_dir, metrics, self.model.main_metric, baselines, others)
        if self.model.layer_weights() is not None:
            metrics["layer_weights"] = self.model.layer_weights()

    def _evaluate_folds(self, trainer: FrozenProbeTrainer) -> dict[str, Any]:
        """Writes `folds.tsv` and the files of the test data, and gives the entries of `metrics.json`."""
        split, probe = self._splits["train"], self.model
        trained = head_weights(probe)
        result = evaluate_folds(trainer, split, split.items, self._divided)
        if probe.rows.needs_fitting:
            fit_to(trainer, split, np.arange(len(split)))
        probe.head.load_state_dict(trained)
        mark_known(result.outcome.predictions, split, probe, self._shared)
        run_files.write_outcome(self.serialization_dir, "test", result.outcome)
        write_tab_table(os.path.join(self.serialization_dir, "folds.tsv"), result.rows)
        scores = {**result.outcome.all_metrics(), **probe.interval(result.outcome.predictions)}
        sizes = {**self._record.sizes, "test": {"items": result.metrics["num_test"]}}
        self._record = replace(self._record, sizes=sizes)
        of_all = ("oov", *probe.facts(split.records, split.indexers))
        return {
            **{f"test_{key}": value for key, value in scores.items() if value is not None},
            **result.metrics,
            **{f"{name}_test": self._facts[f"{name}_train"] for name in of_all},
            **probe.fold_baselines([divided(split.items, fold) for fold in self._divided]),
        }

    def _online_code(self, trainer: FrozenProbeTrainer) -> dict[str, Any]:
        """Writes `mdl.tsv`, a row a block, and gives the entries of `metrics.json`."""
        blocks, uniform = trainer.code_training_data()
        rows = [[block.first, block.end, f"{block.bits:.3f}"] for block in blocks]
        path = os.path.join(self.serialization_dir, "mdl.tsv")
        write_tab_table(path, [["first", "end", "bits"], *rows])
        online = sum(block.bits for block in blocks)
        return {
            "mdl_bits": online,
            "mdl_uniform_bits": uniform,
            "mdl_compression": uniform / online,
        }
