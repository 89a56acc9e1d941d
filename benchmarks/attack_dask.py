"""Workers of Dask that are killed in the middle of a study; see `attack`."""

import os
import random
import signal

from attack_outcome import differing

from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import groups
from linspector_allennlp.suite.executors import local_cluster
from tests.suite.small_studies import outcomes, small_runs, trained


def attack_dask(number: int, folder, seed: int):
    """A verdict for each of so many studies, in each of which a worker dies while runs are out."""
    from distributed import Client

    runs = small_runs(["Number", "Person"], ["char_ngrams", "random_vectors"], seeds=5)
    trained(folder / "dask undisturbed", runs, observe=lambda progress: None)
    expected = outcomes(folder / "dask undisturbed")
    groups.LARGEST, rng = 3, random.Random(seed)
    with local_cluster(2) as cluster, Client(cluster) as client:
        for study in range(number):
            place, victims = StudyFolder(folder / f"dask {study}"), []
            first = rng.randrange(1, len(runs) - 4)

            def kill_one(progress, victims=victims, first=first):
                if progress.done >= first and not victims:
                    victims.append(rng.choice(sorted(client.run(os.getpid).values())))
                    os.kill(victims[0], signal.SIGKILL)

            address = cluster.scheduler_address
            progress = trained(place.path, runs, "dask", scheduler=address, observe=kill_one)
            found = outcomes(place.path)
            if not victims:
                yield "dask", "finding", "no worker was killed"
            elif progress.failed or found != expected or place.unfinished.exists():
                detail = f"{len(progress.failed)} failed; {differing(found, expected)}"
                yield "dask", "finding", f"a worker killed after {first} runs: {detail}"
            else:
                yield "dask worker killed", "right", ""
