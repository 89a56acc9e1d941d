"""The sentence that a user needs after a mistake, where AllenNLP, jsonnet or Python leave the remedy out."""

import errno
import re
from typing import Optional

from linspector_allennlp.commands.tables import visible
from linspector_allennlp.installation import BESIDE, missing_models
from linspector_allennlp.io.missing_files import listed, nearest

LONGEST_WORD = 1000

MISTAKES = (ValueError, OSError, RuntimeError)


def explain(error: Exception) -> Optional[str]:
    """The sentence to show instead of a traceback; `None` for an error that is ours."""
    sentence = _sentence(error)
    # What somebody's file has in one word may be without end.
    short = sentence and re.sub(
        rf"\S{{{LONGEST_WORD},}}", lambda found: f"{found[0][:200]}…", sentence
    )
    return short and visible(short, keep="\n\t")


def _sentence(error: Exception) -> Optional[str]:
    # AllenNLP is not imported for the sake of its class of errors.
    message = getattr(error, "message", None) or str(error)
    if isinstance(error, TypeError) and re.match(r"Expected \S* ?to be (an? |numeric)", message):
        return f"a setting of another type was expected: {message}"
    if isinstance(error, ModuleNotFoundError) and error.name in BESIDE:
        return str(error)
    # Nor httpx, with which the model hub is asked: without a network it has errors of its own.
    is_network = type(error).__module__ == "httpx"
    is_setting = type(error).__name__ == "ConfigurationError"
    if not (is_setting or is_network or isinstance(error, MISTAKES)):
        return None
    if is_network:
        return f"the network cannot be reached ({type(error).__name__}: {message})."
    is_full = isinstance(error, OSError) and error.errno in (
        errno.ENOSPC,
        errno.EFBIG,
        errno.EDQUOT,
    )
    if is_full or "inline_container" in message:
        where = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
        return (
            f"{where}the disk is full, or a limit is reached. Files already written are complete."
        )
    if isinstance(error, OSError) and error.filename is not None:
        return _of_files(error)
    variable = re.search(r"undefined external variable: (\w+)", message)
    if variable:
        return f"the config needs the environment variable {variable[1]}, which is not set."
    if re.match(r"(RUNTIME|STATIC) ERROR: ", message):  # jsonnet's, and then where in the libraries
        return _of_jsonnet(message)
    extra = re.search(r"^Extra parameters passed to (\w+): \{(.*)\}$", message, re.DOTALL)
    if extra:
        return f"{extra[1]} has no such setting: {extra[2]}. Is its name mistyped?"
    choices = re.search(
        r"^(\S+) not in acceptable choices for (\S+): \[(.*?)\]", message, re.DOTALL
    )
    if choices:
        names = re.findall(r"'([^']*)'", choices[3])
        near = nearest(choices[1], names)
        beside = "" if near else _of_models(choices[2])
        return f"{choices[2]}: there is no {choices[1]}.{near}{beside} There are: {listed(names)}."
    return message


def _of_models(setting: str) -> str:
    """How what AllenNLP's own models have is installed, where it may be one of these that is not there."""
    missing = missing_models()
    is_theirs = setting.rpartition(".")[2] == "type"
    return (
        f" If it is in allennlp-models: {missing[0].lower()}{missing[1:]}."
        if missing and is_theirs
        else ""
    )


def _of_files(error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{error.filename} cannot be read or written ({error.strerror}): choose another place."
        )
    return f"{error.filename}: {error.strerror}."


def _of_jsonnet(message: str) -> str:
    kind, _, text = message.partition(" ERROR: ")
    first, *trace = text.splitlines()
    if kind == "STATIC":
        # The text of `-o` has no file name.
        if re.match(r":?\d", first):
            return (
                f"""-o: expected JSON such as '{{"trainer.num_epochs": 5}}'; {first.lstrip(":")}."""
            )
        return first
    places = [line.split("\t")[1] for line in trace if line.count("\t") > 1]
    own = (place for place in places if ".jsonnet:" in place and not place.startswith("std."))
    where = next(own, "the config")
    if "json.exception" in first:
        first = f"expected JSON in what begins with [, {{ or a quote; {first.split('] ')[-1]}"
    if re.match("field does not exist|function has no parameter|missing argument", first):
        first += " (docs/configs.md lists the functions and what they take)"
    return f"{where}: {first}"
