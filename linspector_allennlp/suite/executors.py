"""Where the runs of a suite are done: local processes, Dask's workers, or any executor of Python's."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.local_processes import (
    ONE_THREAD,
    LocalProcesses,
    start_server,
    write_to,
)

NAMES = ("processes", "dask")

DASK = "distributed>=2025.1"


class Workers(NamedTuple):
    """
    # Parameters

    executor : `Executor`
        It takes the groups of runs.
    number : `Callable[[], int]`
        How many groups should be out at present, so that no worker waits for one.
    """

    executor: Executor
    number: Callable[[], int]


@contextmanager
def open_workers(
    executor: Union[str, Executor], workers: Optional[int], scheduler: Optional[str], log: Path
) -> Iterator[Workers]:
    """
    Starts workers, and stops them at the end; after an error at once, whatever they do.

    # Parameters

    executor : `Union[str, Executor]`
        One of `NAMES`, or an executor, which is left open.
    workers : `int`, optional
        How many; by default as many as this process may use cores.
    scheduler : `str`, optional
        The address of Dask's.
    log : `Path`
        A folder for what local processes have to say.
    """
    number = available_cores() if workers is None else workers
    if isinstance(executor, Executor):
        yield Workers(executor, lambda: number)
    elif executor == "processes":
        with LocalProcesses(number, log) as processes:
            yield Workers(processes, lambda: number)
    else:
        with _dask_client(scheduler, number, log) as client:
            # Two for each, so that the next one is there when a worker is done.
            out = workers if scheduler else None
            yield from _of_client(client, lambda: out or max(4, 2 * len(client.nthreads())))


def check_workers(
    executor: Union[str, Executor], workers: Optional[int], scheduler: Optional[str]
) -> None:
    """Refuses what cannot be opened, before anything is begun."""
    if not isinstance(executor, Executor) and executor not in NAMES:
        raise ConfigurationError(
            f"executor: expected one of {', '.join(NAMES)}, or an executor, found {executor!r}."
        )
    if scheduler is not None and executor != "dask":
        raise ConfigurationError("scheduler: expected the executor dask, which has one.")
    if workers is not None and workers < 1:
        raise ConfigurationError(f"workers: expected a number of 1 or more, found {workers}.")
    if executor == "dask" and find_spec("distributed") is None:
        raise ModuleNotFoundError(
            f"The executor dask needs a package: pip install '{DASK}' (or linspector_allennlp[dask])"
        )


def available_cores() -> int:
    """How many cores this process may use, by its affinity and its control group."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return max(1, min(cores or 1, -(-int(quota) // int(period))))
    except (OSError, ValueError):  # there is none, or no limit
        return cores or 1


def is_death(error: BaseException) -> bool:
    """Whether a worker died of what it did; Dask tries that several times before it says so."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


@contextmanager
def local_cluster(number: int) -> Iterator[Any]:
    """A scheduler of Dask's on this machine, and workers in processes, as `LocalProcesses` starts them."""
    import dask
    from distributed import LocalCluster

    start_server()
    with (
        dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}),
        LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=50,
            env={**os.environ, **ONE_THREAD},
        ) as cluster,
    ):
        yield cluster


@contextmanager
def _dask_client(scheduler: Optional[str], number: int, log: Path) -> Iterator[Any]:
    from distributed import Client

    if scheduler is not None:
        with Client(scheduler, timeout=30, set_as_default=False) as client:
            yield client
        return
    with local_cluster(number) as cluster, Client(cluster, set_as_default=False) as client:
        client.register_worker_callbacks(partial(write_to, str(log)))
        yield client


def _of_client(client: Any, number: Callable[[], int]) -> Iterator[Workers]:
    # Dask takes two equal calls for one, which is right for pure functions only.
    executor = client.get_executor(pure=False)
    try:
        yield Workers(executor, number)
    except BaseException:
        executor.shutdown(wait=False)
        raise
    executor.shutdown()
