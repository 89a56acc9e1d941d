"""The model of a folder of Hugging Face's, none of whose weights are made up, and what it takes."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
import transformers

_SHOWN = 3  # of the tensors that are missing


class LoadedModel(NamedTuple):
    """A model, and the names of those weights of it that no file has: they were drawn at random."""

    model: Any
    new_weights: Sequence[str]


def load_pretrained(folder: str, allow_new_weights: bool = False) -> LoadedModel:
    """
    The model (of a pair the encoder), in float32 whatever the file is in, with all weights that its
    hidden states depend on; an error if a file lacks one of them, for transformers would draw it at
    random. What else is missing, such as a pooler or a decoder, does not matter; nor do heads that are
    in the file besides.

    # Parameters

    allow_new_weights : `bool`, optional (default = `False`)
        Whether to take the model with weights that are missing or of another shape: they are named.
    """
    # In inference mode weights could have no gradients, by which `_decisive` sees what they are for.
    with torch.inference_mode(False):
        model, info = _loaded(folder)
        mismatched = {name for name, *_ in info["mismatched_keys"]}
        for name, found, expected in [] if allow_new_weights else info["mismatched_keys"]:
            raise ValueError(
                f"{folder}: expected {name} of shape {tuple(expected)}, as config.json says, found "
                f"{tuple(found)}. Are all files of the same model?"
            )
        # In the file of a model with a head all names begin with that of the model.
        prefix = f"{model.base_model_prefix}."
        missing = {name.removeprefix(prefix) for name in mismatched.union(info["missing_keys"])}
        tensors = {n: t for n, t in model.state_dict(keep_vars=True).items() if n in missing}
        encoder = encoder_of(model)
        decisive = sorted(_decisive(encoder, tensors) | (missing - tensors.keys()))
    if decisive and not allow_new_weights:
        raise _incomplete(folder, decisive, info["unexpected_keys"])
    return LoadedModel(encoder, decisive)


def _loaded(folder: str) -> tuple[Any, dict[str, Any]]:
    """The model, and what transformers says of its weights."""
    try:
        return transformers.AutoModel.from_pretrained(
            folder, dtype=torch.float32, output_loading_info=True, ignore_mismatched_sizes=True
        )
    except RuntimeError as error:  # as of a mixture one of whose experts has no weights
        raise ValueError(
            f"{folder}: the weights cannot be loaded into the model that config.json describes: "
            f"{' '.join(str(error).split()):.200}"
        ) from error


def draw_random(config: Any) -> Any:
    """The same architecture (of a pair the encoder), never trained."""
    return encoder_of(transformers.AutoModel.from_config(config, dtype=torch.float32))


def encoder_of(model: Any) -> Any:
    """The part that reads: a model, or the encoder of one that also writes."""
    return model.get_encoder() if model.config.is_encoder_decoder else model


def taken_inputs(model: Any, names: Iterable[str]) -> list[str]:
    """
    Those inputs, of what a tokenizer gives, that the model takes. Segments are for a model with
    vectors of segments: GPT-2 and its kin take them for words, and would add the vector of one.
    """
    taken = inspect.signature(model.forward).parameters
    has_segments = any(
        "token_type" in name or "seg" in name for name, _ in model.named_parameters()
    )
    return [name for name in names if name in taken and (name != "token_type_ids" or has_segments)]


def _decisive(model: Any, tensors: Mapping[str, torch.Tensor]) -> set[str]:
    """The names of those tensors that hidden states are computed from."""
    # Others than parameters are computed when a model is made, and not drawn.
    weights = {name: t for name, t in tensors.items() if isinstance(t, torch.nn.Parameter)}
    if not weights:
        return set()
    pieces = torch.tensor([[0, 1]])
    others = {"attention_mask": torch.ones_like(pieces), "token_type_ids": torch.zeros_like(pieces)}
    inputs = {name: others[name] for name in taken_inputs(model, others)}
    with torch.enable_grad():
        model.eval().requires_grad_(True)
        states = model(pieces, **inputs, output_hidden_states=True).hidden_states
        total = torch.stack([layer.sum() for layer in states]).sum()
        gradients = torch.autograd.grad(total, list(weights.values()), allow_unused=True)
    own = {id(parameter) for parameter in model.parameters()}
    # Of many experts, these two pieces asked only some.
    return {
        name
        for (name, weight), gradient in zip(weights.items(), gradients)
        if gradient is not None or ("expert" in name and id(weight) in own)
    }


def _incomplete(folder: str, missing: Sequence[str], others: Sequence[str]) -> ValueError:
    shown = ", ".join(missing[:_SHOWN]) + " …" * (len(missing) > _SHOWN)
    renamed = [name for name in others if name.endswith(f".{missing[0]}")]
    instead = f" (there is {renamed[0]} instead)" if renamed else ""
    return ValueError(
        f"{folder}: expected weights for the whole model, found none for {len(missing)} of its "
        f"tensors: {shown}{instead}. They would be random. Save the model again with "
        'save_pretrained, or fetch it again. With "allow_new_weights": true these are random, with '
        '"weights": "random" all of them.'
    )
