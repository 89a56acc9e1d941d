"""Processes on this machine, none of which takes another one with it when it dies."""

import errno
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import connection, forkserver
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

from tqdm import tqdm

from linspector_allennlp.io.regular import open_to_append

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

WORK = "linspector_allennlp.suite.worker"


class LocalProcesses(Executor):
    """
    An executor of processes with one thread each. A process is forked from a server that has all imported, so
    that only the first of them takes seconds. Each is a pool of its own: one that dies is replaced, and
    breaks only what it was given.

    # Parameters

    number : `int`
        How many.
    log : `Path`
        A folder; what a process prints goes to a file in it.
    """

    def __init__(self, number: int, log: Path) -> None:
        log.mkdir(parents=True, exist_ok=True)
        if not os.access(log, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(log))
        self._log = log
        self._context = start_server()
        self._processes = [self._start() for _ in range(number)]
        for process in self._processes:
            try:
                process.id.result()
            except (BrokenExecutor, EOFError, ConnectionError) as error:
                raise RuntimeError(
                    f"The processes do not start; what they say may be in {log}. In a script of your own, "
                    'what starts a study belongs below `if __name__ == "__main__":`.'
                ) from error

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Gives a call to the process that has the least to do."""
        place = min(range(len(self._processes)), key=lambda i: self._processes[i].waiting)
        try:
            return self._processes[place].submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self._processes[place] = self._start()
            return self._processes[place].submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for process in self._processes:
            process.pool.shutdown(wait, cancel_futures=cancel_futures)

    def kill(self) -> None:
        """Ends the processes at once, and waits until they are gone."""
        for process in self._processes:
            process.kill()
        self.shutdown(cancel_futures=True)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None:
            self.shutdown()
        else:
            self.kill()

    def _start(self) -> "_OneProcess":
        return _OneProcess(self._context, self._log)


class _OneProcess:
    def __init__(self, context: BaseContext, log: Path) -> None:
        self.pool = ProcessPoolExecutor(
            1, mp_context=context, initializer=_begin, initargs=(dict(os.environ), str(log))
        )
        self.id = self.pool.submit(os.getpid)
        self.waiting = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        future = self.pool.submit(fn, *args, **kwargs)
        self.waiting += 1
        future.add_done_callback(self._done)
        return future

    def kill(self) -> None:
        with suppress(BrokenExecutor, ProcessLookupError):
            os.kill(self.id.result(), signal.SIGKILL)

    def _done(self, future: Future) -> None:
        self.waiting -= 1


def start_server() -> BaseContext:
    """Starts the server that has all imported, and forks."""
    with _environment({**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(sys.path)}):
        multiprocessing.set_forkserver_preload([WORK])
        forkserver.ensure_running()
    return multiprocessing.get_context("forkserver")


def end_if_imported() -> None:
    """
    Ends a process that should begin to train, but is still importing the script that started the study,
    which would start it once more: what that script does belongs below `if __name__ == "__main__":`.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(1)


def _begin(environment: Mapping[str, str], log: str) -> None:
    """The first thing that a process does."""
    # Ctrl-C is for the process that started the study.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.clear()
    os.environ.update({**environment, **ONE_THREAD})
    write_to(log)
    # By default its lock is one that processes share, and one that is killed never gives it back.
    tqdm.set_lock(threading.RLock())
    threading.Thread(target=_end_with_parent, daemon=True).start()


def write_to(log: str) -> None:
    """Sends what this process prints to a file in a folder."""
    os.makedirs(log, exist_ok=True)
    with open_to_append(Path(log, f"{os.getpid()}.log")) as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for its next call for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
