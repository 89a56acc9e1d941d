import logging
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Optional

import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed, prepare_environment
from allennlp.data import DataLoader, DatasetReader, Instance, Vocabulary
from allennlp.models import Model
from allennlp.training import Trainer

from linspector_allennlp.downstream import DownstreamTask
from linspector_allennlp.io.files import write_json
from linspector_allennlp.representations.word_embedder import WordEmbedder
from linspector_allennlp.run_folders.run_record import RunRecord
from linspector_allennlp.runs import run_files
from linspector_allennlp.runs.data_sources import DataPaths, DataSource, ScoredData, data_sources
from linspector_allennlp.runs.downstream_run import DownstreamRun
from linspector_allennlp.runs.known_words import (
    KnownWordsReader,
    check_loader,
    check_skipping,
    embedders_that_skip,
)
from linspector_allennlp.runs.model_evaluation import evaluate_model
from linspector_allennlp.runs.phases import Phases
from linspector_allennlp.runs.provenance import (
    provenance,
    read_config,
    record_of_run,
    record_provenance,
    warn_of_result,
)
from linspector_allennlp.runs.shared_work import ALONE, NothingShared
from linspector_allennlp.runs.transfer import check_transfer
from linspector_allennlp.training.feature_source import prepare_representation
from linspector_allennlp.training.folds import Folds
from linspector_allennlp.training.joined_loader import JoinedLoader
from linspector_allennlp.training.split import SeenItems, Split

logger = logging.getLogger(__name__)

EVALUATED = ("validation", "test")


@TrainModel.register("recorded_run", constructor="from_partial_objects")
class RecordedRun(TrainModel):
    """
    The training of any AllenNLP model, with a run folder that says what it is: what `allennlp train`
    does by default, and around it provenance, per-item predictions of the validation and test data, and
    the closing record `run.json`. Representations of this package compute what is expensive once, before
    training, and keep it in the feature store.

    Registered as a `TrainModel` with name "recorded_run": a config says `"type": "recorded_run"` at its
    top level. Any reader, model and trainer serves. The keys are those of AllenNLP's own runs, but for
    what belongs to distributed training; the test data are evaluated unless `evaluate_on_test` is
    false. Besides:

    # Parameters

    train_share : `float`, optional (default = `1.0`)
        Only this share of the training instances is read, as drawn from the seed.
    mdl : `bool`, optional (default = `False`)
        Whether the minimum description length of the training labels is measured (see
        `online_code`), which takes about as long as the training itself once more; in a `probe_run`.
    tested_on : `str`, optional (default = `"test"`)
        `"validation"`: the test scores are those of the validation file, as in studies that report
        development scores; the test file is not read. Provenance and summary say so.
    held_out : `float`, optional
        This share of the training instances is validated on, and not trained on: the best epoch is chosen
        there, not on the validation file.
    transfer : `bool`, optional (default = `False`)
        Whether the test data have a reader of their own, because they are of another language or domain:
        `validation_dataset_reader` then reads them alone, and `dataset_reader` the validation data. So
        `evaluate` and `predict` take an archive's input for such data.
    folds : `Folds`, optional
        In a `probe_run`: all data files are taken together and divided into folds, each tested by a probe
        that was trained on the others. The archive has one that was trained on all.
    downstream : `DownstreamTask`, optional
        What the model is trained for, as `"pos"`: then predictions are right or wrong item by item, scores
        have intervals and baselines, and tables know task and language; in a `recorded_run`.
    seed : `int`, optional
        Of all that is drawn, the vectors of random representations included; the same as
        `random_seed`, `numpy_seed` and `pytorch_seed` together, and stronger than these.
    """

    archive: Callable[[str], None] = staticmethod(run_files.archive)
    """What makes the archive of a run folder; a series leaves most of them out."""

    kind: ClassVar[str] = "model"
    split_type: ClassVar[type[Split]] = Split

    def __init__(
        self,
        serialization_dir: str,
        model: Model,
        trainer: Trainer,
        splits: dict[str, Split],
        phases: Phases,
        mdl: bool,
        folds: Optional[Folds] = None,
    ) -> None:
        super().__init__(serialization_dir=serialization_dir, model=model, trainer=trainer)
        self._splits = splits
        self.phases = phases
        self._mdl = mdl
        self._folds = folds
        self._tested_on = ScoredData()
        self._shared: NothingShared = ALONE
        self._downstream: Optional[DownstreamRun] = None
        self._record: RunRecord

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
        datasets_for_vocab_creation: Optional[list[str]] = None,
        validation_dataset_reader: Optional[DatasetReader] = None,
        validation_data_path: Optional[str] = None,
        validation_data_loader: Optional[Lazy[DataLoader]] = None,
        test_data_path: Optional[str] = None,
        evaluate_on_test: bool = True,
        train_share: float = 1.0,
        mdl: bool = False,
        tested_on: str = "test",
        held_out: Optional[float] = None,
        transfer: bool = False,
        folds: Optional[Folds] = None,
        downstream: Optional[DownstreamTask] = None,
        seed: Optional[int] = None,
        shared: Optional[NothingShared] = None,
    ) -> "RecordedRun":
        if is_distributed():
            raise ConfigurationError(
                "A recorded run works in one process: leave out `distributed`."
            )
        for name, part in (("data_loader", data_loader), ("model", model), ("trainer", trainer)):
            if part is None:
                raise ConfigurationError(f"{name}: expected settings, found null.")
        if seed is not None:
            names = ("random_seed", "numpy_seed", "pytorch_seed")
            prepare_environment(Params(dict.fromkeys(names, seed)))
        if folds is not None and train_share != 1:
            raise ConfigurationError("train_share: with folds there is no training file to share.")
        if folds is not None and (held_out is not None or tested_on != "test" or transfer):
            raise ConfigurationError(
                "folds: expected neither tested_on nor held_out nor transfer beside them."
            )
        phases, seed = Phases(), torch.initial_seed()
        shared = shared or ALONE
        paths = DataPaths(
            train_data_path, validation_data_path, test_data_path if evaluate_on_test else None
        )
        sources = data_sources(
            paths,
            dataset_reader,
            validation_dataset_reader or dataset_reader,
            seed,
            train_share=train_share,
            tested_on=tested_on,
            held_out=held_out,
            transfer=transfer,
        )
        skipping = embedders_that_skip(model) if cls.kind == "probe" else {}
        loader_of = {
            name: data_loader if name == "train" else validation_data_loader or data_loader
            for name in sources
        }
        with phases("reading"):
            splits = shared.splits(
                lambda: cls._read(sources, loader_of, skipping, joined=folds is not None)
            )
        seen = _chosen(splits, datasets_for_vocab_creation)
        vocab = vocabulary.construct(instances=cls._vocabulary_items(splits["train"], seen))
        built = shared.model(model, vocab, serialization_dir)
        cls._check_model(built)
        check_skipping(built, cls.kind, skipping)
        check_transfer(built, splits)
        vocab.save_to_files(os.path.join(serialization_dir, "vocabulary"))
        shared.index(splits, vocab)
        trained_by = trainer.construct(
            serialization_dir=serialization_dir,
            model=built,
            data_loader=splits["train"].loader,
            validation_data_loader=splits["validation"].loader if "validation" in splits else None,
            splits=list(splits.values()),
            local_rank=0,
        )
        run = cls(serialization_dir, built, trained_by, splits, phases, mdl, folds)
        run._tested_on = ScoredData(tested_on, paths.validation, held_out)
        run._shared = shared
        if downstream is not None:
            run._downstream = DownstreamRun(downstream, built, splits)
        run._begin(dataset_reader, seed)
        return run

    @classmethod
    def _read(
        cls,
        sources: Mapping[str, DataSource],
        loader_of: Mapping[str, Lazy[DataLoader]],
        skipping: Mapping[str, WordEmbedder],
        joined: bool,
    ) -> dict[str, Split]:
        """
        The splits by name; `joined` ones are one, for folds. `skipping` are the representations without
        whose words an item leaves.
        """
        splits, loaders = {}, {}
        left_out: Counter[str] = Counter()
        skipped: Counter[str] = Counter()
        for name, (reader, path) in sources.items():
            if skipping:
                reader = KnownWordsReader(reader, skipping)
            loaders[path] = loader_of[name].construct(reader=reader, data_path=path)
            # A reader counts what it left out of the file that it has read last.
            left_out.update(getattr(reader, "left_out", None) or {})
            if skipping:
                check_loader(loaders[path])
                skipped.update(getattr(reader, "skipped", {}))
            if not joined:
                splits[name] = cls.split_type(loaders[path], name, path)
        if joined:
            loader = JoinedLoader(list(loaders.values()), left_out, skipped if skipping else None)
            path = sources["train"].path
            splits["train"] = cls.split_type(loader, "train", path, paths=list(loaders))
        return splits

    @classmethod
    def _vocabulary_items(cls, train: Split, splits: Iterable[Split]) -> Iterable[SeenItems]:
        """As AllenNLP has it: everything in these splits."""
        for split in splits:
            yield from (split.labels_seen, split.others_seen)

    @classmethod
    def _check_model(cls, model: Model) -> None:
        """Refuses a model that such a run cannot train."""

    def _begin(self, reader: DatasetReader, seed: int) -> None:
        """Refuses what cannot be done, and records what the run is made from."""
        if self._mdl:
            raise ConfigurationError("mdl: expected a probe_run, whose probes give probabilities.")
        if self._folds is not None:
            raise ConfigurationError("folds: expected a probe_run.")
        of_task = {} if self._downstream is None else self._downstream.of_record()
        self._record_beginning(reader, seed, [], **of_task)

    def _record_beginning(
        self,
        reader: DatasetReader,
        seed: int,
        warnings: list[str],
        **of_model: Any,
    ) -> None:
        """
        Writes `provenance.json`, and keeps the record of the run for its end; `of_model` are the fields
        of it that the model decides.
        """
        made_by = provenance(self.model, reader, self._splits, seed)
        sizes = {name: split.sizes() for name, split in self._splits.items()}
        if self._downstream is not None:
            made_by["task"] = self._downstream.task_of_record
            sizes = self._downstream.sizes()
        made_by.update(self._tested_on.settings())
        warnings = [*warnings, *self._tested_on.warnings()]
        made_by.update(
            {name: of_model[name] for name in ("encoder", "folds") if of_model.get(name)}
        )
        record_provenance(self.serialization_dir, {**made_by, "warnings": warnings})
        config = read_config(self.serialization_dir)
        record = record_of_run(self.kind, config, made_by, sizes, **of_model)
        self._record = replace(record, tested_on=self._tested_on.split)

    def run(self) -> dict[str, Any]:
        """Has expensive representations computed for all splits in one go, and trains."""
        self.phases.add(run_files.begin(self.serialization_dir))
        self.represent()
        with self.phases("training"):
            return super().run()

    def instances(self) -> Iterator[Instance]:
        """Those of all splits."""
        return (instance for split in self._splits.values() for instance in split.instances())

    def represent(self) -> None:
        with self.phases("representing"):
            self._represent()

    def _represent(self) -> None:
        prepare_representation(self.model, self.instances())

    def finish(self, metrics: dict[str, Any]) -> None:
        """Evaluates the best weights and writes the files of the run folder; the record comes last."""
        with self.phases("evaluating"):
            for name in EVALUATED:
                if name in self._splits:
                    metrics.update(self._evaluate(self._splits[name]))
            self._complete(metrics)
        write_json(os.path.join(self.serialization_dir, "metrics.json"), _finite(metrics))
        with self.phases("archiving"):
            self.archive(self.serialization_dir)
        baselines = [name for name in self._record.baselines if name in metrics]
        record = replace(self._record, seconds=self.phases.rounded(), baselines=baselines)
        record.write(self.serialization_dir)

    def _evaluate(self, split: Split) -> dict[str, Any]:
        """Writes the predictions of a split, and gives the entries of `metrics.json`."""
        if self._downstream is not None:
            metrics, records = self._downstream.evaluate(split, self.trainer.cuda_device)
        else:
            metrics, records = evaluate_model(self.model, split, self.trainer.cuda_device)
        run_files.write_predictions(self.serialization_dir, split.name, records)
        return {f"test_{key}": value for key, value in metrics.items() if split.name == "test"}

    def _complete(self, metrics: dict[str, Any]) -> None:
        """Adds what a kind of run has to say besides the scores."""
        if self._downstream is not None:
            metrics.update(self._downstream.facts())
            warn_of_result(
                self.serialization_dir,
                metrics,
                self._record.main_metric,
                self._record.baselines,
                self._downstream.warnings,
            )


def _chosen(splits: dict[str, Split], names: Optional[list[str]]) -> list[Split]:
    """The splits that these names choose; all without names."""
    unknown = set(names or ()) - {"train", "validation", "test"}
    if unknown:
        raise ConfigurationError(
            "datasets_for_vocab_creation: expected train, validation or test, found "
            f"{', '.join(sorted(unknown))}."
        )
    return [split for name, split in splits.items() if names is None or name in names]


def _finite(metrics: dict[str, Any]) -> dict[str, Any]:
    """JSON has no number that is infinite or none: such a metric is null."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in metrics.items()
    }
