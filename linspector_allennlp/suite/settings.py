"""The settings of probe runs from plain arguments, by the libraries that configs import."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp import jsonnet
from linspector_allennlp.io.files import PathLike

REPRESENTATION = "(import 'linspector/representations.libsonnet').named(std.extVar('name'))"

ENCODED = "(import 'linspector/encoders.libsonnet').named(std.extVar('name'), std.extVar('given'))"

PROBE = """
local transfer_to = (import 'linspector/probe.libsonnet').transfer_to;
local all = import 'linspector/kinds.libsonnet';
local kind = std.extVar('kind');
local given = std.extVar('given');
local test = std.extVar('test');
local kinds = std.objectFields(all);
if !std.member(kinds, kind)
then error "there is no probe '%s': expected one of %s." % [kind, std.join(', ', kinds)]
else if std.objectHas(given, 'target') && !std.objectHasAll(all[kind], 'target')
then error 'target: a probe of %s has none; tagging has.' % kind
else all[kind] + given + if test == null then {} else transfer_to(test.data, test.representation)
"""

TEST_KEYS = {"data", "representation"}


def representation(name: str) -> dict[str, Any]:
    """
    The settings of a representation by its name, as the environment variable `VECTORS` has it:
    `char_ngrams`, `fi.vec`, `transformer:bert-base-multilingual-cased:8`. The names and what they take
    are in `linspector/representations.libsonnet`.
    """
    return jsonnet.evaluate(REPRESENTATION, name=name)


def probe_config(
    kind: str,
    data: Union[PathLike, Mapping[str, Any]],
    representation: Union[str, Mapping[str, Any]],
    seed: Optional[int] = None,
    target: Union[None, str, Sequence[str]] = None,
    head: Optional[Mapping[str, Any]] = None,
    encoder: Optional[str] = None,
    test: Optional[Mapping[str, Any]] = None,
    **changes: Any,
) -> dict[str, Any]:
    """
    The settings of a probe run, for a `Job`: what a config gives that says the same.

    # Parameters

    kind : `str`
        A probe of `linspector/probe.libsonnet`: `single_form`, `tagging`, `distance`, …; or a task of
        `linspector/downstream.libsonnet`, as `downstream.pos`.
    data : `Union[PathLike, Mapping[str, Any]]`
        A task folder; of a treebank how the names of its files begin, as `UD_Finnish-TDT/fi_tdt-ud`, or
        the files to divide: `{"files": [...], "split": "8:1:1", "max_sentences": 12000}`.
    representation : `Union[str, Mapping[str, Any]]`
        Its name, as `char_ngrams` (see the function of this name), or its settings.
    seed : `int`, optional (default = `13`)
    target : `Union[str, Sequence[str]]`, optional
        Of `tagging`: `upos`, `deprel`, `Case`, …
    head : `Mapping[str, Any]`, optional
        The settings of the head, in the place of those of the study: an `mlp` has no dropout unless
        it is given here.
    encoder : `str`, optional
        Of `sentence`: the name of an encoder, as `average` or `borep:dimension=1024`; the names and what
        they take are in `linspector/encoders.libsonnet`.
    test : `Mapping[str, Any]`, optional
        The test data of another language or domain: its `data`, and over aligned vectors the
        `representation` of its words; each as above.
    changes : `Any`
        Other settings, by their names at the top of a config. Those of a mapping are put into the one
        that is there: `trainer={"num_epochs": 5}`.
    """
    given = {
        "data": _data(data),
        "representation": _settings_of(representation, encoder),
        **({} if seed is None else {"seed": seed}),
        **({} if target is None else {"target": target}),
    }
    if test is not None:
        if "data" not in test or not test.keys() <= TEST_KEYS:
            raise ConfigurationError(
                f"test: expected data and, over aligned vectors, representation; found {dict(test)}."
            )
        of_test = test.get("representation")
        test = {
            "data": _data(test["data"]),
            "representation": None if of_test is None else _settings_of(of_test, encoder),
        }
    settings = jsonnet.evaluate(PROBE, kind=kind, given=given, test=test)
    if head is not None:
        changes["model"] = {**changes.get("model", {}), "head": dict(head)}
    for name, value in changes.items():
        is_added = isinstance(value, Mapping) and isinstance(settings.get(name), dict)
        settings[name] = {**settings[name], **value} if is_added else value
    return settings


def _data(data: Union[PathLike, Mapping[str, Any]]) -> Union[str, dict[str, Any]]:
    return dict(data) if isinstance(data, Mapping) else os.fspath(data)


def _settings_of(given: Union[str, Mapping[str, Any]], encoder: Optional[str]) -> Mapping[str, Any]:
    """The settings of a representation by its name, with this encoder of sentences over it."""
    settings = representation(given) if isinstance(given, str) else given
    return settings if encoder is None else jsonnet.evaluate(ENCODED, name=encoder, given=settings)
