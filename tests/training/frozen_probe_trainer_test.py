"""The trainer, with every setting at once, against a loop that spells out what it should do."""

import copy

import pytest
import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.models import Model
from allennlp.training import Trainer

SEED, BATCH_SIZE, EPOCHS, ALPHA = 7, 24, 4, 0.01
NORM, CLIP, RATE = 0.3, 0.05, 0.2


@pytest.fixture
def loaders(fixtures):
    reader = DatasetReader.from_params(
        Params({"type": "single_form", "token_indexers": {"words": {"type": "word_form"}}})
    )
    folder = fixtures / "type_level/Case/finnish"
    train = MultiProcessDataLoader(
        reader,
        str(folder / "dev.txt"),
        batch_size=BATCH_SIZE,
        shuffle=True,
        drop_last=True,
        quiet=True,
    )
    validation = MultiProcessDataLoader(reader, str(folder / "test.txt"), batch_size=50, quiet=True)
    vocab = Vocabulary.from_instances(train.iter_instances())
    train.index_with(vocab)
    validation.index_with(vocab)
    return train, validation, vocab


@pytest.fixture
def model(loaders):
    torch.manual_seed(SEED)
    return Model.from_params(
        Params(
            {
                "type": "single_form_probe",
                "text_field_embedder": {
                    "token_embedders": {"words": {"type": "char_ngrams", "dimension": 30}}
                },
                "head": {"type": "mlp", "hidden_dims": [20], "dropout": 0.5, "input_dropout": 0.2},
                "regularizer": {"regexes": [["head", {"type": "l2", "alpha": ALPHA}]]},
            }
        ),
        vocab=loaders[2],
    )


def trainer_for(model, loaders, folder, **settings):
    train, validation, _ = loaders
    params = {"type": "frozen_probe", "num_epochs": EPOCHS, **settings}
    return Trainer.from_params(
        Params(params),
        model=model,
        data_loader=train,
        validation_data_loader=validation,
        serialization_dir=str(folder),
    )


def features_of(model, loader):
    """In the order of the file, by way of the words alone."""
    instances = list(loader.iter_instances())
    embedder = next(module for module in model.modules() if hasattr(module, "embed_forms"))
    words = [instance["tokens"][0].text for instance in instances]
    labels = [model.label_names.index(instance["label"].label) for instance in instances]
    return torch.from_numpy(embedder.embed_forms(words)), torch.tensor(labels)


def test_every_setting_against_a_plain_loop(model, loaders, tmp_path):
    head = copy.deepcopy(model.head)
    (x, y), (dev_x, dev_y) = (features_of(model, loader) for loader in loaders[:2])
    trainer = trainer_for(
        model,
        loaders,
        tmp_path,
        optimizer={"type": "sgd", "lr": RATE},
        grad_norm=NORM,
        grad_clipping=CLIP,
        learning_rate_scheduler={"type": "halve_on_plateau"},
        validation_metric="+accuracy",
    )
    metrics = trainer.train()

    rate, best, best_state, best_epoch, losses = RATE, -1.0, None, None, []
    for epoch in range(EPOCHS):
        torch.manual_seed(SEED * 1_000_003 + epoch)
        head.train()
        order = torch.randperm(len(x))
        losses = []
        for start in range(0, len(x) - BATCH_SIZE + 1, BATCH_SIZE):
            rows = order[start : start + BATCH_SIZE]
            loss = torch.nn.functional.cross_entropy(head(x[rows]), y[rows])
            penalty = ALPHA * sum((p**2).sum() for p in head.parameters())
            gradients = torch.autograd.grad(loss + penalty, list(head.parameters()))
            norm = torch.sqrt(sum((g**2).sum() for g in gradients))
            shrink = min(1.0, NORM / (norm.item() + 1e-6))
            with torch.no_grad():
                for parameter, gradient in zip(head.parameters(), gradients):
                    parameter -= rate * (gradient * shrink).clamp(-CLIP, CLIP)
            losses.append(loss.item())
        head.eval()
        with torch.no_grad():
            accuracy = (head(dev_x).argmax(1) == dev_y).sum().item() / len(dev_y)
        if accuracy > best:
            best, best_state, best_epoch = accuracy, copy.deepcopy(head.state_dict()), epoch
        else:
            rate /= 2

    assert rate < RATE, "the test must see the learning rate halved"
    assert trainer.optimizer.param_groups[0]["lr"] == rate
    assert (metrics["best_epoch"], metrics["best_validation_accuracy"]) == (best_epoch, best)
    assert metrics["training_loss"] == pytest.approx(sum(losses) / len(losses), abs=1e-4)
    assert metrics["training_steps"] == EPOCHS * (len(x) // BATCH_SIZE)
    for name, tensor in model.head.state_dict().items():
        assert torch.allclose(tensor, best_state[name], atol=1e-5), name


def test_without_validation_data_the_last_epoch_counts(model, loaders, tmp_path):
    train, _, vocab = loaders
    trainer = trainer_for(model, (train, None, vocab), tmp_path)
    metrics = trainer.train()
    assert "best_epoch" not in metrics and metrics["epoch"] == EPOCHS - 1
    saved = torch.load(tmp_path / "best.th")
    assert torch.equal(saved["head.layers.1.weight"], model.head.layers[1].weight)


def test_callbacks_hear_of_start_epochs_and_end(model, loaders, tmp_path):
    from allennlp.training.callbacks import TrainerCallback

    heard = []

    @TrainerCallback.register("listener", exist_ok=True)
    class Listener(TrainerCallback):
        def on_start(self, trainer, is_primary=True, **kwargs):
            heard.append("start")

        def on_epoch(self, trainer, metrics, epoch, is_primary=True, **kwargs):
            heard.append((epoch, metrics["epoch"]))

        def on_end(self, trainer, metrics=None, epoch=None, is_primary=True, **kwargs):
            heard.append(("end", epoch))

    trainer_for(model, loaders, tmp_path, num_epochs=2, callbacks=["listener"]).train()
    assert heard == ["start", (0, 0), (1, 1), ("end", 1)]


def test_the_number_of_threads_is_restored(model, loaders, tmp_path):
    before = torch.get_num_threads()
    trainer = trainer_for(model, loaders, tmp_path, num_threads=before + 1)
    with pytest.raises(RuntimeError), trainer.reproducible():
        assert torch.get_num_threads() == before + 1
        raise RuntimeError
    assert torch.get_num_threads() == before
