"""
UD features as UniMorph tags, by the table `ud_features.tsv`, which follows McCarthy et al. (2018),
"Marrying Universal Dependencies and Universal Morphology", and the treebanks that came of it: the
locative is `ESS`, auxiliaries are verbs. `UPOS=NOUN` stands for the column UPOS. A row
without tags says that there is nothing to say of a feature: a comma is no unknown word.

The last rows are how treebanks of SPMRL 2014 spell features: German (`case=nom`), French (`g=m`), Hebrew
(`gen=M`), Hungarian (`Cas=n`; `none` is no value) and Basque (`KAS=ABS`).
"""

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple, Optional

PART_OF_VALUE = re.compile(r"[A-Z][a-z]*")


class UdTags(NamedTuple):
    """The UniMorph tags of a word, and its features that have none ("NumType=Card")."""

    tags: tuple[str, ...]
    unknown: tuple[str, ...]


def values_of(feats: str, feature: str) -> tuple[str, ...]:
    """
    The values that the column FEATS has for a feature of UD's (`Case`), as they are written there. The
    feature may have the name that a treebank of SPMRL has for it.
    """
    pairs = [part.partition("=")[::2] for part in feats.split("|")]
    singles, _ = _table()
    found = {
        value: None
        for name, value in pairs
        if name in spellings(feature) and singles.get(f"{name}={value}") != ()
    }
    return tuple(found)


@cache
def spellings(feature: str) -> frozenset[str]:
    """The names that the table has for a feature of UD's: those all of whose tags are its tags."""
    tags_of: dict[str, set[tuple[str, ...]]] = {}
    for single, tags in _table()[0].items():
        tags_of.setdefault(single.partition("=")[0], set()).update([tags] if tags else [])
    own = tags_of.get(feature, set())
    return frozenset({feature, *(name for name, tags in tags_of.items() if tags and tags <= own)})


class _Rule(NamedTuple):
    features: frozenset[str]
    tags: tuple[str, ...]


def unimorph_tags(feats: str, upos: str = "") -> UdTags:
    """
    The UniMorph tags of a word's columns FEATS and UPOS. Several values are alternatives
    (`Case=Acc,Dat` is `ACC/DAT`), a value of several parts is all of them (`Voice=CauPass` is
    `CAUS+PASS`). A row of the table with several features goes before those with fewer, and
    uses its features up.
    """
    features = {*filter(None, feats.split("|")), *([f"UPOS={upos}"] if upos else [])}
    singles, several = _table()
    tags: list[str] = []
    unknown = []
    for rule in several:
        if rule.features <= features:
            tags += rule.tags
            features -= rule.features
    for feature in sorted(features):
        found = _tags_of(feature, singles)
        if found is None:
            unknown.append(feature)
        else:
            tags += found
    return UdTags(tuple(dict.fromkeys(tags)), tuple(unknown))


def _tags_of(feature: str, singles: dict[str, tuple[str, ...]]) -> Optional[tuple[str, ...]]:
    name, _, values = feature.partition("=")
    options = [_tags_of_value(name, value, singles) for value in values.split(",")]
    known = [option for option in options if option is not None]
    if len(known) < len(options):
        return None
    if len(known) == 1:
        return known[0]
    return ("/".join(dict.fromkeys("+".join(option) for option in known)),)


def _tags_of_value(
    name: str, value: str, singles: dict[str, tuple[str, ...]]
) -> Optional[tuple[str, ...]]:
    whole = singles.get(f"{name}={value}")
    parts = PART_OF_VALUE.findall(value)
    if whole is not None or len(parts) < 2 or "".join(parts) != value:
        return whole
    tags = [singles.get(f"{name}={part}") for part in parts]
    known = [tag for part in tags if part is not None for tag in part]
    return None if None in tags else ("+".join(known),)


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, tuple[str, ...]], list[_Rule]]:
    """The rows for one feature, and those for several, the most demanding first."""
    text = files(__package__).joinpath("ud_features.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    rules = [
        _Rule(frozenset(ud.split("|")), tuple(filter(None, tags.split(";")))) for ud, tags in rows
    ]
    singles = {"".join(rule.features): rule.tags for rule in rules if len(rule.features) == 1}
    several = [rule for rule in rules if len(rule.features) > 1]
    return singles, sorted(several, key=lambda rule: (-len(rule.features), sorted(rule.features)))
