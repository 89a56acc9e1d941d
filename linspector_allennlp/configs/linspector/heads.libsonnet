// The heads of probes: what is trained on top of a representation. One function each, with the settings
// of the study of sentences (a multi-layer perceptron of 50 sigmoid units, and five others).
local sklearn(classifier, settings={}) = { type: 'sklearn', classifier: classifier, settings: settings };

{
  // activation: any of AllenNLP's, as 'relu', 'tanh', 'gelu'.
  mlp(hidden_dims=[50], activation='sigmoid', dropout=0.0)::
    { type: 'mlp', hidden_dims: hidden_dims, activation: activation, dropout: dropout },

  // No hidden layer, and the weights a product of two matrices: a linear classifier of such a rank.
  low_rank(rank, dropout=0.0):: { type: 'low_rank', rank: rank, dropout: dropout },

  // No hidden layer.
  linear(dropout=0.0):: { type: 'linear', dropout: dropout },

  // Classifiers of scikit-learn's, which are fitted at once: the trainer's epochs mean nothing to them.
  logistic_regression(C=3.75, max_iter=1000)::
    sklearn('LogisticRegression', { C: C, solver: 'lbfgs', max_iter: max_iter }),
  random_forest(trees=250, depth=70)::
    sklearn('RandomForestClassifier', { n_estimators: trees, max_depth: depth }),
  linear_svm(C=3.0, max_iter=10000):: sklearn('LinearSVC', { C: C, max_iter: max_iter }),
  naive_bayes():: sklearn('GaussianNB'),

  // Any other by the name of its class, as sklearn('KNeighborsClassifier', { n_neighbors: 5 }).
  sklearn(classifier, settings={}):: sklearn(classifier, settings),
}
