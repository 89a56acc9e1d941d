"""Stands for the package of a user, with classes that a model of theirs needs."""

import torch
from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.nn.initializers import Initializer


class UsersEncoder(PassThroughEncoder):
    """Not registered, so that a config must name it by its path."""


@Seq2SeqEncoder.register("tests_initialised", exist_ok=True)
class InitialisedEncoder(PassThroughEncoder):
    """Has an initializer where AllenNLP does not look for one."""

    def __init__(self, begin: Initializer) -> None:
        super().__init__(input_dim=9)
        self.start = torch.nn.Parameter(torch.zeros(1))
        begin(self.start, parameter_name="start")
