"""The names of the tasks, which are those of their folders; syneval's are in `syneval_values`."""

from collections.abc import Iterable
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.schema import LANGUAGE_SPECIFIC, POS, dimensions

FEATURE_TASKS = [name for name in dimensions() if name not in (POS, LANGUAGE_SPECIFIC)]
TAG_COUNT = "TagCount"
CHARACTER_BIN = "CharacterBin"
ODD_FEATURE = "OddFeat"
SHARED_FEATURE = "SameFeat"
PSEUDOWORD_TASK = "Pseudo"

TOKEN_TASKS = [
    *(name for name in dimensions() if name != LANGUAGE_SPECIFIC), TAG_COUNT, CHARACTER_BIN,
]  # fmt: skip


def checked_tasks(wanted: Optional[Iterable[str]], known: Iterable[str]) -> Optional[list[str]]:
    """The tasks that were asked for, as they are spelt; an unknown one is an error."""
    if wanted is None:
        return None
    wanted = [name for names in wanted for name in names.split(",") if name]
    spelling = {name.lower(): name for name in known}
    unknown = [name for name in wanted if name.lower() not in spelling]
    if unknown:
        raise ConfigurationError(
            f"--tasks: no {', '.join(unknown)}. There are {', '.join(spelling.values())}."
        )
    return list(dict.fromkeys(spelling[name.lower()] for name in wanted))
