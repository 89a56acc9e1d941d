import collections.abc
import inspect
from collections.abc import Mapping
from types import UnionType
from typing import Any, Optional, Union, get_args, get_origin, get_type_hints

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, Token
from allennlp.data.fields import TextField

from linspector_allennlp.representations.words import Words

_SEQUENCES = list, collections.abc.Sequence, collections.abc.Iterable


class SentenceInstances:
    """
    Makes instances of sentences by a dataset reader that was written for something else: its
    `text_to_instance` gets the words as its first argument, in the form for which it is annotated
    (`List[Token]`, `List[str]`, `str`), and no labels.

    # Parameters

    reader : `DatasetReader`
    extra_inputs : `Mapping[str, str]`, optional (default = `None`)
        Values for other arguments that it needs. An argument that is a list gets the value once
        for each word.
    """

    def __init__(
        self, reader: DatasetReader, extra_inputs: Optional[Mapping[str, str]] = None
    ) -> None:
        self._reader = reader
        self._extra_inputs = dict(extra_inputs or {})
        method = reader.text_to_instance
        parameters = [
            parameter
            for parameter in inspect.signature(method).parameters.values()
            if parameter.kind != inspect.Parameter.VAR_POSITIONAL
        ]
        if not parameters or parameters[0].kind == inspect.Parameter.VAR_KEYWORD:
            raise ConfigurationError(
                f"{type(reader).__name__}: expected text_to_instance with the words as its first "
                "argument, found none: the model cannot be given a sentence."
            )
        self._hints = _annotations(method)
        self._words, *others = parameters
        self._check_extra_inputs(others)

    def instance(self, words: Words) -> tuple[Instance, str]:
        """The instance, ready to be indexed, and the name of the field with the words."""
        arguments = {
            name: self._extra_argument(name, value, len(words))
            for name, value in self._extra_inputs.items()
        }
        instance = self._reader.text_to_instance(self._first_argument(words), **arguments)
        self._reader.apply_token_indexers(instance)
        for name, field in instance.fields.items():
            if isinstance(field, TextField):
                if len(field.tokens) != len(words):
                    raise ValueError(
                        f"{type(self._reader).__name__}: expected {len(words)} tokens, one for each "
                        f"word of {' '.join(words)!r}, found {len(field.tokens)}: this reader "
                        "tokenises on its own, so the words have no vectors of their own."
                    )
                return instance, name
        raise ConfigurationError(
            f"{type(self._reader).__name__}: expected instances with a TextField for the words, "
            f"found the fields {', '.join(instance.fields)}."
        )

    def _first_argument(self, words: Words) -> Any:
        annotation = self._hints.get(self._words.name, list[str])
        if annotation is str:
            return " ".join(words)
        element = next(iter(get_args(annotation)), str)
        if get_origin(annotation) in _SEQUENCES and element in (str, Token):
            return [element(word) for word in words]
        raise ConfigurationError(
            f"{type(self._reader).__name__}: expected text_to_instance with the words as its first "
            f"argument (List[Token], List[str] or str), found {self._words}."
        )

    def _extra_argument(self, name: str, value: str, num_words: int) -> Any:
        annotation = self._hints.get(name, list[str])
        is_list = get_origin(annotation) in _SEQUENCES
        kind = next(iter(get_args(annotation)), str) if is_list else annotation
        if kind in (int, float):
            try:
                value = kind(value)
            except ValueError as error:
                raise ConfigurationError(
                    f"extra_inputs: expected a number for {name}, found {value!r}."
                ) from error
        return [value] * num_words if is_list else value

    def _check_extra_inputs(self, others: list[inspect.Parameter]) -> None:
        missing = [
            parameter.name
            for parameter in others
            if parameter.default is parameter.empty
            and parameter.kind != inspect.Parameter.VAR_KEYWORD
            and parameter.name not in self._extra_inputs
        ]
        if missing:
            raise ConfigurationError(
                f"{type(self._reader).__name__} needs more than words: {', '.join(missing)}. Give a "
                f'value, e.g. "extra_inputs": {{"{missing[0]}": "X"}}; an argument that is a list '
                "gets it for each word."
            )
        known = {parameter.name for parameter in others}
        unknown = sorted(self._extra_inputs.keys() - known)
        if unknown and all(other.kind != inspect.Parameter.VAR_KEYWORD for other in others):
            raise ConfigurationError(
                f"extra_inputs: {type(self._reader).__name__} takes no {', '.join(unknown)}, only "
                f"{', '.join(sorted(known)) or 'words'}."
            )


def _annotations(method: Any) -> dict[str, Any]:
    """The types of the arguments, where they are given and can be found, without `Optional`."""
    try:
        hints = get_type_hints(method)
    except (NameError, TypeError):  # names that were imported for a type checker alone
        return {}
    return {name: _without_optional(hint) for name, hint in hints.items()}


def _without_optional(hint: Any) -> Any:
    others = [part for part in get_args(hint) if part is not type(None)]
    return others[0] if get_origin(hint) in (Union, UnionType) and len(others) == 1 else hint
