import os
import signal
import time
from concurrent.futures import BrokenExecutor

import pytest
import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite import executors
from linspector_allennlp.suite.executors import available_cores, check_workers, open_workers
from tests.suite.small_studies import Here


def open_here(executor="processes", workers=None, scheduler=None, log=None):
    return open_workers(executor, workers, scheduler, log)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def both(submit):
    """The numbers of the two processes; one may be there, and idle, before the other has started."""
    numbers = set()
    for _ in range(1000):
        numbers |= {future.result() for future in [submit(os.getpid) for _ in range(4)]}
        if len(numbers) == 2:
            break
        time.sleep(0.05)
    return numbers


def surroundings():
    return os.environ["LINSPECTOR_CACHE"], os.environ["OMP_NUM_THREADS"], torch.get_num_threads()


def test_a_process_that_dies_takes_nobody_with_it(tmp_path):
    with open_here(workers=2, log=tmp_path / "log") as workers:
        submit = workers.executor.submit
        numbers = both(submit)
        assert workers.number() == 2 and os.getpid() not in numbers
        dead, alive = submit(die), submit(surroundings)
        with pytest.raises(BrokenExecutor) as error:
            dead.result()
        assert executors.is_death(error.value)
        assert alive.result() == (os.environ["LINSPECTOR_CACHE"], "1", 1)
        assert len(both(submit) - numbers) == 1, "one is new"
        submit(print, "a message").result()
    assert len(list((tmp_path / "log").iterdir())) == 3


@pytest.mark.parametrize(
    "executor, workers, scheduler, message",
    [
        ("threads", None, None, "executor: expected one of processes, dask, or an executor"),
        ("processes", None, "tcp://x:1", "scheduler: expected the executor dask"),
        ("dask", 0, None, "workers: expected a number of 1 or more, found 0"),
    ],
)
def test_what_cannot_be(executor, workers, scheduler, message):
    with pytest.raises(ConfigurationError, match=message):
        check_workers(executor, workers, scheduler)


def test_dask_is_an_extra(monkeypatch):
    check_workers("dask", 2, "tcp://x:1")
    monkeypatch.setattr(executors, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'distributed>=2025.1'"):
        check_workers("dask", 2, None)
    check_workers("processes", None, None)


def test_an_executor_of_ones_own(tmp_path):
    executor = Here()
    with open_here(executor, workers=3) as workers:
        assert workers.executor is executor and workers.number() == 3
    assert 1 <= available_cores() <= (os.cpu_count() or 1)
