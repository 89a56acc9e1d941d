from allennlp.predictors import Predictor

from linspector_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("dependency_tree")
@Predictor.register("distance_probe")
@Predictor.register("perceptron_probe")
@Predictor.register("depth_probe")
@Predictor.register("edge_probe")
class DependencyTreePredictor(SentencePredictor):
    """
    Gives the tree of a sentence as a probe of syntax sees it: of `distance_probe` and
    `perceptron_probe` the `edges` (pairs of ids, from 1 on) of the minimum spanning tree and the
    `distances`, of `depth_probe` the `depths` and the `root`, of `edge_probe` the `heads`.

    Registered as a `Predictor` with names "dependency_tree", "distance_probe", "perceptron_probe",
    "depth_probe" and "edge_probe".
    """
