"""What AllenNLP takes from transformers, as it was when AllenNLP was written."""

from functools import partial

import torch
import transformers


class AdamW(torch.optim.Optimizer):
    """
    Adam with decoupled weight decay (https://arxiv.org/abs/1711.05101), as transformers had it up to 4.x. It
    is not torch's: `eps` is added before the bias is corrected, weights decay after the step, and the
    correction of the bias can be left out, as BERT's authors did.
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.0, correct_bias=True
    ):
        settings = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**settings, "correct_bias": correct_bias})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, group)
        return loss

    def _update(self, parameter, group):
        if parameter.grad.is_sparse:
            raise RuntimeError(
                "huggingface_adamw takes no sparse gradients; dense_sparse_adam does."
            )
        state = self.state[parameter]
        if not state:
            state.update(step=0, exp_avg=torch.zeros_like(parameter))
            state["exp_avg_sq"] = torch.zeros_like(parameter)
        state["step"] += 1
        (beta1, beta2), rate = group["betas"], group["lr"]
        mean = state["exp_avg"].mul_(beta1).add_(parameter.grad, alpha=1 - beta1)
        square = state["exp_avg_sq"].mul_(beta2)
        square.addcmul_(parameter.grad, parameter.grad, value=1 - beta2)
        step_size = rate
        if group["correct_bias"]:
            step_size *= (1 - beta2 ** state["step"]) ** 0.5 / (1 - beta1 ** state["step"])
        parameter.addcdiv_(mean, square.sqrt().add_(group["eps"]), value=-step_size)
        if group["weight_decay"] > 0:
            parameter.add_(parameter, alpha=-rate * group["weight_decay"])


class AutoModel:
    """Models in float32, whatever the type of the file; transformers 5 takes that of the file."""

    @staticmethod
    def from_pretrained(name, **settings):
        return transformers.AutoModel.from_pretrained(name, **_with_type(settings))

    @staticmethod
    def from_config(config, **settings):
        return transformers.AutoModel.from_config(config, **_with_type(settings))


def _with_type(settings):
    return settings if "torch_dtype" in settings else {"dtype": torch.float32, **settings}


class AutoTokenizer:
    """Tokenizers that have the methods which AllenNLP calls."""

    @staticmethod
    def from_pretrained(name, add_special_tokens=None, **settings):
        # It never decided anything when a tokenizer was made, and AllenNLP gives it again with each text.
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **settings)
        if not hasattr(tokenizer, "encode_plus"):
            tokenizer.encode_plus = tokenizer.__call__
        if not hasattr(tokenizer, "build_inputs_with_special_tokens"):
            tokenizer.build_inputs_with_special_tokens = partial(_with_special, tokenizer)
        return tokenizer


def _with_special(tokenizer, pieces):
    example = tokenizer("a", return_special_tokens_mask=True)
    ids, special = example["input_ids"], example["special_tokens_mask"]
    first, last = special.index(0), len(ids) - special[::-1].index(0)
    return [*ids[:first], *pieces, *ids[last:]]
