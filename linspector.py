"""
The console script `linspector`: `allennlp` with `linspector_allennlp` loaded, from any folder.

It lies outside the package, because importing the package loads AllenNLP and torch, which takes seconds.
Commands that only read files, `--help` and `--version` do without.
"""

import argparse
import gc
import logging
import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec

# Packages whose own code, `__init__.py`, registers classes with AllenNLP; those inside others come first.
REGISTERING = ("linspector_allennlp.representations", "linspector_allennlp")

# After Ctrl-C.
RESUMING = {
    "train": " --recover resumes the run.",
    "probe-diagnose": " The same command goes on with what is missing.",
    "probe-suite": " The same command goes on with what is missing.",
}


def main() -> None:
    """Runs a command. A mistake of the user's gets one sentence, no traceback."""
    if sys.stdout is None:  # it was closed
        sys.stdout = open(os.devnull, "w")
    code = _exit_code(sys.argv[1:])
    if code:
        sys.exit(code)


def _exit_code(arguments: list[str]) -> int:
    packages = _packages_without_their_code()
    # What is logged may have names and labels of a stranger's in it.
    logging.setLogRecordFactory(import_module("linspector_allennlp.io.visible").VisibleRecord)
    try:
        if not _run_light(arguments):
            _run_allennlp(packages)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads the output, such as `head`, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # What was only to be read has been; other work may have ended half-way, as by SIGPIPE.
        return 0 if _is_light(arguments) else 141
    except KeyboardInterrupt:
        resume = RESUMING.get(_name(arguments), "")
        print(
            f"\nlinspector: interrupted. Files already written are complete.{resume}",
            file=sys.stderr,
        )
        return 130
    except Exception as error:
        sentence = import_module("linspector_allennlp.commands.mistakes").explain(error)
        if sentence is None or os.environ.get("LINSPECTOR_TRACEBACK"):
            raise
        print(f"\nlinspector: error: {sentence}", file=sys.stderr)
        print("(LINSPECTOR_TRACEBACK=1 shows where it came from.)", file=sys.stderr)
        return 1
    return 0


def _packages_without_their_code() -> list[ModuleSpec]:
    """
    Puts the registering packages in place without running their own code, so that a module in them can
    be imported alone.
    """
    specs = []
    for name in reversed(REGISTERING):
        spec = None if name in sys.modules else find_spec(name)
        if spec is not None:
            sys.modules[name] = module_from_spec(spec)
            specs.append(spec)
    return specs[::-1]


def _is_light(arguments: list[str]) -> bool:
    """Whether this needs neither AllenNLP nor torch."""
    command = import_module("linspector_allennlp.commands").COMMANDS.get(_name(arguments))
    return _name(arguments) in ("-h", "--help", "--version") or bool(command and command.only_reads)


def _name(arguments: list[str]) -> str:
    return arguments[0] if arguments else "--help"


def _run_light(arguments: list[str]) -> bool:
    """Runs what needs neither AllenNLP nor torch; false if this is not such a command."""
    commands = import_module("linspector_allennlp.commands")
    name = _name(arguments)
    if name in ("-h", "--help"):
        print(commands.overview())
    elif name == "--version":
        print(commands.versions())
    elif _is_light(arguments):
        parser = argparse.ArgumentParser(f"linspector {name}")
        commands.COMMANDS[name].describe(parser)
        parser.add_argument("--include-package", action="append", help=argparse.SUPPRESS)
        args = parser.parse_args(arguments[1:])
        args.func(args)
    else:
        commands.check_name(name, arguments)
        return False
    return True


def _run_allennlp(packages: list[ModuleSpec]) -> None:
    """
    Runs AllenNLP's own command line with everything registered. While it is imported, Python's garbage
    collector would go through all of it again and again, and once more at the end: it is told not to.
    """
    import_module("linspector_allennlp.installation").check()
    gc.disable()
    from allennlp.commands import main as allennlp_main
    from allennlp.common.plugins import import_plugins

    for spec in packages:
        spec.loader.exec_module(sys.modules[spec.name])  # type: ignore[union-attr]
    import_module("linspector_allennlp.late_models").put_off_models()
    import_plugins()
    gc.freeze()
    gc.enable()
    # AllenNLP logs to standard output, which `head` may have closed.
    logging.raiseExceptions = False
    try:
        allennlp_main(prog="linspector")
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
