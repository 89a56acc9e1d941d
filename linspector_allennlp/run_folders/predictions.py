"""
The predictions of a run, in `validation_predictions.jsonl` and `test_predictions.jsonl` of its folder:
a JSON object a line, in the order of the data file. All numbers are 0-based, as in the readers, but
`line`, which is for people and editors.

| key | in records of | what it is |
|---|---|---|
| `item` | all | the number of the record in this file |
| `line` | all whose reader tells | the line of the data file, from 1; of a tree that where its sentence begins |
| `file` | runs with folds, or on parts of several files | the name of the data file |
| `sentence` | words in sentences, trees | its number in the file; in a task file, among the different ones |
| `sentence1`, `sentence2` | paired tokens | the same of each of the two |
| `sent_id` | treebanks that have it | the treebank's own name of the sentence |
| `input` | forms, pairs, tokens in context (paired, too), sentences, trees | what `linspector predict` takes |
| `group` | sentences | a number that the variants of a sentence share: those of the same tokens |
| `topic` | sentences that have one | as it is in the data |
| `fold` | runs with folds | the fold in which the item was tested, and its probe not trained on it |
| `form` | forms, words in sentences | the word as text (of pairs: `form1`, `form2`) |
| `index` | words in sentences | the place of the word in its sentence (of paired tokens: `index1`, `index2`) |
| `predicate` | semantic roles | the place of the predicate in the sentence |
| `label`, `gold` | labels, heads | the answer and the right one: a label, or the index of the head |
| `probability`, `gold_probability` | labels, heads | of these two; 0 if training has no such label, or null |
| `probabilities` | forms, pairs, tokens in context, sentences | of all labels |
| `correct` | labels, heads, roots | whether the answer is right: their mean is the accuracy |
| `known` | forms, words in sentences | whether it (of pairs: both) has a vector of its own, if that is known |
| `forms` | trees | the words of the sentence |
| `scored` | trees, parsers | for each word whether it counts; of parsers only where it does not |
| `head`, `gold_head` | parsers | indices, −1 of the root; `label`, `gold`: head (from 1 on) and relation |
| `edges`, `gold_edges` | distances | pairs of indices, of the words that count |
| `root`, `gold_root` | depths | indices; the answer is null if no word counts |
| `depths`, `gold_depths` | depths | for each word |

Those of a downstream task are words, as of labels.
A `recorded_run` of any other model has `item`, `line`, `sentence` and `sent_id` where its reader tells
them, and what the model itself makes readable of an instance.

The tables beside them (`….tsv`) have labels as they are; `None` is one of them in released data. pandas
reads that as text with `keep_default_na=False, quoting=3`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Optional

PLACE = ("line", "sentence", "sentence1", "sentence2", "sent_id")


def place_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The place of an instance in its data file, as far as its reader tells."""
    place = {key: metadata[key] for key in PLACE if metadata.get(key) not in (None, "")}
    file = metadata.get("one_of_files")
    return {"file": file, **place} if file else place


def words_of(metadata: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """For each probed word of a sentence of a treebank its place, and what it is."""
    words = zip(metadata["lines"], metadata["indices"], metadata["forms"])
    for line, index, form in words:
        yield {**place_of({**metadata, "line": line}), "index": index, "form": form}


def answer(
    label: Any, probability: Optional[float], gold: Any, gold_probability: Optional[float]
) -> dict[str, Any]:
    """The part of a record that says what was chosen, and what is right."""
    return {
        "label": label,
        "probability": probability,
        "gold": gold,
        "gold_probability": gold_probability,
        "correct": label == gold,
    }
