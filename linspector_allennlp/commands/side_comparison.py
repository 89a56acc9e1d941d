"""The numbers of comparisons of sides, each of which are runs that differ in their seeds."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from linspector_allennlp.analysis.multiple_tests import holm
from linspector_allennlp.analysis.pair_comparison import (
    Contest,
    PairComparison,
    compare_pairs,
    enough_samples,
    mean_and_sd,
)
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.sign_test import sign_test
from linspector_allennlp.analysis.task_points import one_per_task
from linspector_allennlp.commands.compared_sides import ComparisonOptions, Match
from linspector_allennlp.commands.comparison_text import FEWEST_CLUSTERS
from linspector_allennlp.commands.run_comparison import checked_items, other_files
from linspector_allennlp.run_folders.aligned_items import AlignedItems, align_items
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.scored_items import MEASURES, ScoredItems, scored_items


class PreparedMatch(NamedTuple):
    """
    What was read of the runs of a match.

    # Parameters

    contest : `Contest`
    measure : `str`
        The name of the share of right items.
    num_items : `int`
    seeds : `list[list[int]]`
        Of A, and of B.
    notes : `list[str]`
    """

    contest: Contest
    measure: str
    num_items: int
    seeds: list[list[int]]
    notes: list[str]


ReadRun = tuple[RunFolder, ScoredItems]


def side_comparison(matches: Sequence[Match], options: ComparisonOptions) -> dict[str, Any]:
    """All numbers of the comparisons, and notes on them, as `--json` has them."""
    prepared = list(_prepare_all(matches, options))
    samples = options.samples or enough_samples(len(matches))
    contests = [each.contest for each in prepared]
    compared = compare_pairs(contests, samples, options.seed, options.method)
    comparisons = list(map(_numbers, matches, prepared, compared))
    notes = [*_of_one_seed(prepared), *(note for each in prepared for note in each.notes)]
    return {
        "split": options.split,
        "method": options.method,
        "samples": samples,
        "seed": options.seed,
        "confidence": compared[0].confidence,
        "comparisons": comparisons,
        "sign_tests": _sign_tests(comparisons),
        "notes": list(dict.fromkeys(notes)),
    }


def _of_one_seed(prepared: Sequence[PreparedMatch]) -> Iterator[str]:
    """Which comparisons say nothing of other seeds."""
    one = sum(max(map(len, each.seeds)) == 1 for each in prepared)
    if one == len(prepared):
        yield "Seeds were not varied: intervals and p-values say nothing of other seeds."
    elif one:
        yield (
            f"{one} of {len(prepared)} comparisons are of one seed a side: their intervals and p-values say "
            "nothing of other seeds."
        )


def _prepare_all(matches: Sequence[Match], options: ComparisonOptions) -> Iterator[PreparedMatch]:
    """Each run of a setting is read once, and forgotten with its setting."""
    read: dict[str, ReadRun] = {}
    setting = None
    for match in matches:
        if match.setting != setting:
            read, setting = {}, match.setting
        for path in map(str, (*match.a.paths, *match.b.paths)):
            if path not in read:
                run = RunFolder.read(path)
                read[path] = run, scored_items(run, options.split)
        a, b = ([read[str(path)] for path in side.paths] for side in (match.a, match.b))
        yield _prepare(match, a, b, options)


def _prepare(
    match: Match, a: list[ReadRun], b: list[ReadRun], options: ComparisonOptions
) -> PreparedMatch:
    items = _items([*a, *b], options)
    seeds = [[run.record.seed for run, _ in side] for side in (a, b)]
    scores = PairedClusters.of_items(
        items.correct[: len(a)], items.correct[len(a) :], items.clusters
    )
    notes = [*_notes(match, scores, seeds, items), *other_files(a[0][0], b[0][0], options.split)]
    contest = Contest(scores, same_seeds=seeds[0] == seeds[1])
    return PreparedMatch(contest, MEASURES[a[0][1].kind], len(items.clusters), seeds, notes)


def _items(runs: Sequence[ReadRun], options: ComparisonOptions) -> AlignedItems:
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
    match: Match, scores: PairedClusters, seeds: list[list[int]], items: AlignedItems
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
    if most > 1 and fewest == 1:
        yield f"{name}: the side with one seed is taken to vary with seeds as much as the other."
    elif fewest == 2:
        yield "Two seeds tell little of how much seeds matter: that makes intervals wide."
    num_clusters, num_items = len(scores.sizes), len(items.clusters)
    if num_clusters < FEWEST_CLUSTERS:
        unit = "sentences" if num_clusters < num_items else "items"
        yield f"{name}: fewer than {FEWEST_CLUSTERS} {unit} cannot show any difference."
    if any(items.left_out):
        yield f"{name}: only the {num_items} items that all runs have are compared."


def _title(match: Match) -> str:
    setting = ", ".join(str(value) for value in match.setting.values() if value is not None)
    return f"{setting}, {match.a.name} and {match.b.name}"


def _numbers(match: Match, prepared: PreparedMatch, pair: PairComparison) -> dict[str, Any]:
    numbers: dict[str, Any] = {"setting": match.setting}
    for key, side, seeds, scores in zip(
        "ab", (match.a, match.b), prepared.seeds, (pair.scores_a, pair.scores_b)
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
        "measure": prepared.measure,
        "items": prepared.num_items,
        "clusters": len(prepared.contest.scores.sizes),
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
    """For each pair that is compared in several tasks of a level, how often each is ahead; a task counts once."""
    rows = [
        {
            **each["setting"],
            "a": each["a"]["name"],
            "b": each["b"]["name"],
            "difference": each["difference"],
        }
        for each in comparisons
    ]
    differences: dict[tuple[Any, str, str], list[float]] = {}
    for point in one_per_task(rows):
        key = point["level"], point["a"], point["b"]
        differences.setdefault(key, []).append(point["difference"])
    tests = {
        names: sign_test(of_pair) for names, of_pair in differences.items() if len(of_pair) > 1
    }
    corrected = holm([test.p_value for test in tests.values()]).p_values
    return [
        {
            "level": level,
            "a": a,
            "b": b,
            "ahead_a": test.ahead_a,
            "ahead_b": test.ahead_b,
            "ties": test.ties,
            "p_value": float(test.p_value),
            "holm_p_value": float(p_value),
        }
        for ((level, a, b), test), p_value in zip(tests.items(), corrected)
    ]
