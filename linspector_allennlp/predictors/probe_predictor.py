import json
from typing import Any

from allennlp.common.util import JsonDict
from allennlp.predictors import Predictor


class ProbePredictor(Predictor):
    """
    What the predictors of the probes share: JSON lines in; out comes for each the `input`, the
    predicted `label`, and the `probabilities` by label name.
    """

    keys: list[str]
    """What a line must have."""

    _lines_read = 0

    def load_line(self, line: str) -> JsonDict:
        self._lines_read += 1
        try:
            json_dict = json.loads(line)
            self._values(json_dict)
        except ValueError as error:
            raise ValueError(
                f"item {self._lines_read} of the input, {line.strip()!r}: {error}"
            ) from error
        return json_dict

    def dump_line(self, outputs: JsonDict) -> str:
        return json.dumps(outputs, ensure_ascii=False) + "\n"

    def _values(self, json_dict: JsonDict) -> list[Any]:
        if not isinstance(json_dict, dict) or not set(self.keys) <= set(json_dict):
            raise ValueError(
                f"expected a JSON object with {', '.join(map(repr, self.keys))}, "
                f"found {json.dumps(json_dict, ensure_ascii=False)}"
            )
        return [json_dict[key] for key in self.keys]
