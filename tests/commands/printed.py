"""The output of a command, as its function for the command line prints it."""

import argparse
import io
from contextlib import redirect_stdout


def parsed(module, *words):
    """The arguments of the command in this module."""
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    return parser.parse_args(list(map(str, words)))


def printed(module, *words):
    """The text that the command in this module prints with these words behind its name."""
    args = parsed(module, *words)
    output = io.StringIO()
    with redirect_stdout(output):
        args.func(args)
    return output.getvalue().removesuffix("\n")
