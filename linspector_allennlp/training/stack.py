"""The lean loop with one more dimension: a step for each of several probes at once."""

import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, cast

import torch
from torch.optim.adam import adam

from linspector_allennlp.training.collector import collector_at_rest
from linspector_allennlp.training.stacked_layers import Batches, StackedLayers
from linspector_allennlp.training.stacked_probe import Ahead, StackedProbe

CACHE_BYTES = 12_500_000
MOST_PROBES = 48

RULE = ("lr", "betas", "eps", "weight_decay")


class Stack:
    """
    Probes with the same `stack_key`, so many at a time as do well together. Each goes through its own
    epochs. One that is finished makes room for one that waits, so that no place is empty until none waits.

    # Parameters

    probes : `Sequence[StackedProbe]`
    size : `int`, optional
        The number of places; by default that at which the weights of all stay near the processor.
    """

    def __init__(self, probes: Sequence[StackedProbe], size: int = 0) -> None:
        self._waiting = deque(probes)
        self._size = min(size or stack_size(probes[0]), len(probes))
        self._layers = StackedLayers(self._size, probes[0].layers)
        self._running: list[StackedProbe] = []
        self._updates: list[dict[str, Any]] = []

    @torch.no_grad()
    def train(self) -> None:
        """Trains all to their ends; one that fails has an `error` then."""
        with collector_at_rest():
            self._train()

    def _train(self) -> None:
        while self._waiting or self._running:
            for place in reversed(range(len(self._running))):
                self._go_on(place)
            while self._waiting and len(self._running) < self._size:
                place = len(self._running)
                self._running.append(self._waiting.popleft())
                self._layers.enter(place, self._running[place].layers)
                self._go_on(place)
            if self._running:
                self._step(0, self._running)

    def _go_on(self, place: int) -> None:
        """
        Brings a probe to its next full batch. The last one of an epoch, which may be smaller, is trained on
        by itself, in the very shape that it has alone.
        """
        probe = self._running[place]
        try:
            while probe.ahead is None or not probe.ahead.is_full:
                self._updates.clear()
                if probe.ahead is not None:
                    self._step(place, [probe])
                    continue
                probe.end_epoch()
                if probe.training.finished:
                    self._remove(place)
                    return
                probe.begin_epoch()
        except Exception as error:  # noqa: BLE001 - the others go on
            probe.error = error
            self._remove(place)

    def _remove(self, place: int) -> None:
        """Takes a probe out. The last one takes its place."""
        self._layers.leave(self._running[place].layers)
        last = self._running.pop()
        if place < len(self._running):
            self._layers.leave(last.layers)
            self._layers.enter(place, last.layers)
            self._running[place] = last

    def _step(self, place: int, probes: Sequence[StackedProbe]) -> None:
        began = time.monotonic()
        ahead = [cast(Ahead, probe.ahead) for probe in probes]
        labels = torch.stack([batch.labels for batch in ahead])
        # Shape: (num_probes, num_rows, feature_dim)
        x = probes[0].values.new_empty(*labels.shape, probes[0].values.shape[1])
        for rows, probe, batch in zip(x.unbind(), probes, ahead):
            torch.index_select(probe.values, 0, batch.rows, out=rows)
        layers, generators = zip(*((probe.layers, probe.generator) for probe in probes))
        logits = self._layers.forward(x, Batches(place, layers, generators))
        losses, gradient = mean_losses(logits, labels)
        self._layers.backward(gradient)
        for probe, *answer in zip(probes, logits.unbind(), losses.unbind()):
            probe.answered(*answer)
        self._limit_gradients(place, probes)
        for probe in probes:
            probe.steps.count()
        self._change_weights(probes)
        share = (time.monotonic() - began) / len(probes)
        for probe in probes:
            probe.training.progress.seconds += share

    def _limit_gradients(self, place: int, probes: Sequence[StackedProbe]) -> None:
        limits = {(probe.steps.grad_norm, probe.steps.grad_clipping) for probe in probes}
        if len(limits) > 1 or any(norm for norm, _ in limits):
            for probe in probes:
                probe.steps.limit_gradients()
            return
        ((_, clipping),) = limits
        if clipping is not None:
            self._layers.clip_gradients(slice(place, place + len(probes)), clipping)

    def _change_weights(self, probes: Sequence[StackedProbe]) -> None:
        """The steps of all optimizers, as one where they follow the same rule."""
        optimizers = [probe.steps.optimizer for probe in probes]
        if len(probes) == 1 or not all(optimizer.state for optimizer in optimizers):
            for optimizer in optimizers:
                optimizer.step()
            return
        self._updates = self._updates or updates(optimizers)
        for update in self._updates:
            adam(**update)


def mean_losses(logits: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """
    The mean cross-entropy of each probe, and its gradient by the logits. Shape: (num_probes, num_rows,
    num_labels), (num_probes, num_rows) → (num_probes,), (num_probes, num_rows, num_labels)
    """
    right = labels.unsqueeze(2)
    log_probabilities = torch.log_softmax(logits, dim=2)
    losses = -log_probabilities.gather(2, right).squeeze(2).mean(dim=1)
    # The gradient of these means, through the very function that autograd calls: another order of rounding
    # would be another probe after some epochs.
    ahead = torch.zeros_like(logits).scatter_(2, right, -1 / labels.shape[1])
    gradient = torch._log_softmax_backward_data(ahead, log_probabilities, 2, logits.dtype)
    return losses, gradient


def updates(optimizers: Iterable[torch.optim.Optimizer]) -> list[dict[str, Any]]:
    """The arguments of `adam` for the next step of these optimizers, once for each rule."""
    of_rules: dict[tuple[Any, ...], dict[str, Any]] = {}
    for optimizer in optimizers:
        (group,) = optimizer.param_groups
        rule = tuple(group[name] for name in RULE)
        lists = of_rules.setdefault(rule, _lists(*rule))
        for parameter in group["params"]:
            state = optimizer.state[parameter]
            lists["params"].append(parameter)
            lists["grads"].append(parameter.grad)
            lists["exp_avgs"].append(state["exp_avg"])
            lists["exp_avg_sqs"].append(state["exp_avg_sq"])
            lists["state_steps"].append(state["step"])
    return list(of_rules.values())


def _lists(
    lr: float, betas: tuple[float, float], eps: float, weight_decay: float
) -> dict[str, Any]:
    names = ("params", "grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs", "state_steps")
    rule = {"lr": lr, "beta1": betas[0], "beta2": betas[1], "eps": eps}
    how = {"weight_decay": weight_decay, "amsgrad": False, "maximize": False, "fused": True}
    return {**{name: [] for name in names}, **rule, **how}


def stack_size(probe: StackedProbe) -> int:
    """The number of probes of this shape whose weights, gradients and moments stay in a cache."""
    num_bytes = 4 * sum(p.numel() * p.element_size() for p in probe.layers.parameters())
    return max(2, min(MOST_PROBES, CACHE_BYTES // num_bytes))
