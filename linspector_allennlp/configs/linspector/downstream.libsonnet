local data_parts = import 'data_parts.libsonnet';

// A model of AllenNLP's on a real task, over a frozen representation and nothing else: no characters, no
// fine-tuning. A config adds `data` and `representation`; these are the settings of the LINSPECTOR study.
local run(task, reader) = {
  data:: error 'a config must say where its data are: data: "FOLDER"',
  representation:: error 'a config must say what the model is over: representation: …',
  seed:: 13,
  test_data:: $.data,

  type: 'recorded_run',
  downstream: task,
  random_seed: $.seed,
  numpy_seed: $.seed,
  pytorch_seed: $.seed,
  dataset_reader: { type: reader, token_indexers: $.representation.token_indexers },
  // The size of the input is that of the representation.
  model: { type: 'sized_model', text_field_embedder: $.representation.text_field_embedder },
  validation_data_loader: { batch_size: 128 },
};

// Of a treebank, or of files that are divided anew: see probe.libsonnet.
local treebank(task, reader) = run(task, reader) {
  train_data_path: data_parts.of_treebank($.data, 'train'),
  validation_data_path: data_parts.of_treebank($.data, 'dev'),
  test_data_path: data_parts.of_treebank($.test_data, 'test'),
};

// A BiLSTM. Its dropout is between its layers.
local bilstm(hidden_size, num_layers, dropout) = {
  type: 'lstm',
  bidirectional: true,
  hidden_size: hidden_size,
  num_layers: num_layers,
  dropout: dropout,
};

// Three files: train.txt, dev.txt and test.txt in the folder `data`, or { train: FILE, dev: FILE, test: FILE }.
local file(data, part, name) = if std.isObject(data) then data[part] else '%s/%s' % [data, name];
local files(task, reader) = run(task, reader) {
  train_data_path: file($.data, 'train', 'train.txt'),
  validation_data_path: file($.data, 'dev', 'dev.txt'),
  test_data_path: file($.test_data, 'test', 'test.txt'),
};

// Semantic roles. The study's "adaptive learning rate" is halved here after each epoch without a new best F1: with
// its patience of 3, that of its code, which waits for three such epochs, would never change.
local roles = files('srl', 'semantic_roles') {
  datasets_for_vocab_creation: ['train'],
  data_loader: { batch_size: 32, shuffle: true },
  trainer: {
    num_epochs: 20,
    patience: 3,
    validation_metric: '+role_f1',
    optimizer: { type: 'sgd', lr: 1.0 },
    grad_norm: 2.0,
    learning_rate_scheduler: 'halve_on_plateau',
  },
};

local adam = { type: 'adam', lr: 0.001 };

// The deep biaffine parser. `pos_dim` is the size of an embedding of the gold parts of speech, if it has one.
// Its dropout, of which the study says nothing, is that of AllenNLP's own config.
local parser(pos_dim) = treebank('dep', 'dependency_parsing') {
  model+: {
    local parser = self.model,
    local relu = {
      input_dim: 2 * parser.encoder.hidden_size,
      num_layers: 1,
      hidden_dims: 200,
      activations: 'relu',
    },
    sizes: { 'encoder.input_size': pos_dim },
    model: {
      type: 'allennlp_models.structured_prediction.models.biaffine_dependency_parser.BiaffineDependencyParser',
      [if pos_dim > 0 then 'pos_tag_embedding']: { embedding_dim: pos_dim, vocab_namespace: 'pos' },
      encoder: bilstm(250, 2, 0.3),
      arc_feedforward: relu,
      tag_feedforward: relu,
      arc_representation_dim: self.arc_feedforward.hidden_dims,
      tag_representation_dim: self.tag_feedforward.hidden_dims,
      dropout: 0.3,
      input_dropout: 0.3,
    },
  },
  // Sentences of about the same length go together, as in AllenNLP's own config: what is padded is computed, too.
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 128, sorting_keys: ['words'] } },
  trainer: { num_epochs: 30, patience: 5, validation_metric: '+LAS', optimizer: adam, grad_norm: 5.0 },
};

// syneval's parser (Koehn 2016): beside the representation it is given gold morphology, of which something may be
// left out: 'all', '-case', '-tense', '-number', '-pos', 'none'.
local with_morphology = parser(0) {
  morphology:: 'all',
  dataset_reader+: {
    gold_morphology: $.morphology,
    token_indexers+: { features: { type: 'feature_bag' } },
  },
  model+: { text_field_embedder+: { token_embedders+: { features: { type: 'feature_bag' } } } },
};

// Natural language inference by ESIM, with the settings of AllenNLP's own config. With a language, as 'tr', `data` is
// a folder with XNLI's files, otherwise one with train.tsv, dev.tsv and test.tsv; or it is three files: see `file`.
local nli = run('nli', 'nli') {
  language:: null,
  local names = if $.language == null
  then { train: 'train.tsv', dev: 'dev.tsv', test: 'test.tsv' }
  else { train: 'multinli.train.%s.tsv' % $.language, dev: 'xnli.dev.tsv', test: 'xnli.test.tsv' },
  dataset_reader+: { [if $.language != null then 'language']: $.language },
  train_data_path: file($.data, 'train', names.train),
  validation_data_path: file($.data, 'dev', names.dev),
  test_data_path: file($.test_data, 'test', names.test),
  model+: {
    local hidden_size = self.model.encoder.hidden_size,
    local relu = {
      input_dim: 8 * hidden_size,
      num_layers: 1,
      hidden_dims: hidden_size,
      activations: 'relu',
    },
    model: {
      type: 'allennlp_models.pair_classification.models.esim.ESIM',
      encoder: bilstm(300, 1, 0.0),
      matrix_attention: { type: 'dot_product' },
      projection_feedforward: relu,
      inference_encoder: bilstm(hidden_size, 1, 0.0) { input_size: hidden_size },
      output_feedforward: relu { dropout: 0.5 },
      // Three labels.
      output_logit: { input_dim: hidden_size, num_layers: 1, hidden_dims: 3, activations: 'linear' },
      dropout: 0.5,
      initializer: {
        regexes: [
          ['.*linear_layers.*weight', { type: 'xavier_uniform' }],
          ['.*linear_layers.*bias', { type: 'zero' }],
          ['.*weight_ih.*', { type: 'xavier_uniform' }],
          ['.*weight_hh.*', { type: 'orthogonal' }],
          ['.*bias_ih.*', { type: 'zero' }],
          ['.*bias_hh.*', { type: 'lstm_hidden_bias' }],
        ],
        prevent_regexes: ['.*text_field_embedder.*'],
      },
    },
  },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 64, sorting_keys: ['premise', 'hypothesis'] } },
  trainer: {
    num_epochs: 75,
    patience: 5,
    validation_metric: '+accuracy',
    grad_norm: 10.0,
    optimizer: { type: 'adam', lr: 0.0004 },
    learning_rate_scheduler: 'halve_on_plateau',
  },
};

{
  // Universal POS tagging by a BiLSTM. The study does not say how many layers it has; without a second one
  // there would be no place for its dropout.
  pos: treebank('pos', 'pos_tagging') {
    model+: { model: { type: 'simple_tagger', encoder: bilstm(300, 2, 0.5) } },
    data_loader: { batch_size: 32, shuffle: true },
    trainer: { num_epochs: 40, patience: 10, validation_metric: '+accuracy', optimizer: adam },
  },

  // Dependency parsing with gold parts of speech.
  dep: parser(100),

  // The same with gold morphology; morphology: '-case'.
  dep_morphology: with_morphology,

  // Named entities in the format of CoNLL-2003 by a BiLSTM-CRF.
  ner: files('ner', 'named_entities') {
    model+: {
      model: {
        type: 'allennlp_models.tagging.models.crf_tagger.CrfTagger',
        label_encoding: 'BIOUL',
        encoder: bilstm(200, 2, 0.5),
        dropout: 0.5,
      },
    },
    data_loader: { batch_size: 32, shuffle: true },
    trainer: { num_epochs: 20, patience: 10, validation_metric: '+f1-measure-overall', optimizer: adam },
  },

  // Semantic roles of words, for predicates that are given, in the format of CoNLL-2009.
  srl: roles { model+: { type: 'dependency_srl', encoder: bilstm(200, 2, 0.5), dropout: 0.5 } },

  // The same from nothing but the words' character trigrams. The weights after each epoch are kept. A trigram that
  // the training instances have once is an unknown one, so that unknown ones have a vector that was trained. A
  // sentence is an instance for each of its predicates: a trigram of one with two predicates is there twice.
  char_trigram_srl: roles {
    representation:: { token_indexers: { trigrams: { type: 'character_ngrams' } } },
    vocabulary: { min_count: { character_ngrams: 2 } },
    model: { type: 'char_trigram_srl', encoder: bilstm(200, 1, 0.0), dropout: 0.5 },
    trainer+: { checkpointer: { keep_most_recent_by_count: null } },
  },

  nli: nli,

  // In the place of a representation, for dep_morphology: none.
  nothing:: { token_indexers: {}, text_field_embedder: { token_embedders: {} } },
}
