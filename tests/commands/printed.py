"""The output of a subcommand, as its function for the command line prints it."""

import argparse
import io
from contextlib import redirect_stdout


def printed(command, *words):
    """The text that a `Subcommand` prints with these words behind its name."""
    parser = argparse.ArgumentParser()
    parser_of_command = command.add_subparser(parser.add_subparsers())
    args = parser.parse_args([parser_of_command.prog.split()[-1], *map(str, words)])
    output = io.StringIO()
    with redirect_stdout(output):
        args.func(args)
    return output.getvalue().removesuffix("\n")
