"""The numbers of the comparison of two runs, and what to say of their items."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from linspector_allennlp.analysis.significance import mcnemar, paired_difference
from linspector_allennlp.commands.tables import percent
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.scored_items import (
    MEASURES,
    ItemKey,
    ScoredItems,
    SharedItems,
    scored_items,
    share_items,
)


def compare_runs(
    run_a: RunFolder, run_b: RunFolder, split: str, common: bool, num_samples: int, seed: int
) -> dict[str, Any]:
    a, b = (scored_items(run, split) for run in (run_a, run_b))
    shared = checked_items(run_a, run_b, a, b, split, common)
    right_a, right_b = shared.correct_a, shared.correct_b
    only_a, only_b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    rng = np.random.default_rng(seed)
    difference = paired_difference(right_a, right_b, shared.clusters, rng, num_samples)
    return {
        "split": split,
        "measure": MEASURES[a.kind],
        "a": _run_numbers(run_a, right_a),
        "b": _run_numbers(run_b, right_b),
        "items": len(shared.clusters),
        "clusters": len(set(shared.clusters)),
        "left_out": {"a": len(shared.only_a), "b": len(shared.only_b)},
        "difference": {**difference._asdict(), "samples": num_samples, "seed": seed},
        "mcnemar": {
            "both": int((right_a & right_b).sum()),
            "only_a": only_a,
            "only_b": only_b,
            "neither": int((~right_a & ~right_b).sum()),
            "p_value": mcnemar(only_a, only_b),
        },
        "notes": _notes(run_a, run_b, a, shared, split),
    }


def checked_items(
    run_a: RunFolder, run_b: RunFolder, a: ScoredItems, b: ScoredItems, split: str, common: bool
) -> SharedItems:
    """The items that two runs share; without `common`, these must be all."""
    if a.kind != b.kind:
        raise ValueError(
            f"Two runs of one kind of probe are needed: {run_a.path} was scored by "
            f"{MEASURES[a.kind]}, {run_b.path} by {MEASURES[b.kind]}."
        )
    shared = share_items(a, b)
    if (shared.only_a or shared.only_b) and not (common and shared.clusters):
        raise ValueError(_other_items(run_a, run_b, a, b, shared, split))
    return shared


def _run_numbers(run: RunFolder, correct: np.ndarray) -> dict[str, Any]:
    return {
        "path": str(run.path),
        "task": run.task,
        "representation": run.representation,
        "score": float(correct.mean()),
    }


def _other_items(
    run_a: RunFolder,
    run_b: RunFolder,
    a: ScoredItems,
    b: ScoredItems,
    shared: SharedItems,
    split: str,
) -> str:
    """Why the items of two runs cannot be compared."""
    sentences = ["The runs were not scored on the same items."]
    sides = (("A", run_a, a, shared.only_a), ("B", run_b, b, shared.only_b))
    for name, run, items, alone in sides:
        example = f" (as {alone[0]})" if alone else ""
        sentences.append(f"Only in {name}, {run.path}: {len(alone)} of {len(items.keys)}{example}.")
    sentences += other_files(run_a, run_b, split)
    if _inputs(a.keys) == _inputs(b.keys):
        sentences.append(
            "The inputs are the same, but their gold labels differ: another task, a control "
            "task, or another annotation."
        )
    elif shared.clusters:
        sentences.append(f"--common compares the {len(shared.clusters)} items that both have.")
    else:
        sentences.append("They have no item in common.")
    return " ".join(sentences)


def _notes(
    run_a: RunFolder, run_b: RunFolder, a: ScoredItems, shared: SharedItems, split: str
) -> list[str]:
    notes = [
        *other_files(run_a, run_b, split),
        *_other_probes(run_a, run_b),
        *_f1(run_a, run_b, split),
    ]
    if shared.only_a or shared.only_b:
        both = len(_inputs(shared.only_a) & _inputs(shared.only_b))
        notes.append(
            f"Left out: {len(shared.only_a)} items that only A has and {len(shared.only_b)} that "
            f"only B has{f'; {both} inputs have other gold labels' if both else ''}."
        )
    if repeated := sum(key.repetition > 0 for key in a.keys):
        notes.append(
            f"{repeated} items repeat the line, input and gold label of another: they are "
            "compared in the order in which they were written."
        )
    return notes


def _other_probes(run_a: RunFolder, run_b: RunFolder) -> Iterator[str]:
    """What else than the representation differs in runs on sentences."""
    if run_a.record.level != "sentence":
        return
    if run_a.classifier != run_b.classifier:
        yield f"Other classifiers: {run_a.classifier} in A, {run_b.classifier} in B."
    a, b = ((run.record.encoder or {}).get("dimension") for run in (run_a, run_b))
    if a != b:
        yield f"Vectors of other sizes: {a} in A, {b} in B. More dimensions alone can make a difference."
    if run_a.record.folds != run_b.record.folds:
        yield "The folds of the runs differ: the probes were trained on other items."


def _f1(run_a: RunFolder, run_b: RunFolder, split: str) -> Iterator[str]:
    a, b = (run.metrics.get(f"{split}_macro_f1") for run in (run_a, run_b))
    if run_a.record.level == "sentence" and a is not None and b is not None:
        yield f"Macro-F1, which is not tested here: {percent(a)} in A, {percent(b)} in B."


def other_files(run_a: RunFolder, run_b: RunFolder, split: str) -> list[str]:
    """A sentence if the data of the runs are known to differ."""
    a, b = (run.provenance["data"].get(split, {}) for run in (run_a, run_b))
    if not (a.get("sha256") and b.get("sha256")) or a["sha256"] == b["sha256"]:
        return []
    names = [f"{data['path']} (sha256 {data['sha256'][:12]}…)" for data in (a, b)]
    tested = "tested" if split == "test" else "validated"
    return [f"These runs were {tested} on different files: {names[0]} and {names[1]}."]


def _inputs(keys: list[ItemKey]) -> set[tuple[int, str]]:
    return {(key.line, key.text) for key in keys}
