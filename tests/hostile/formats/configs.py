"""The config of a run, as `linspector train` gets it: the user's own, perhaps a stranger's text."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.util import prepare_environment

from linspector_allennlp.commands.mistakes import explain
from linspector_allennlp.commands.wrong_kinds import naming_wrong_kinds
from linspector_allennlp.suite import probe_config
from tests.hostile.case import Case
from tests.hostile.damage import damaged_json, written

DATA = Path(__file__).resolve().parents[3] / "fixtures/type_level/Number/finnish"


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    """Built, not trained."""
    good: dict[str, Any] = probe_config("single_form", DATA, "char_ngrams:dimension=4")
    whole = written(folder, 999, json.dumps(good).encode(), "json")
    yield Case("config: whole", whole, lambda: _built(whole, folder / "whole"), "read")
    for number, (name, content) in enumerate(damaged_json(rng, copy.deepcopy(good), 10)):
        path = written(folder, number, content, "json")
        yield Case(
            f"config: {name}",
            path,
            lambda p=path, n=number: _built(p, folder / f"run{n}"),
            "either",
        )
    for name in ("subprocess.getoutput", "os.system", "builtins.eval", "antigravity.x", "..", "a."):
        path = written(
            folder, 1000 + len(name), json.dumps({**good, "type": name}).encode(), "json"
        )
        yield Case(f"type {name}", path, lambda p=path: _built(p, folder / "none"), "refuse")


def _built(path: Path, run: Path) -> Any:
    try:
        params = Params.from_file(str(path))
        if not isinstance(params.params, dict):  # `train` looks at that
            raise ValueError("expected an object")
        run.mkdir(exist_ok=True)
        params.to_file(str(run / "config.json"))
        with naming_wrong_kinds(path, params.duplicate().as_dict(quiet=True)):
            prepare_environment(params)
            TrainModel.from_params(
                params, serialization_dir=str(run), local_rank=0, batch_weight_key=""
            )
    except Exception as error:
        sentence = explain(error)  # as `linspector` says it
        if sentence is None:
            raise
        raise ValueError(f"{path}: {sentence}") from error
    return True
