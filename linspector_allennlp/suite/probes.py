"""The probes of a grid: which of them look at which data."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp import jsonnet
from linspector_allennlp.audit.task_kinds import SENTENCE, SENTENCE_WITH_TOPIC
from linspector_allennlp.io.missing_files import nearest
from linspector_allennlp.suite.downstream import (
    OF_FOLDERS,
    OF_TREEBANKS,
    is_downstream,
    task_of_kind,
)
from linspector_allennlp.suite.grid_values import check_keys, mapping_of, named_values
from linspector_allennlp.suite.suite_data import TREEBANK, TREES, SuiteData

TAGGING = ("tagging", "control_tasks.tagging")

# By kind of data the kinds of probes, as probe.libsonnet has them; the first is the default.
KINDS = {
    "single_form": ("single_form", "syneval"),
    "paired_forms": ("paired_forms",),
    "token_in_context": ("token_in_context",),
    "paired_tokens": ("paired_tokens",),
    SENTENCE: ("sentence",),
    SENTENCE_WITH_TOPIC: ("sentence",),
    TREEBANK: (
        *TAGGING, "edges", "control_tasks.edges", "distance", "depth", "perceptron", *OF_TREEBANKS,
    ),
    **{kind: (kind,) for kind in OF_FOLDERS},
}  # fmt: skip
ALL_KINDS = tuple(dict.fromkeys(kind for kinds in KINDS.values() for kind in kinds))

# The settings of a head, or the names of all.
HEAD = """
local heads = import 'linspector/heads.libsonnet';
local name = std.extVar('name');
if std.objectHasAll(heads, name) then heads[name](%s) else std.objectFieldsAll(heads)
"""


class ProbeOfSuite(NamedTuple):
    """
    # Parameters

    name : `str`, optional
        In the suite; `None` is the default probe of the data.
    kind : `str`, optional
        Of `probe.libsonnet`; else that of the data.
    changes : `Mapping[str, Any]`
        Of the config.
    """

    name: Optional[str]
    kind: Optional[str]
    changes: Mapping[str, Any]


class Question(NamedTuple):
    """
    A probe and the data that it looks at.

    # Parameters

    probe : `str`
        Its name in the table.
    kind : `str`
        Of `probe.libsonnet`.
    task : `str`
    given : `Mapping[str, Any]`
        What the config says of the task besides its data.
    changes : `Mapping[str, Any]`
    """

    probe: str
    kind: str
    task: str
    given: Mapping[str, Any]
    changes: Mapping[str, Any]


def read_probes(given: Any) -> list[ProbeOfSuite]:
    """The probes of a grid; without any, the default one of all data."""
    named = named_values("probes", given or {})
    return [_probe(name, value) for name, value in named.items()] or [ProbeOfSuite(None, None, {})]


def questions(data: SuiteData, probes: list[ProbeOfSuite]) -> Iterator[Question]:
    """What these probes ask of the data; a treebank's own probes are in their place."""
    kinds = KINDS[data.kind]
    of_data = probes if data.probes is None else read_probes(data.probes)
    for probe in of_data:
        if probe.kind is not None and probe.kind not in kinds:
            continue
        kind = probe.kind or kinds[0]
        name = probe.name or kind
        if data.kind != TREEBANK:
            given = {"topic": "encode"} if data.kind == SENTENCE_WITH_TOPIC else {}
            yield Question(name, kind, data.task, given, probe.changes)
        elif is_downstream(kind):
            yield Question(name, kind, task_of_kind(kind), {}, probe.changes)
        elif kind not in TAGGING:
            yield Question(name, kind, TREES, {}, probe.changes)
        for target in data.targets if kind in TAGGING else ():
            task = target if isinstance(target, str) else "+".join(target)
            yield Question(name, kind, task, {"target": target}, probe.changes)


def _probe(name: Optional[str], value: Any) -> ProbeOfSuite:
    of_name = name if name in ALL_KINDS else None
    if isinstance(value, str):
        return (
            ProbeOfSuite(name, value, {})
            if value in ALL_KINDS
            else ProbeOfSuite(name, of_name, {"model": {"head": head(value)}})
        )
    changes = dict(value) if isinstance(value, Mapping) else {}
    kind = changes.pop("kind", of_name)
    is_kind = kind is None or isinstance(kind, str)
    if not is_kind or not (value is None or isinstance(value, Mapping)):
        raise ConfigurationError(
            f"probes: expected of {name} a kind, a head or changes of the config, found {value!r}."
        )
    if kind is not None:
        check_keys("probes", {kind: None}, ALL_KINDS)
    if "head" in changes:
        given = changes.pop("head")
        model = mapping_of(f"probes: model of {name}", changes.get("model", {}))
        of_head = (
            head(given) if isinstance(given, str) else mapping_of(f"probes: head of {name}", given)
        )
        changes["model"] = {**model, "head": of_head}
    return ProbeOfSuite(name, kind, changes)


@lru_cache
def head(text: str) -> dict[str, Any]:
    """
    The settings of a head by a text: a function of `heads.libsonnet`, and behind colons what it takes, in
    its order or as key=value: `linear`, `low_rank:10`, `mlp:[100]:dropout=0.1`. A colon inside is written
    as `\\:`.
    """
    name, *parts = text.replace("\\:", "\0").split(":")
    arguments = ", ".join(_argument(part.replace("\0", ":")) for part in parts)
    found = jsonnet.evaluate(HEAD % arguments, name=name)
    if isinstance(found, list):
        raise ConfigurationError(
            f"probes: there is neither a probe nor a head called {name:.200}."
            f"{nearest(name, [*ALL_KINDS, *found])} Expected one of {', '.join(ALL_KINDS)}; or "
            f"of {', '.join(found)}."
        )
    return found


def _argument(part: str) -> str:
    key, equals, value = part.rpartition("=")
    if not key.isidentifier():
        key, equals, value = "", "", part
    try:
        json.loads(value)
    except ValueError:
        value = json.dumps(value)
    return f"{key}{equals}{value}"
