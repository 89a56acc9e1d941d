import os
from dataclasses import dataclass, field
from typing import Any, Optional

import torch

from linspector_allennlp.io.files import replacing


@dataclass
class Progress:
    """How far a run has come, and what was best on the way."""

    epochs_completed: int = 0
    seconds: float = 0.0
    metrics: dict[str, Any] = field(default_factory=dict)
    best_head: Optional[dict[str, torch.Tensor]] = None

    def state_dict(self) -> dict[str, Any]:
        return dict(vars(self))

    def load_state_dict(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


class Checkpoint:
    """
    The state of several parts in one file, replaced as a whole: a process that is killed at any
    moment leaves the last complete state behind.

    # Parameters

    path : `str`
    parts : `Any`
        By name, whatever has a `state_dict` and a `load_state_dict`.
    """

    def __init__(self, path: str, **parts: Any) -> None:
        self._path = path
        self._parts = parts

    def save(self) -> None:
        with replacing(self._path) as temporary:
            torch.save({name: part.state_dict() for name, part in self._parts.items()}, temporary)

    def restore(self, device: torch.device) -> bool:
        """Brings all parts to the saved state; false if there is none."""
        if not os.path.exists(self._path):
            return False
        states = torch.load(self._path, map_location=device)
        for name, part in self._parts.items():
            part.load_state_dict(states[name])
        return True
