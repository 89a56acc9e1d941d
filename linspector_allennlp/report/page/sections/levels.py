"""Words as such beside words in sentences: tasks of both levels, and representations of words alone."""

from collections.abc import Iterator

import pandas

from linspector_allennlp.analysis.tidy_scores import name_systems, present
from linspector_allennlp.analysis.types_and_tokens import tasks_of_one_level, types_and_tokens
from linspector_allennlp.analysis.wording import count, in_words, some
from linspector_allennlp.analysis.words_alone import alone_and_in_sentence, alone_names
from linspector_allennlp.report.page.cells import cell_text
from linspector_allennlp.report.page.model import Part, Words
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.pairs import Sides, clear_differences, pair_figures

LEVELS = Sides(
    "levels",
    "Type and token level",
    "type level",
    "token level",
    "The same task of words as such and of words in sentences, which are other test items.",
)
ALONE_WORDS = (
    "The same words and the same model, which gets each word alone or in its sentence. The gap is what the "
    "sentence tells: a sign of how ambiguous the form is."
)

MAJORITIES = ["a_majority", "b_majority"]


def levels(data: ReportData) -> Iterator[Part]:
    for part in (_types_and_tokens, _alone):
        try:
            yield from part(data)
        except ValueError as error:
            yield Words([f"Not shown: {error}"])


def _types_and_tokens(data: ReportData) -> Iterator[Part]:
    if "level" not in data.scores:
        yield Words(
            ["The table has no column level: types and tokens cannot be told."], LEVELS.title
        )
        return
    found = types_and_tokens(data.scores)
    if found.empty:
        yield Words(
            ["No task is there at type level and at token level with the same representation."],
            LEVELS.title,
        )
        return
    sentences = [_gaps(data, found, "at type level", "at token level")]
    sentences += [
        f"At {level} level only: {some(tasks)}."
        for level, tasks in tasks_of_one_level(data.scores).items()
        if tasks
    ]
    if "a_labels" in found and (found["a_labels"] != found["b_labels"]).any():
        names = found.loc[found["a_labels"] != found["b_labels"], "task"]
        sentences.append(
            f"The levels differ in the number of labels: {some(dict.fromkeys(names))}."
        )
    sentences.append(
        "A context makes no difference to vectors of a word alone: what they gain or lose is due to other items."
    )
    yield Words(sentences, LEVELS.title)
    yield from pair_figures(data, found, LEVELS)


def _alone(data: ReportData) -> Iterator[Part]:
    title = "A word alone and in its sentence"
    names = alone_names(data.table)
    found = alone_and_in_sentence(data.scores, names) if names else data.scores.iloc[:0]
    if found.empty:
        yield Words(
            [
                "No representation is there with words alone (alone: true) and with words in their sentences: "
                "nothing tells what the sentence adds."
            ],
            title,
        )
        return
    sides = Sides(
        "alone", title, "alone", "in its sentence", ALONE_WORDS, {b: a for a, b in names.items()}
    )
    sentences = [_gaps(data, found, sides.a, sides.b)]
    if present(found, ["difference_low"]):
        sentences.append(
            "The intervals are those of different items, and so too wide for the same ones."
            + (" The test of both is under Differences." if data.predictions is not None else "")
        )
    yield Words(sentences, title)
    yield from pair_figures(data, found, sides)


def _gaps(data: ReportData, found: pandas.DataFrame, a: str, b: str) -> str:
    """
    How many scores are higher which way, and the largest gap, of tasks with as many labels on both sides: of the
    scores above the majority of each side, where it is known.
    """
    higher = int((found["difference"] > 0).sum())
    clear = ""
    if "difference_low" in found:
        number = len(clear_differences(found))
        clear = f"; in {number} of {len(found)} the interval of the difference does not hold 0"
    are = "is" if higher == 1 else "are"
    counted = f"{higher} of {count(found, 'score')} {are} higher {b} than {a}{clear}."
    alike = found
    if "a_labels" in found:
        differ = found["a_labels"].notna() & found["b_labels"].notna()
        alike = found[~(differ & (found["a_labels"] != found["b_labels"]))]
    if alike.empty:
        return counted
    gap, has_majorities = alike["difference"], len(present(alike, MAJORITIES)) == 2
    if has_majorities:
        gap = gap - (alike["b_majority"] - alike["a_majority"]).fillna(0)
    row = alike.loc[gap.abs().idxmax()]
    place = [str(row[name]) for name in ("language", "task") if name in row]
    system = name_systems(found.loc[[row.name]]).iloc[0]
    low, high = (cell_text(row[side], data.form) for side in "ab")
    beside, above = ["", ""], ""
    if has_majorities and row[MAJORITIES].notna().all():
        beside = [f" (majority {cell_text(row[name], data.form)})" for name in MAJORITIES]
        above = " above the majorities"
    return (
        f"{counted} The largest gap{above} is that of {in_words([*place, system])}: {low} {a}{beside[0]}, "
        f"{high} {b}{beside[1]}."
    )
