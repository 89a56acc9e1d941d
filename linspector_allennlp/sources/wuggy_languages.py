"""
The languages of the `wuggy` package: a plugin that says how syllables are cut, and a lexicon. They do
not come with the package. It fetches a plugin when it is first used, after asking at the terminal, into
its own folder; what it has there is used, but nothing is written there, and nobody is asked.
"""

import re
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.remote import SourceFile, wuggy_files

PREFIX = "wuggy:"
WUGGY_MISSING = "Making pseudowords needs a package: pip install wuggy==1.1.2"
# Where the package keeps what it fetches, and imports it from.
LANGUAGE_DATA = "plugins/language_data"


class WuggyLanguage(NamedTuple):
    """
    # Parameters

    plugin : `wuggy.BaseLanguagePlugin`
        What cuts syllables.
    code, lexicon : `SourceFile`
        The file of the plugin, and that of its words.
    """

    plugin: Any
    code: SourceFile
    lexicon: SourceFile


def is_wuggy_language(source: str) -> bool:
    """Whether this names a language of Wuggy, not a file."""
    return source.startswith(PREFIX)


def wuggy_language(source: str) -> WuggyLanguage:
    """
    Loads a language.

    # Parameters

    source : `str`
        `wuggy:german`, a language that the package knows; or `wuggy:FOLDER`, a folder with a plugin
        (one `.py` file, and the lexicon that it names).
    """
    package = _package_folder()
    if source == PREFIX:
        raise ConfigurationError(
            f"{source}: expected a language or a folder behind it, found nothing."
        )
    folder = Path(source.removeprefix(PREFIX))
    if folder.is_dir():
        codes = sorted(folder.glob("*.py"))
        if len(codes) != 1:
            raise ConfigurationError(
                f"{source}: expected one .py file in the folder, the language plugin, found "
                f"{len(codes)}."
            )
        return _in_folder(SourceFile(codes[0].name, codes[0]))
    name = _plugin_name(source)
    kept = package / LANGUAGE_DATA / name
    if (kept / f"{name}.py").exists() and (kept / f"{name}.txt").exists():
        return _in_folder(SourceFile(f"{name}.py", kept / f"{name}.py"))
    code, lexicon = wuggy_files(name)
    return WuggyLanguage(_plugin(code), code, lexicon)


def _in_folder(code: SourceFile) -> WuggyLanguage:
    plugin = _plugin(code)
    # Who has a lexicon of their own need not have this one.
    lexicon = getattr(plugin, "default_data", f"{code.path.stem}.txt")
    return WuggyLanguage(plugin, code, SourceFile(lexicon, code.path.with_name(lexicon)))


def _plugin_name(source: str) -> str:
    """`orthographic_german` of `wuggy:german`; transcriptions are no words to probe."""
    from wuggy import WuggyGenerator

    wanted = source.removeprefix(PREFIX).lower().removeprefix("orthographic_")
    known = {
        name.removeprefix("orthographic_"): name
        for name in WuggyGenerator().supported_official_language_plugin_names
        if name.startswith("orthographic_")
    }
    if wanted not in known:
        raise ConfigurationError(
            f"{source}: no such language, and no such folder. wuggy has {', '.join(sorted(known))}."
        )
    return known[wanted]


def _package_folder() -> Path:
    try:
        import wuggy
    except ImportError as error:
        raise ConfigurationError(WUGGY_MISSING) from error
    return Path(wuggy.__path__[0])


def _plugin(code: SourceFile) -> Any:
    """Runs the file as the package would, as a module of its own folder of plugins."""
    from wuggy import BaseLanguagePlugin

    stem = Path(code.name).stem
    module = ModuleType(f"wuggy.plugins.language_data.{stem}.{stem}")
    module.__package__ = module.__name__.rpartition(".")[0]
    # The German one uses it and does not import it.
    vars(module)["re"] = re
    try:
        exec(compile(code.path.read_text(encoding="utf-8"), str(code.path), "exec"), vars(module))
    # It is not our code: anything can be wrong with it.
    except Exception as error:
        raise ValueError(
            f"{code.path} is no language plugin that can be used: {type(error).__name__}: {error}"
        ) from error
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, BaseLanguagePlugin)
        and value.__module__ == module.__name__
    ]
    if len(classes) != 1:
        raise ValueError(
            f"{code.path}: expected one class below wuggy.BaseLanguagePlugin, found {len(classes)}."
        )
    return classes[0]()
