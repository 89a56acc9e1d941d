import logging
import zipfile
from typing import Any, Optional

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.modules.heads import ProbeHead

logger = logging.getLogger(__name__)

LEAST_PROBABILITY = 1e-15
"""A classifier may be certain, and wrong: its loss is not to be infinite."""

DISAGREEING = ("SVC", "NuSVC")
"""Their probabilities are fitted by folds of their own."""

TRUSTED = (
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.tree._tree.Tree",
)
"""Types besides those that skops trusts by itself: data structures, none of which runs code of a file."""


class FittedHead(ProbeHead):
    """The base of heads that are not trained by gradients, but fitted to all training data at once."""

    gives_probabilities: bool = True

    def __init__(self) -> None:
        super().__init__()
        # AllenNLP finds the device of a model by its first parameter, so that there must be one.
        self.nothing = torch.nn.Parameter(torch.zeros(0))

    def fit(self, features: torch.Tensor, labels: torch.Tensor, seed: int) -> None:
        """Forgets what it was fitted to before. Shapes: (num_items, input_dim), (num_items,)"""
        raise NotImplementedError


@ProbeHead.register("sklearn")
class SklearnHead(FittedHead):
    """
    A classifier of scikit-learn's. The trainer `frozen_probe` fits it; epochs, batches and the optimizer
    mean nothing to it. An archive keeps it as data (by skops), not as a pickle, which could run code.

    Registered as a `ProbeHead` with name "sklearn".

    # Parameters

    classifier : `str`
        The name of its class: `LogisticRegression`, `RandomForestClassifier`, `LinearSVC`, `GaussianNB`, …
    settings : `Dict[str, Any]`, optional
        What the class is to be called with; a `random_state` that is not there is the seed of the run.
    """

    def __init__(
        self,
        input_dim: int,
        num_labels: int,
        classifier: str,
        settings: Optional[dict[str, Any]] = None,
    ) -> None:
        super().__init__()
        _skops()
        self._input_dim = input_dim
        self._num_labels = num_labels
        self.classifier = classifier
        self._settings = dict(settings or {})
        self._estimator: Any = None
        made = self._new(seed=0)
        if self._settings.get("probability") and classifier in DISAGREEING:
            raise ConfigurationError(
                f"{classifier}: its probabilities do not agree with its answers: leave out `probability`."
            )
        self.gives_probabilities = hasattr(made, "predict_proba")
        if not self.gives_probabilities and not hasattr(made, "decision_function"):
            raise ConfigurationError(
                f"{classifier}: it has neither probabilities nor scores of labels."
            )
        self._check_keeping()

    def fit(self, features: torch.Tensor, labels: torch.Tensor, seed: int) -> None:
        inputs, targets = features.cpu().numpy(), labels.cpu().numpy()
        if len(np.unique(targets)) == 1:
            # Most classifiers refuse one label; a few training items may have no more.
            from sklearn.dummy import DummyClassifier

            logger.warning("%s: there is one label to fit, which is its answer.", self.classifier)
            self._estimator = DummyClassifier().fit(inputs, targets)
            return
        try:
            self._estimator = self._new(seed % 2**32).fit(inputs, targets)
        except (ValueError, TypeError) as error:
            raise ConfigurationError(f"{self.classifier} could not be fitted: {error}") from error
        self._scores(inputs[:1])

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        if self._estimator is None:
            raise ConfigurationError(
                f"{self.classifier} is fitted by the trainer frozen_probe, and was not yet."
            )
        return torch.from_numpy(self._scores(features.cpu().numpy())).to(features.device)

    def _scores(self, inputs: np.ndarray) -> np.ndarray:
        """In double precision, as the classifier compares them itself. Shape: (batch, num_labels)"""
        try:
            if hasattr(self._estimator, "predict_proba"):
                probabilities = self._estimator.predict_proba(inputs)
                scores = np.log(np.clip(probabilities, LEAST_PROBABILITY, 1))
                missing = np.log(LEAST_PROBABILITY)
            else:
                scores = self._estimator.decision_function(inputs)
                # Of two labels there is one score: that of the second.
                scores = np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores
                missing = -np.inf
            logits = np.full((len(inputs), self._num_labels), missing)
            logits[:, self._estimator.classes_] = scores
        except ValueError as error:
            raise ConfigurationError(
                f"{self.classifier} gives no score for each label: {error}"
            ) from error
        return logits

    def _new(self, seed: int) -> Any:
        from sklearn.utils import all_estimators

        known = dict(all_estimators(type_filter="classifier"))
        if self.classifier not in known:
            raise ConfigurationError(
                f"classifier: scikit-learn has no {self.classifier!r}. It has {', '.join(known)}."
            )
        try:
            made = known[self.classifier](**self._settings)
        except TypeError as error:
            raise ConfigurationError(f"{self.classifier}: {error}.") from error
        if "random_state" in made.get_params() and "random_state" not in self._settings:
            made.set_params(random_state=seed)
        return made

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        content = b"" if self._estimator is None else self._dumped(self._estimator)
        destination[prefix + "estimator"] = torch.from_numpy(
            np.frombuffer(content, np.uint8).copy()
        )

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        if prefix + "estimator" not in state_dict:
            raise ConfigurationError(
                f"the weights have no {self.classifier}: are they of another head?"
            )
        content = state_dict.pop(prefix + "estimator").cpu().numpy().tobytes()
        self._estimator = self._loaded(content) if content else None
        super()._load_from_state_dict(state_dict, prefix, *args)

    def _loaded(self, content: bytes) -> Any:
        try:
            loaded = _skops().loads(content, trusted=list(TRUSTED))
        except (TypeError, ValueError, KeyError, RecursionError, zipfile.BadZipFile) as error:
            raise ConfigurationError(
                f"the {self.classifier} of this archive is not one that can be loaded safely: {error}"
            ) from error
        classes = np.asarray(getattr(loaded, "classes_", ()))
        is_right = (
            type(loaded).__name__ in (self.classifier, "DummyClassifier")
            and getattr(loaded, "n_features_in_", self._input_dim) == self._input_dim
            and classes.dtype.kind in "iu"
            and len(classes) > 0
            and 0 <= classes.min() <= classes.max() < self._num_labels
        )
        if not is_right:
            raise ConfigurationError(
                f"the archive has no {self.classifier} of {self._num_labels} labels and "
                f"{self._input_dim} features, but {type(loaded).__name__} of {classes.tolist()}."
            )
        return loaded

    def _check_keeping(self) -> None:
        """Refuses a classifier that an archive could not keep, before any work: by a small one."""
        rng = np.random.default_rng(0)
        small = self._new(seed=0)
        if "n_estimators" in small.get_params():  # the types of one tree are those of a forest
            small.set_params(n_estimators=1)
        try:
            small.fit(rng.random((20, 2)), np.arange(20) % 2)
        except ValueError:  # its settings are for more data
            return
        self._dumped(small, zipfile.ZIP_STORED)

    def _dumped(self, estimator: Any, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
        skops = _skops()
        content = skops.dumps(estimator, compression=compression)
        others = set(skops.get_untrusted_types(data=content)) - set(TRUSTED)
        if others:
            raise ConfigurationError(
                f"{self.classifier} cannot be kept in an archive without code: it has parts of the types "
                f"{', '.join(sorted(others))}."
            )
        return content


def _skops() -> Any:
    try:
        import skops.io
    except ImportError as error:
        raise ImportError(
            "Classifiers of scikit-learn need a package to be kept safely: pip install skops (or "
            "linspector_allennlp[classifiers])"
        ) from error
    return skops.io
