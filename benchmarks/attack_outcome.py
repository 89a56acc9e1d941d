"""What a command has made, to be compared with what it makes undisturbed; see `attack`."""

import hashlib
import io
import json
import tarfile

import torch

from linspector_allennlp.representations.vector_files.vector_store import VectorStore
from linspector_allennlp.run_folders.study_folder import StudyFolder
from tests.suite.small_studies import outcomes

UNSTABLE = (".log", ".lock", ".gz", ".th")  # they hold times; weights are compared by themselves


def outcome(place):
    """What is there, without what depends on time and place."""
    if StudyFolder.is_study(place / "out"):
        return outcomes(place / "out")
    found = {}
    for path in sorted((place / "out").rglob("*")):
        name = str(path.relative_to(place))
        if path.name in ("best.th", "model.tar.gz"):
            found[name] = digest_of_weights(path)
            continue
        if not path.is_file() or path.suffix in UNSTABLE or "/log/" in name:
            continue
        if path.suffix == ".store":
            store = VectorStore.open(path.with_suffix(""))
            found[name] = hashlib.sha256(store.vectors(range(len(store))).tobytes()).hexdigest()
            continue
        content = path.read_text(encoding="utf-8").replace(str(place), "PLACE")
        if path.suffix == ".json":
            content = json.dumps(without_times(json.loads(content)))
        found[name] = content
    return found


def digest_of_weights(path):
    """Of the numbers alone: the files around them hold times."""
    if path.suffix == ".th":
        file = path.open("rb")
    else:
        with tarfile.open(path) as archive:
            file = io.BytesIO(archive.extractfile("weights.th").read())
    with file:
        weights = torch.load(file, weights_only=True)
    digest = hashlib.sha256()
    for name, value in sorted(weights.items()):
        digest.update(name.encode() + value.numpy().tobytes())
    return digest.hexdigest()


def without_times(value):
    if isinstance(value, dict):
        times = ("seconds", "training_duration", "duration", "created")
        return {k: without_times(v) for k, v in value.items() if not any(t in k for t in times)}
    if isinstance(value, list):
        return [without_times(each) for each in value]
    return value


def differing(found, expected):
    names = [n for n in {*found, *expected} if found.get(n) != expected.get(n)]
    return f"not as undisturbed: {', '.join(sorted(names)[:5])}"


def left_over(place) -> list[str]:
    """What nobody needs any more, in the folder of the results and in that for temporary files."""
    there = [*(place / "out").rglob(".*"), *(place / "tmp").iterdir()]
    return [str(path.relative_to(place)) for path in there]
