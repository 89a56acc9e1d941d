"""Predictors, one for each reader: JSON lines in, answers of a trained probe out."""

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors import Predictor

from linspector_allennlp.dataset_readers.nli import NliReader


def is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_sentence(value: Any) -> bool:
    return is_word(value) or (isinstance(value, list) and bool(value) and all(map(is_word, value)))


def is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class ProbePredictor(Predictor):
    """
    The base of the predictors of probes: JSON lines in; out comes for each the `input`, the predicted
    `label` with its `probability`, and the `probabilities` by label name. The keys mean what they mean in
    the predictions of a run folder (`run_folders.predictions`).
    """

    keys: dict[str, tuple[str, Callable[[Any], bool]]]
    """The keys of an input: for each a description of its value, and a test of it."""

    _items_read = 0

    def load_line(self, line: str) -> JsonDict:
        self._items_read += 1
        try:
            json_dict = json.loads(line)
        except ValueError as error:
            raise ValueError(
                f"item {self._items_read} of the input: expected JSON, such as {self._expected()}, found "
                f"{line.strip()[:60]!r}. For a data file, say --use-dataset-reader."
            ) from error
        try:
            self._values(json_dict)
        except ValueError as error:
            raise ValueError(f"item {self._items_read} of the input: {error}") from error
        return json_dict

    def dump_line(self, outputs: JsonDict) -> str:
        return json.dumps(outputs, ensure_ascii=False) + "\n"

    def _values(self, json_dict: JsonDict) -> list[Any]:
        """The values of the keys, in their order."""
        for name, (_, is_right) in self.keys.items():
            if not isinstance(json_dict, dict) or not is_right(json_dict.get(name)):
                found = json.dumps(json_dict, ensure_ascii=False)
                raise ValueError(f"expected {self._expected()}, found {found}")
        return [json_dict[name] for name in self.keys]

    def _expected(self) -> str:
        keys = ", ".join(f'"{name}": {what}' for name, (what, _) in self.keys.items())
        return f"{{{keys}}}"


@Predictor.register("single_form")
@Predictor.register("single_form_probe")
class SingleFormPredictor(ProbePredictor):
    """
    Labels a word form: `{"form": "talossa"}`.

    Registered as a `Predictor` with names "single_form_probe" and "single_form".
    """

    keys = {"form": ("a word", is_word)}

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        (form,) = self._values(json_dict)
        return self._dataset_reader.text_to_instance(form)


@Predictor.register("paired_forms")
@Predictor.register("paired_forms_probe")
class PairedFormsPredictor(ProbePredictor):
    """
    Labels a pair of word forms: `{"form1": "talossa", "form2": "talosta"}`.

    Registered as a `Predictor` with names "paired_forms_probe" and "paired_forms".
    """

    keys = {"form1": ("a word", is_word), "form2": ("a word", is_word)}

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        form1, form2 = self._values(json_dict)
        return self._dataset_reader.text_to_instance(form1, form2)


@Predictor.register("token_in_context")
@Predictor.register("token_in_context_probe")
class TokenInContextPredictor(ProbePredictor):
    """
    Labels a token of a sentence: `{"sentence": "Koira nukkuu talossa .", "index": 2}`. The
    sentence is a string of tokens joined by single spaces, or a list of tokens.

    Registered as a `Predictor` with names "token_in_context_probe" and "token_in_context".
    """

    keys = {
        "sentence": ("words joined by one space, or a list of words", is_sentence),
        "index": ("a number from 0", is_index),
    }

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        sentence, index = self._values(json_dict)
        tokens = sentence.split(" ") if isinstance(sentence, str) else sentence
        return self._dataset_reader.text_to_instance(tokens, index)


@Predictor.register("paired_tokens")
@Predictor.register("paired_tokens_probe")
class PairedTokensPredictor(ProbePredictor):
    """
    Labels a pair of tokens of two sentences: `{"sentence1": "Koira nukkuu talossa .", "index1": 2,
    "sentence2": "Kissa tuli talosta .", "index2": 2}`. A sentence is a string of tokens joined by single
    spaces, or a list of tokens.

    Registered as a `Predictor` with names "paired_tokens_probe" and "paired_tokens".
    """

    keys = {
        "sentence1": ("words joined by one space, or a list of words", is_sentence),
        "index1": ("a number from 0", is_index),
        "sentence2": ("words joined by one space, or a list of words", is_sentence),
        "index2": ("a number from 0", is_index),
    }

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        first, index1, second, index2 = self._values(json_dict)
        tokens1, tokens2 = (
            text.split(" ") if isinstance(text, str) else text for text in (first, second)
        )
        return self._dataset_reader.text_to_instance(tokens1, index1, tokens2, index2)


@Predictor.register("sentence_label")
@Predictor.register("sentence_probe")
class SentenceLabelPredictor(ProbePredictor):
    """
    Labels a sentence: `{"sentence": "Koira nukkuu talossa ."}`, text that is cut into tokens as the data
    of the probe were, or a list of tokens; with a `topic` if the probe was trained with topics.

    Registered as a `Predictor` with names "sentence_probe" and "sentence_label".
    """

    keys = {"sentence": ("text, or a list of words", is_sentence)}

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        (sentence,) = self._values(json_dict)
        topic = json_dict.get("topic")
        if topic is not None and not is_sentence(topic):
            raise ValueError(f"topic: expected text, or a list of words, found {topic!r}.")
        return self._dataset_reader.text_to_instance(sentence, topic)


class WordsPredictor(ProbePredictor):
    """
    The base of predictors that answer for each word of a sentence:
    `{"sentence": "Koira nukkuu talossa ."}`, a string of tokens joined by single spaces, or a list of
    tokens.
    """

    keys = {"sentence": ("words joined by one space, or a list of words", is_sentence)}

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self._dataset_reader.text_to_instance(self._tokens(json_dict))

    def _tokens(self, json_dict: JsonDict) -> list[str]:
        (sentence,) = self._values(json_dict)
        return sentence.split(" ") if isinstance(sentence, str) else sentence


@Predictor.register("token_tags")
@Predictor.register("tagging_probe")
class TokenTagsPredictor(WordsPredictor):
    """
    Labels all words of a sentence, its `forms`: `labels`, and their `probabilities`.

    Registered as a `Predictor` with names "tagging_probe" and "token_tags".
    """


@Predictor.register("dependency_tree")
@Predictor.register("distance_probe")
@Predictor.register("perceptron_probe")
@Predictor.register("depth_probe")
@Predictor.register("edge_probe")
class DependencyTreePredictor(WordsPredictor):
    """
    Gives the tree of a sentence, whose words are its `forms`, as a probe of syntax sees it: of
    `distance_probe` and `perceptron_probe` the `edges` of the minimum spanning tree (pairs of
    indices, from 0 on) and the `distances`, of `depth_probe` the `depths` and the `root`, of
    `edge_probe` the `heads`.

    Registered as a `Predictor` with names "dependency_tree", "distance_probe", "perceptron_probe",
    "depth_probe" and "edge_probe".
    """


@Predictor.register("semantic_roles")
@Predictor.register("dependency_srl")
@Predictor.register("char_trigram_srl")
class SemanticRolesPredictor(WordsPredictor):
    """
    Gives the `roles` of all words of a sentence for the word at `predicate`, a number from 0:
    `{"sentence": "Nainen osti kirjan .", "predicate": 1}`. Without it no word is the predicate.

    Registered as a `Predictor` with names "semantic_roles", "dependency_srl" and "char_trigram_srl".
    """

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        tokens = self._tokens(json_dict)
        predicate = json_dict.get("predicate")
        if predicate is not None and not is_index(predicate):
            raise ValueError(f"predicate: expected a number from 0, found {predicate!r}.")
        return self._dataset_reader.text_to_instance(tokens, predicate)


@Predictor.register("sized_model")
class ReaderInputPredictor(ProbePredictor):
    """
    Gives what a model of a downstream task makes readable, but for numbers such as probabilities. The keys
    of an input are what the reader of the model takes: of a tagger `{"tokens": "Koira nukkuu ."}`, of a
    parser also `"pos_tags": "NOUN VERB PUNCT"`, of natural language inference `"premise"` and `"hypothesis"`.
    Each is a string of words joined by single spaces, or a list; a reader that has a tokenizer cuts strings.

    Registered as a `Predictor` with name "sized_model".
    """

    def __init__(self, model: Model, dataset_reader: DatasetReader, frozen: bool = True) -> None:
        super().__init__(model, dataset_reader, frozen)
        takes = inspect.signature(dataset_reader.text_to_instance).parameters.values()
        needed = [each.name for each in takes if each.default is inspect.Parameter.empty]
        self.keys = dict.fromkeys(
            needed, ("words joined by one space, or a list of words", is_sentence)
        )
        self._cuts_text = isinstance(dataset_reader, NliReader)

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        values = self._values(json_dict)
        words = [
            value.split(" ") if isinstance(value, str) and not self._cuts_text else value
            for value in values
        ]
        counts = {name: len(each) for name, each in zip(self.keys, words)}
        if "pos_tags" in counts and counts["pos_tags"] != counts["tokens"]:
            raise ValueError(
                f"expected a tag for each of {counts['tokens']} tokens, found {counts}."
            )
        return self._dataset_reader.text_to_instance(*words)

    def dump_line(self, outputs: JsonDict) -> str:
        return super().dump_line({k: v for k, v in outputs.items() if not _has_numbers(v)})


def _has_numbers(value: Any) -> bool:
    """Whether there are floating-point numbers in it: probabilities, losses."""
    if isinstance(value, Mapping):
        return any(map(_has_numbers, value.values()))
    return any(map(_has_numbers, value)) if isinstance(value, list) else isinstance(value, float)
