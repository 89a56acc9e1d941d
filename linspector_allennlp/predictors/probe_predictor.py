import json
from collections.abc import Callable
from typing import Any

from allennlp.common.util import JsonDict
from allennlp.predictors import Predictor


def is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_sentence(value: Any) -> bool:
    return is_word(value) or (isinstance(value, list) and bool(value) and all(map(is_word, value)))


def is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class ProbePredictor(Predictor):
    """
    What the predictors of the probes share: JSON lines in; out comes for each the `input`, the
    predicted `label`, and the `probabilities` by label name.
    """

    keys: dict[str, tuple[str, Callable[[Any], bool]]]
    """What an input must have: by name what it is, and how to tell."""

    _items_read = 0

    def load_line(self, line: str) -> JsonDict:
        self._items_read += 1
        try:
            json_dict = json.loads(line)
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
                expected = ", ".join(f'"{name}": {what}' for name, (what, _) in self.keys.items())
                found = json.dumps(json_dict, ensure_ascii=False)
                raise ValueError(f"expected {{{expected}}}, found {found}")
        return [json_dict[name] for name in self.keys]
