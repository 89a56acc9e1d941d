// Multilingual sentence probing (a thesis of 2019): nine tasks by encoder; WC by classifier, size and encoder.
// The nine tasks in five folds, WC in three random divisions.
//
// DATA_DIR     10k/TASK/LANGUAGE/{train,dev,test}.txt, and 5k, 30k and 60k with WC, as `linspector probe-data
//              sentence-level --size …` makes them: with one seed the larger size contains the smaller
// VECTORS_DIR  for each language, by its two letters (tr): fasttext/tr.vec, word2vec/tr.vec, attract_repel/tr.vec
// MODEL        a transformer, as bert-base-multilingual-cased
//
// The balanced sets of the stability study are other data (`--balance even`), and its tuning is thesis_search.jsonnet.
// Tasks and vectors that a language does not have are left out, and named. The vectors of other encoders (LASER,
// InferSent, …) come in as encoders.precomputed(FILE), beside `bert`.
local encoders = import 'linspector/encoders.libsonnet';

local data(size) = '%s/%s' % [std.extVar('DATA_DIR'), size];
local vectors = std.extVar('VECTORS_DIR');

local spaces(names) = { [name]: '%s/%s/{code}.vec' % [vectors, name] for name in names };

local averages = {
  avg: 'average',
  'p-means': 'power_means',
  SIF: 'sif',
  GEM: 'gem',
  hier: 'hierarchical_pooling:window=3',
};

local random = { BOREP: 'borep:dimension=4096', 'rand. BiLSTM': 'random_bilstm:dimension=8192' };

local bert = { bert: encoders.transformer(std.extVar('MODEL')) };

// The support vectors only with the two smaller sizes, as in the study: they are slow.
local classifiers(size) = {
  LR: 'logistic_regression',
  RF: 'random_forest',
  NB: 'naive_bayes',
  NN: 'linear',
  NN_H: 'mlp',
} + (if size == '5k' || size == '10k' then { SVM: 'linear_svm' } else {});

local tasks = {
  name: 'tasks',
  data: data('10k'),
  tasks: ['SentLen', 'WC', 'BiShift', 'SVAgree', 'SVDist', 'Voice', 'WO', 'EOS', 'SubjNum'],
  config: { folds: { type: 'k_fold', k: 5 } },
};

{
  languages: ['english', 'german', 'russian', 'turkish', 'georgian'],
  grids: [
    tasks { representations: spaces(['fasttext', 'word2vec', 'attract_repel']) + bert, encoders: averages },
    tasks { name: 'random encoders', representations: spaces(['fasttext']), encoders: random },
  ] + [
    {
      name: 'WC ' + size,
      data: data(size),
      tasks: 'WC',
      languages: ['english', 'georgian'],
      representations: spaces(['fasttext']) + bert,
      encoders: averages + random,
      probes: classifiers(size),
      config: { folds: { type: 'random_subsets', repetitions: 3, test_share: 0.2 } },
    }
    for size in ['5k', '10k', '30k', '60k']
  ],
}
