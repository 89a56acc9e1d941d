import logging
import os
from collections.abc import Iterator
from typing import Any, Optional

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed
from allennlp.data import DataLoader, DatasetReader, Instance, Vocabulary
from allennlp.data.fields import Field
from allennlp.models import Model
from allennlp.training import Trainer

from linspector_allennlp.dataset_readers.probe_label_field import ProbeLabelField
from linspector_allennlp.dataset_readers.probe_labels_field import ProbeLabelsField
from linspector_allennlp.dataset_readers.probing_reader import metadata_of
from linspector_allennlp.dataset_readers.sampled import SampledReader
from linspector_allennlp.io.files import write_json
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.training.data_facts import data_facts, data_warnings
from linspector_allennlp.training.outcome import evaluate_split, write_outcome
from linspector_allennlp.training.preparation import prepare_representation
from linspector_allennlp.training.provenance import (
    provenance,
    record_provenance,
    warn_of_limit,
)
from linspector_allennlp.training.score_worth import (
    check_mdl,
    what_it_is_worth,
    write_online_code,
)
from linspector_allennlp.training.split import Split

logger = logging.getLogger(__name__)

LABEL_FIELDS = (ProbeLabelField, ProbeLabelsField)


@TrainModel.register("probe_run", constructor="from_partial_objects")
class ProbeRun(TrainModel):
    """
    A probe run from data files to a run folder that can be published: what `allennlp train` does
    by default, and around it the checks, baselines, intervals, out-of-vocabulary rates, per-item
    predictions and provenance that make a score worth something.

    Registered as a `TrainModel` with name "probe_run": a config says `"type": "probe_run"` at its
    top level. Any trainer serves. The keys are those of AllenNLP's own runs, but for what belongs
    to distributed training; the test data are evaluated unless `evaluate_on_test` is false, and
    labels are taken from the training data alone. Besides:

    # Parameters

    train_share : `float`, optional (default = `1.0`)
        Only this share of the training instances is read, as drawn from the seed.
    mdl : `bool`, optional (default = `False`)
        Whether the minimum description length of the training labels is measured (see
        `online_code`), which takes about as long as the training itself once more.
    """

    def __init__(
        self,
        serialization_dir: str,
        model: FrozenProbe,
        trainer: Trainer,
        splits: dict[str, Split],
        facts: dict[str, Any],
        mdl: bool,
    ) -> None:
        super().__init__(serialization_dir, model, trainer)
        self.model: FrozenProbe = model
        self._splits = splits
        self._facts = facts
        self._mdl = mdl

    @classmethod
    def from_partial_objects(  # type: ignore[override]
        cls,
        serialization_dir: str,
        dataset_reader: DatasetReader,
        train_data_path: str,
        model: Lazy[Model],
        data_loader: Lazy[DataLoader],
        trainer: Lazy[Trainer],
        vocabulary: Lazy[Vocabulary] = Lazy(Vocabulary),
        validation_dataset_reader: Optional[DatasetReader] = None,
        validation_data_path: Optional[str] = None,
        validation_data_loader: Optional[Lazy[DataLoader]] = None,
        test_data_path: Optional[str] = None,
        evaluate_on_test: bool = True,
        train_share: float = 1.0,
        mdl: bool = False,
    ) -> "ProbeRun":
        if is_distributed():
            raise ConfigurationError(
                "A probe_run works in one process: a probe is small. Leave out `distributed`."
            )
        seed = torch.initial_seed()
        train_reader = dataset_reader
        if train_share != 1:
            train_reader = SampledReader(dataset_reader, train_share, seed)
        train_loader = data_loader.construct(reader=train_reader, data_path=train_data_path)
        splits = {"train": Split.read("train", train_data_path, train_loader)}
        for name, path in [("validation", validation_data_path), ("test", test_data_path)]:
            if path is not None and (name == "validation" or evaluate_on_test):
                reader = validation_dataset_reader or dataset_reader
                if path == train_data_path:  # what is asked is how much of it was learned by heart
                    reader = train_reader
                loader = (validation_data_loader or data_loader).construct(
                    reader=reader, data_path=path
                )
                splits[name] = Split.read(name, path, loader)

        vocab = vocabulary.construct(instances=_instances_for_vocabulary(splits))
        probe = model.construct(vocab=vocab, serialization_dir=serialization_dir)
        if not isinstance(probe, FrozenProbe):
            raise ConfigurationError(
                f"A probe_run trains the probes of this package, not {type(probe).__name__}; "
                'leave out the "type" at the top of the config to train another model.'
            )
        vocab.save_to_files(os.path.join(serialization_dir, "vocabulary"))
        warnings = data_warnings(splits, probe)
        for warning in warnings:
            logger.warning(warning)
        facts = data_facts(splits, probe)
        made_by = provenance(probe, dataset_reader, splits.values(), seed)
        record_provenance(serialization_dir, {**made_by, "warnings": warnings})
        for split in splits.values():
            split.loader.index_with(vocab)
        trainer_ = trainer.construct(
            serialization_dir=serialization_dir,
            model=probe,
            data_loader=train_loader,
            validation_data_loader=splits["validation"].loader if "validation" in splits else None,
            local_rank=0,
        )
        if mdl:
            check_mdl(probe, trainer_)
        return cls(serialization_dir, probe, trainer_, splits, facts, mdl)

    def run(self) -> dict[str, Any]:
        """Represents the words of all splits in one go, where that is dear, and trains."""
        prepare_representation(
            self.model,
            (i for split in self._splits.values() for i in split.loader.iter_instances()),
        )
        return super().run()

    def finish(self, metrics: dict[str, Any]) -> None:
        """Evaluates the best weights and writes all there is to say into the run folder."""
        for name in ("validation", "test"):
            if name in self._splits:
                split = self._splits[name]
                outcome = evaluate_split(self.model, split, self.trainer.cuda_device)
                write_outcome(self.serialization_dir, name, outcome)
                if name == "test":
                    worth = what_it_is_worth(self.model, self._splits["train"], split, outcome)
                    scores = {**outcome.metrics, **worth}
                    metrics.update({f"test_{key}": value for key, value in scores.items()})
        warn_of_limit(self.serialization_dir, metrics, self.trainer)
        if self._mdl:
            metrics.update(write_online_code(self.serialization_dir, self.trainer))
        metrics.update(self._facts)
        if self.model.layer_weights() is not None:
            metrics["layer_weights"] = self.model.layer_weights()
        write_json(os.path.join(self.serialization_dir, "metrics.json"), metrics)
        logger.info("Metrics: %s", metrics)


def _instances_for_vocabulary(splits: dict[str, Split]) -> Iterator[Instance]:
    """
    The labels of the training data alone, because what is asked in the test data must not be known
    from there, and in the order of the file, whatever the order in which processes read it; then
    the words of all splits.
    """
    labels = []
    for position, instance in enumerate(splits["train"].loader.iter_instances()):
        fields: dict[str, Field] = {
            n: f for n, f in instance.fields.items() if isinstance(f, LABEL_FIELDS)
        }
        labels.append((metadata_of(instance).get("line", position), fields))
    for _, fields in sorted(labels, key=lambda entry: entry[0]):
        yield Instance(fields)
    for split in splits.values():
        for instance in split.loader.iter_instances():
            yield Instance(
                {n: f for n, f in instance.fields.items() if not isinstance(f, LABEL_FIELDS)}
            )
