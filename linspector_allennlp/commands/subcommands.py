"""The commands as subcommands of `allennlp`, and what changes in its own."""

import argparse

from allennlp.commands.subcommand import Subcommand

from linspector_allennlp.commands import COMMANDS, Command, allennlp_commands


def _register(name: str, command: Command) -> None:
    @Subcommand.register(name)
    class ListedSubcommand(Subcommand):
        __doc__ = command.summary

        def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
            subparser = parser.add_parser(self.name, help=command.summary)
            command.describe(subparser)
            return subparser


for _name, _command in COMMANDS.items():
    _register(_name, _command)

allennlp_commands.install()
