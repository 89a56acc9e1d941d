"""
AllenNLP's own models (allennlp-models), imported when a name is asked for that only they can have: at every start
they would take half a second, and try to download data that nothing here needs.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from allennlp.common import Params, Registrable, plugins
from allennlp.common.util import import_module_and_submodules

from linspector_allennlp.installation import MODELS, missing_models

TOOLS = {f"{MODELS}.rc.tools"}
"""Scripts, one of which downloads data when it is imported. What models need of them they import themselves."""

_pop_choice = Params.pop_choice


def put_off_models() -> None:
    """Has AllenNLP's command line start without these models; see `find_models_late`."""
    others = tuple(name for name in plugins.DEFAULT_PLUGINS if name != MODELS)
    plugins.DEFAULT_PLUGINS = others  # type: ignore[assignment]


def find_models_late() -> None:
    """
    Has AllenNLP import these models, if they are installed, where a config has a name that nothing else has;
    a name that is none is refused where names are looked up, too.
    """
    Params.pop_choice = _pop_choice_late  # type: ignore
    # What is there by now looks at paths (see `guarded`), and goes on to do so.
    late = _late(vars(Registrable)["resolve_class_name"].__func__)
    Registrable.resolve_class_name = classmethod(late)  # type: ignore


@cache
def import_models() -> bool:
    """Imports all of these models, once; whether they are installed."""
    if missing_models() is not None:
        return False
    import_module_and_submodules(MODELS, exclude=set(TOOLS))
    return True


def _pop_choice_late(
    params: Params,
    key: str,
    choices: list[Any],
    default_to_first_choice: bool = False,
    allow_class_names: bool = True,
) -> Any:
    name = params.params.get(key)
    if key in params.params and not isinstance(name, str):
        raise TypeError(
            f"Expected {params.history}{key} to be a string, the name of a class, found {name!r:.80}."
        )
    if key == "type" and _is_unknown(name, choices) and import_models():
        registries = Registrable._registry.values()
        choices = [*choices, *(name for names in registries if name in names)]
    return _pop_choice(params, key, choices, default_to_first_choice, allow_class_names)


def _late(resolve: Callable[..., Any]) -> Callable[..., Any]:
    def resolve_class_name(cls: type[Registrable], name: str) -> Any:
        if _is_unknown(name, Registrable._registry[cls]):
            import_models()
        return resolve(cls, name)

    return resolve_class_name


def _is_unknown(name: Any, names: Any) -> bool:
    return isinstance(name, str) and "." not in name and name not in names
