"""The numbers of comparisons of sides, each of which are runs that differ in their seeds."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional

from linspector_allennlp.analysis.multiple_tests import holm
from linspector_allennlp.analysis.pair_comparison import (
    METHODS,
    Contest,
    PairComparison,
    compare_pairs,
    enough_samples,
    mean_and_sd,
)
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.sign_test import sign_test
from linspector_allennlp.commands.comparison_text import FEWEST_CLUSTERS
from linspector_allennlp.commands.run_comparison import checked_items, other_files
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.run_folders.aligned_items import AlignedItems, align_items
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.scored_items import MEASURES, ScoredItems, scored_items


class ComparedSide(NamedTuple):
    """A name, and the folders of the runs."""

    name: str
    paths: Sequence[PathLike]


class Match(NamedTuple):
    """
    # Parameters

    setting : `Dict[str, Any]`
        What the table calls it, by column: its task and more.
    a, b : `ComparedSide`
    """

    setting: dict[str, Any]
    a: ComparedSide
    b: ComparedSide


class ComparisonOptions(NamedTuple):
    """
    # Parameters

    split : `str`, optional (default = `"test"`)
    common : `bool`, optional (default = `False`)
        Whether only the items that all runs of a comparison have are compared.
    samples : `int`, optional
        By default enough for the number of comparisons.
    seed : `int`, optional (default = `13`)
        Of the samples.
    method : `str`, optional (default = `"randomisation"`)
        Or `bootstrap`.
    """

    split: str = "test"
    common: bool = False
    samples: Optional[int] = None
    seed: int = 13
    method: str = METHODS[0]


def side_comparison(matches: Sequence[Match], options: ComparisonOptions) -> dict[str, Any]:
    """All numbers of the comparisons, and notes on them, as `--json` has them."""
    facts: list[dict[str, Any]] = []
    notes: dict[str, None] = {}
    samples = options.samples or enough_samples(len(matches))
    contests = _contests(matches, options, facts, notes)
    compared = compare_pairs(contests, samples, options.seed, options.method)
    comparisons = [
        _numbers(match, fact, pair) for match, fact, pair in zip(matches, facts, compared)
    ]
    return {
        "split": options.split,
        "method": options.method,
        "samples": samples,
        "seed": options.seed,
        "confidence": compared[0].confidence,
        "comparisons": comparisons,
        "sign_tests": _sign_tests(comparisons),
        "notes": list(notes),
    }


def _contests(
    matches: Sequence[Match],
    options: ComparisonOptions,
    facts: list[dict[str, Any]],
    notes: dict[str, None],
) -> Iterator[Contest]:
    """What is compared, one at a time; the runs of a setting are read once."""
    read: dict[str, tuple[RunFolder, ScoredItems]] = {}
    setting = None
    for match in matches:
        if match.setting != setting:
            read, setting = {}, match.setting
        for path in map(str, (*match.a.paths, *match.b.paths)):
            if path not in read:
                run = RunFolder.read(path)
                read[path] = run, scored_items(run, options.split)
        sides = [[read[str(path)] for path in side.paths] for side in (match.a, match.b)]
        items = _items([*sides[0], *sides[1]], options)
        seeds = [[run.record.seed for run, _ in side] for side in sides]
        scores = PairedClusters.of_items(
            items.correct[: len(sides[0])], items.correct[len(sides[0]) :], items.clusters
        )
        measure = MEASURES[sides[0][0][1].kind]
        facts.append(
            {
                "measure": measure,
                "items": len(items.clusters),
                "clusters": len(scores.sizes),
                "seeds": seeds,
            }
        )
        runs = [[run for run, _ in side] for side in sides]
        notes.update(dict.fromkeys(_notes(match, runs, seeds, items, facts[-1], options.split)))
        yield Contest(scores, seeds[0] == seeds[1])


def _items(
    runs: Sequence[tuple[RunFolder, ScoredItems]], options: ComparisonOptions
) -> AlignedItems:
    first, first_items = runs[0]
    for run, items in runs[1:]:
        if items.kind != first_items.kind or items.keys != first_items.keys:
            checked_items(first, run, first_items, items, options.split, options.common)
    aligned = align_items([items for _, items in runs])
    if not aligned.clusters:
        paths = ", ".join(str(run.path) for run, _ in runs)
        raise ValueError(f"These runs have no item in common: {paths}.")
    return aligned


def _notes(
    match: Match,
    runs: list[list[RunFolder]],
    seeds: list[list[int]],
    items: AlignedItems,
    facts: dict[str, Any],
    split: str,
) -> Iterator[str]:
    """What to say of a comparison; the same sentence is said once."""
    name = _title(match)
    for side, of_side in zip((match.a, match.b), seeds):
        if repeated := [seed for seed in of_side if of_side.count(seed) > 1]:
            raise ValueError(
                f"{side.name} has several runs with the seed {repeated[0]}: expected one of each seed, "
                f"found {', '.join(map(str, side.paths))}."
            )
    fewest, most = sorted(map(len, seeds))
    if most == 1:
        yield "Seeds were not varied: intervals and p-values say nothing of other seeds."
    elif fewest == 1:
        yield f"{name}: the side with one seed is taken to vary with seeds as much as the other."
    elif fewest == 2:
        yield "Two seeds tell little of how much seeds matter: that makes intervals wide."
    if facts["clusters"] < FEWEST_CLUSTERS:
        unit = "sentences" if facts["clusters"] < facts["items"] else "items"
        yield f"{name}: fewer than {FEWEST_CLUSTERS} {unit} cannot show any difference."
    if any(items.left_out):
        yield f"{name}: only the {facts['items']} items that all runs have are compared."
    yield from other_files(runs[0][0], runs[1][0], split)


def _title(match: Match) -> str:
    setting = ", ".join(str(value) for value in match.setting.values() if value is not None)
    return f"{setting}, {match.a.name} and {match.b.name}"


def _numbers(match: Match, facts: dict[str, Any], pair: PairComparison) -> dict[str, Any]:
    numbers: dict[str, Any] = {"setting": match.setting}
    for key, side, seeds, scores in zip(
        "ab", (match.a, match.b), facts["seeds"], (pair.scores_a, pair.scores_b)
    ):
        mean, sd = mean_and_sd(scores)
        numbers[key] = {
            "name": side.name,
            "paths": list(map(str, side.paths)),
            "seeds": seeds,
            "scores": scores,
            "score": mean,
            "sd": sd,
        }
    return {
        **numbers,
        **{key: facts[key] for key in ("measure", "items", "clusters")},
        "difference": pair.difference,
        "low": pair.low,
        "high": pair.high,
        "p_value": pair.p_value,
        "holm_p_value": pair.holm_p_value,
        "holm_low": pair.holm_low,
        "holm_high": pair.holm_high,
        "better": pair.better,
    }


def _sign_tests(comparisons: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each pair that is compared in several settings, how often each is ahead."""
    differences: dict[tuple[str, str], list[float]] = {}
    for each in comparisons:
        names = each["a"]["name"], each["b"]["name"]
        differences.setdefault(names, []).append(each["difference"])
    tests = {
        names: sign_test(of_pair) for names, of_pair in differences.items() if len(of_pair) > 1
    }
    corrected = holm([test.p_value for test in tests.values()]).p_values
    return [
        {
            "a": a,
            "b": b,
            "ahead_a": test.ahead_a,
            "ahead_b": test.ahead_b,
            "ties": test.ties,
            "p_value": float(test.p_value),
            "holm_p_value": float(p_value),
        }
        for ((a, b), test), p_value in zip(tests.items(), corrected)
    ]
