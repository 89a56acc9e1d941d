"""
The baseline that the trainer is measured against: LINSPECTOR's probe as a bare PyTorch loop, with
no AllenNLP and nothing of this package. Same hyper-parameters: one hidden layer of 300, ReLU,
dropout 0.5, Adam, batches of 16, gradient clipping at 5.0, 20 epochs, patience 5 on dev accuracy.
"""

import copy
import time

import torch


def run(splits, num_labels, seed, num_epochs=20, patience=5, batch_size=16):
    """
    Trains on `splits`: {"train": (features, labels), "dev": …, "test": …}. Returns the test
    accuracy of the best dev epoch and the seconds that each epoch (training and dev) took.
    """
    torch.manual_seed(seed)
    (x, y), dev, test = (splits[name] for name in ("train", "dev", "test"))
    model = torch.nn.Sequential(
        torch.nn.Linear(x.size(1), 300),
        torch.nn.ReLU(),
        torch.nn.Dropout(0.5),
        torch.nn.Linear(300, num_labels),
    )
    optimizer = torch.optim.Adam(model.parameters())
    best, best_epoch, best_state, seconds = -1.0, 0, None, []
    for epoch in range(num_epochs):
        started = time.perf_counter()
        model.train()
        for rows in torch.randperm(len(x)).split(batch_size):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x[rows]), y[rows])
            loss.backward()
            torch.nn.utils.clip_grad_value_(model.parameters(), 5.0)
            optimizer.step()
        dev_accuracy = accuracy(model, *dev)
        seconds.append(time.perf_counter() - started)
        if dev_accuracy > best:
            best, best_epoch, best_state = dev_accuracy, epoch, copy.deepcopy(model.state_dict())
        elif epoch - best_epoch >= patience:
            break
    model.load_state_dict(best_state)
    return accuracy(model, *test), seconds


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(dim=1) == y).double().mean().item()
