"""Many runs in one process, with what they share done once: the only door from a suite to runs."""

import logging
import traceback
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, Optional, cast

import torch
from allennlp.common import Tqdm
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.temporary import temporary_folder
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.runs import run_files
from linspector_allennlp.runs.probe_run import ProbeRun
from linspector_allennlp.runs.run_keys import by_representation, data_key, seed_of
from linspector_allennlp.runs.series_run import SeriesRun, share_seconds
from linspector_allennlp.runs.shared_work import SharedWork, depends_on_seed, release_models
from linspector_allennlp.training.collector import collector_at_rest
from linspector_allennlp.training.feature_source import prepare_representation
from linspector_allennlp.training.training_together import train_together

logger = logging.getLogger(__name__)


class RunToTrain(NamedTuple):
    """
    # Parameters

    settings : `Mapping[str, Any]`
        The config.
    folder : `str`
        Where the run is to be; it appears there when it is finished, and not before.
    archive : `bool`, optional (default = `False`)
        Whether `model.tar.gz` is written.
    """

    settings: Mapping[str, Any]
    folder: str
    archive: bool = False


class RunEnd(NamedTuple):
    """How a run ended: `error` is a sentence, or `None` if it is finished."""

    folder: str
    seconds: float
    error: Optional[str] = None
    traceback: str = ""


class RunSeries:
    """
    The runs of a process. Data are read, and features computed, once for all runs that need them.

    # Parameters

    memory_gb : `float`, optional (default = `2.0`)
        What is kept for later runs takes this much at most, and so do the features of the runs that are
        trained together.
    """

    def __init__(self, memory_gb: float = 2.0) -> None:
        self._memory = memory_gb * 1e9
        self._work = SharedWork(memory_gb)

    def prepare(self, settings: Sequence[Mapping[str, Any]]) -> None:
        """Has the representations of these runs compute what is expensive, in one pass for each."""
        with _lean():
            for of_representation in by_representation(settings):
                _prepare(of_representation, self._work)
                release_models(self._work)

    def train(self, runs: Sequence[RunToTrain]) -> list[RunEnd]:
        """Trains these runs, as one where they fit; a run that fails does not stop the others."""
        begun = [SeriesRun(run.settings, run.folder, run.archive, self._work) for run in runs]
        try:
            with _lean():
                self._train(begun)
            return [_end(run) for run in begun]
        finally:
            for run in begun:
                run.close()

    def _train(self, runs: Sequence[SeriesRun]) -> None:
        together: list[SeriesRun] = []
        for run in runs:
            if not run.attempt(run.build):
                continue
            if run.trainer is None:
                run.attempt(run.train_alone)
                continue
            together.append(run)
            if _feature_bytes(together) > self._memory:
                self._train_together(together)
                together = []
        self._train_together(together)

    def _train_together(self, runs: Sequence[SeriesRun]) -> None:
        release_models(self._work)
        share_seconds(runs)
        errors = train_together([run.trainer for run in runs if run.trainer is not None])
        shared = [error for error in errors if error is not None and errors.count(error) > 1]
        for run, error in zip(runs, errors, strict=True):
            if error in shared:  # of all as one, as too little memory: nobody's fault
                run.close()
                if run.attempt(run.build) and run.trainer is not None:
                    (error,) = train_together([run.trainer])
                else:
                    continue
            run.error = error
            if error is None:
                run.attempt(run.finish)
            else:
                run.close()


def computes_ahead(embedder: Any) -> bool:
    """Whether a representation with these settings has a model of its own to run, as a transformer."""
    if not isinstance(embedder, Mapping):
        return False
    name = embedder.get("type")
    if isinstance(name, str) and name in TokenEmbedder.list_available():
        if getattr(TokenEmbedder.resolve_class_name(name)[0], "prepares", False):
            return True
    return any(map(computes_ahead, embedder.values()))


def archive_run(folder: PathLike) -> None:
    """Writes `model.tar.gz` of a finished run, from what is in its folder."""
    run_files.write_archive(folder)


def _end(run: SeriesRun) -> RunEnd:
    error = run.error
    if error is None:
        return RunEnd(str(run.folder), run.seconds)
    text = str(error) or type(error).__name__
    lines = traceback.format_exception(error)
    return RunEnd(str(run.folder), run.seconds, text, "".join(lines))


def _feature_bytes(runs: Sequence[SeriesRun]) -> int:
    """What the features of these runs take in memory, those that several have once."""
    sources = [run.trainer.features for run in runs if run.trainer is not None]
    found = {id(each): each.num_bytes for source in sources for each in source.computed}
    return sum(found.values())


def _prepare(settings: Sequence[Mapping[str, Any]], work: SharedWork) -> None:
    """Has a representation compute the texts of all these runs in one go, if it computes anything."""
    with temporary_folder("linspector_series") as folder:
        first = next(filter(None, (_constructed(each, folder, work) for each in settings)), None)
        if first is None or not any(e.prepares for e in all_word_embedders(first.model)):
            return
        # By seed, where that makes another model of it; one run for each data.
        parts: defaultdict[Any, dict[str, Mapping[str, Any]]] = defaultdict(dict)
        for each in settings:
            seed = seed_of(each) if depends_on_seed(first.model) else None
            parts[seed].setdefault(data_key(each), each)
        for part in parts.values():
            built = filter(None, (_constructed(each, folder, work) for each in part.values()))
            for run in islice(built, 1):
                runs = chain([run], built)
                prepare_representation(run.model, (i for run in runs for i in run.instances()))


def _constructed(settings: Mapping[str, Any], folder: str, work: SharedWork) -> Optional[ProbeRun]:
    run = SeriesRun(settings, f"{folder}/run", False, work)
    try:
        run.construct()
        return cast(ProbeRun, run.run)
    except Exception as error:  # noqa: BLE001 - training says it again
        logger.info("Nothing is prepared for a run that cannot be trained: %s", error)
        return None


@contextmanager
def _lean() -> Iterator[None]:
    """On one thread, without bars, and without a collector: what runs leave behind needs none."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    bars, Tqdm.tqdm = Tqdm.tqdm, staticmethod(partial(Tqdm.tqdm, disable=True))  # type: ignore[method-assign]
    try:
        with collector_at_rest():
            yield
    finally:
        torch.set_num_threads(threads)
        Tqdm.tqdm = staticmethod(bars)  # type: ignore[method-assign]
