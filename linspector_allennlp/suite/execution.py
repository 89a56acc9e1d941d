"""The runs of a study, sent to workers until each is finished or has failed."""

import logging
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import nullcontext, suppress
from traceback import format_exception
from typing import NamedTuple, Optional

from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import worker
from linspector_allennlp.suite.executors import Workers, is_death
from linspector_allennlp.suite.groups import Family, Model, families, next_group
from linspector_allennlp.suite.planned_run import PlannedRun
from linspector_allennlp.suite.study_progress import Observer, Pace, StudyProgress

logger = logging.getLogger(__name__)

MOST_DEATHS = 2
"""Of a process with a run in it: a machine may have been short of memory by somebody else's fault."""

SECONDS_BETWEEN_LOOKS = 0.5


class Sent(NamedTuple):
    """What a worker was sent: the runs to train, or the model that is to be run before them."""

    family: Family
    runs: Sequence[PlannedRun] = ()
    model: Optional[Model] = None


class Execution:
    """
    # Parameters

    study : `StudyFolder`
        With an absolute path.
    runs : `Sequence[PlannedRun]`
        Those that are not finished.
    workers : `Workers`
    surroundings : `Surroundings`
    archive : `bool`
        Whether every run gets its archive.
    progress : `StudyProgress`
    observe : `Observer`
        It is called whenever something may have changed, about twice a second.
    """

    def __init__(
        self,
        study: StudyFolder,
        runs: Sequence[PlannedRun],
        workers: Workers,
        surroundings: worker.Surroundings,
        archive: bool,
        progress: StudyProgress,
        observe: Observer,
    ) -> None:
        self._study = study
        self._workers = workers
        self._surroundings = surroundings
        self._archive = archive
        self._progress = progress
        self._observe = observe
        self._families = deque(families(runs))
        self._models: deque[Sent] = deque()
        self._to_prepare: Counter[int] = Counter()
        self._ready: deque[tuple[Family, list[PlannedRun]]] = deque()
        self._again: deque[Sent] = deque()
        self._deaths: Counter[str] = Counter()
        self._sent: dict[Future, Sent] = {}
        self._pace = Pace(Counter(map(_kind, runs)), workers.number())
        progress.pace = self._pace

    def run(self) -> None:
        """Raises an error where it is no use to go on: the runs that are finished stay."""
        while True:
            while len(self._sent) < self._workers.number():
                sent = self._next()
                if sent is None:
                    break
                self._sent[self._submit(sent)] = sent
            self._tell()
            if not self._sent:
                return
            ended, _ = wait(self._sent, SECONDS_BETWEEN_LOOKS, return_when=FIRST_COMPLETED)
            for future in ended:
                self._receive(self._sent.pop(future), future)

    def _next(self) -> Optional[Sent]:
        """Runs whose representation is computed; if there are none, the next model to run."""
        if self._again:
            return self._again.popleft()
        while not self._ready:
            if self._models:
                return self._models.popleft()
            if not self._families:
                return None
            family = self._families.popleft()
            self._models += [Sent(family, model=model) for model in family.models]
            self._to_prepare[id(family)] = len(family.models)
            self._end_of_preparing(family)
        family, runs = self._ready[0]
        group = next_group(runs, self._num_left(), self._workers.number())
        del runs[: len(group)]
        if not runs:
            self._ready.popleft()
        return Sent(family, group)

    def _num_left(self) -> int:
        ready = sum(len(runs) for _, runs in self._ready)
        return ready + sum(len(family.runs) for family in self._families)

    def _end_of_preparing(self, family: Family) -> None:
        """Its runs can be trained as soon as nothing of theirs is to be computed."""
        if not self._to_prepare[id(family)]:
            self._ready.append((family, list(family.runs)))

    def _submit(self, sent: Sent) -> Future:
        submit, common = self._workers.executor.submit, self._surroundings
        if sent.model is not None:
            return submit(worker.prepare, common, sent.model.to_prepare)
        group = [worker.RunInGroup(run.row, run.settings) for run in sent.runs]
        return submit(worker.train, common, str(self._study.path), group, self._archive)

    def _receive(self, sent: Sent, future: Future) -> None:
        try:
            ended = future.result()
        except CancelledError as error:
            raise RuntimeError(
                "The scheduler has given up what it was sent, or is gone. What is finished stays; the same "
                "command goes on."
            ) from error
        except Exception as error:  # noqa: BLE001 - whatever it is, the other runs go on
            if sent.runs:
                self._lose(sent, error)
                return
            # Each of its runs will say what is wrong.
            logger.warning("a representation cannot be prepared: %s", error)
        if sent.model is not None:
            self._to_prepare[id(sent.family)] -= 1
            self._end_of_preparing(sent.family)
            return
        by_name = {run.name: run for run in sent.runs}
        for end in ended:
            self._note(by_name[end.name], end)

    def _lose(self, sent: Sent, error: Exception) -> None:
        """A worker has died, or could not begin. Runs that were with it are tried again, each alone."""
        for run in sent.runs:
            if self._study.is_finished(run.row):
                self._note(run, worker.Ended(run.name))
                continue
            if not is_death(error):
                text, trace = str(error) or type(error).__name__, "".join(format_exception(error))
                self._note(run, worker.Ended(run.name, error=text, traceback=trace))
                continue
            self._deaths[run.name] += 1
            if self._deaths[run.name] < MOST_DEATHS:
                self._again.append(Sent(sent.family, [run]))
                continue
            text = (
                f"its process was killed, {MOST_DEATHS} times: by this run, or for want of memory"
            )
            self._note(run, worker.Ended(run.name, error=text))

    def _note(self, run: PlannedRun, end: worker.Ended) -> None:
        # One that was found finished took nothing, which tells nothing.
        self._pace.note(_kind(run), (end.seconds or None) if end.error is None else None)
        if end.error is None:
            self._study.forget_failure(run.name)
            self._progress.done += 1
            return
        content = {"error": end.error, "traceback": end.traceback, "config": run.settings}
        with suppress(OSError) if end.had_no_room else nullcontext():
            self._study.write_failure(run.name, content)
        if end.had_no_room:
            raise OSError(
                f"The disk is full, or a limit is reached: {run.name} failed ({end.error}). What is "
                "finished stays; make room, and the same command goes on."
            )
        self._progress.failed.append(run.name)

    def _tell(self) -> None:
        runs = [run for sent in self._sent.values() for run in sent.runs]
        self._progress.running = len(runs)
        self._progress.now = [_in_words(sent) for sent in self._sent.values()]
        self._observe(self._progress)


def _kind(run: PlannedRun) -> str:
    """Runs of one kind take about the same time."""
    return str(run.columns.get("probe"))


def _in_words(sent: Sent) -> str:
    if sent.model is not None:
        return f"prepares {sent.model.name}"
    more = f" and {len(sent.runs) - 1} more" if len(sent.runs) > 1 else ""
    return f"{sent.runs[0].name.rpartition('-')[0]}{more}"
