local data_parts = import 'data_parts.libsonnet';
local heads = import 'heads.libsonnet';

// A probe run. A config adds `data` and `representation`, and changes whatever else it wants to; these
// are the settings of the study that each kind of probe comes from.
local run(reader, model) = {
  data:: error 'a config must say where its data are: data: "FOLDER"',
  representation:: error 'a config must say what it probes: representation: …',
  seed:: 13,
  test_data:: $.data,

  type: 'probe_run',
  random_seed: $.seed,
  numpy_seed: $.seed,
  pytorch_seed: $.seed,
  dataset_reader: { type: reader, token_indexers: $.representation.token_indexers },
  model: { type: model, text_field_embedder: $.representation.text_field_embedder },
  validation_data_loader: { batch_size: 256 },
  trainer: { type: 'frozen_probe', optimizer: { type: 'fused_adam', lr: 0.001 } },
};

// A task of words, in a folder with train.txt, dev.txt and test.txt. LINSPECTOR's probe.
local word_task(reader, model) = run(reader, model) {
  train_data_path: $.data + '/train.txt',
  validation_data_path: $.data + '/dev.txt',
  test_data_path: $.test_data + '/test.txt',
  model+: { head: { type: 'mlp', hidden_dims: [300], dropout: 0.5 } },
  data_loader: { batch_size: 16, shuffle: true },
  trainer+: { num_epochs: 20, patience: 5, validation_metric: '+accuracy', grad_clipping: 5.0 },
};

// syneval: a form and its value for every occurrence in a treebank, told by a linear classifier. What else
// the training is, the study does not say.
local syneval = word_task('single_form', 'single_form_probe') {
  // 'validation': scores are those of dev.txt, as published. Then a tenth of train.txt is held out to choose
  // the best epoch.
  tested_on: 'test',
  held_out: if self.tested_on == 'validation' then 0.1 else null,
  model+: { head: heads.linear() },
  data_loader+: { batch_size: 64 },
  trainer+: { num_epochs: 100 },
};

// `data` is as data_parts.libsonnet says.
local treebank(reader, model) = run(reader, model) {
  train_data_path: data_parts.of_treebank($.data, 'train'),
  validation_data_path: data_parts.of_treebank($.data, 'dev'),
  test_data_path: data_parts.of_treebank($.test_data, 'test'),
  data_loader: { batch_size: 64, shuffle: true },
};

// The training of the study of control tasks: the learning rate is halved after each epoch without a
// new best loss, and four such epochs in a row are the last.
local halving = {
  trainer+: {
    num_epochs: 300,
    patience: 4,
    validation_metric: '-loss',
    learning_rate_scheduler: 'halve_on_plateau',
    max_steps: 100000,
  },
};

// Every word of a treebank that has the target.
local tagging = treebank('token_tags', 'tagging_probe') + halving + {
  target:: 'upos',
  dataset_reader+: { target: $.target },
  model+: { head: { type: 'linear' } },
};

local edges = treebank('dependency_tree', 'edge_probe') + halving + { model+: { scorer: { type: 'bilinear' } } };

// The structural probes; sentences of 2 to 50 words, as in their studies.
local tree(model, metric) = treebank('dependency_tree', model) {
  dataset_reader+: { max_length: 50 },
  trainer+: { num_epochs: 200, patience: 5, validation_metric: metric },
};

// Whole sentences, with the probe of the study of multilingual sentence probing: 50 sigmoid units, 100
// epochs. `data` is a folder with train.txt, dev.txt and test.txt, or a file in SentEval's layout.
local sentence = run('sentence_label', 'sentence_probe') {
  // tokenizer: of raw text, as 'words_and_punctuation'; by default words are what is between spaces.
  tokenizer:: null,
  // topic: 'encode' if the probe is to see the topic of each sentence, 'group' if only folds are.
  topic:: null,

  local part(data, split, senteval) =
    data + if std.endsWith(data, '.txt') then '#' + senteval else '/%s.txt' % split,
  train_data_path: part($.data, 'train', 'tr'),
  validation_data_path: part($.data, 'dev', 'va'),
  test_data_path: part($.test_data, 'test', 'te'),
  dataset_reader+: {
    [if $.tokenizer != null then 'tokenizer']: $.tokenizer,
    [if $.topic != null then 'topic']: $.topic,
  },
  model+: {
    [if std.objectHas($.representation, 'encoder') then 'encoder']: $.representation.encoder,
    [if $.topic == 'encode' then 'with_topic']: true,
    head: heads.mlp(),
  } + (if std.objectHas($.representation, 'sentence_settings') then $.representation.sentence_settings else {}),
  data_loader: { batch_size: 32, shuffle: true },
  trainer+: { num_epochs: 100, validation_metric: '+accuracy' },
};

// Test data of another language or domain than the training and validation data; `representation` is that of
// their words, where it is not the same file or model. Its names tell the readers' words apart.
local transfer_to(data, representation=null) =
  local of_test(parts) = { ['test_' + name]: parts[name] for name in std.objectFields(parts) };
  { test_data:: data } + if representation == null then {} else {
    transfer: true,
    validation_dataset_reader: $.dataset_reader { token_indexers: of_test(representation.token_indexers) },
    model+: {
      text_field_embedder: {
        type: 'transfer',
        train: $.representation.text_field_embedder,
        test: representation.text_field_embedder { token_embedders: of_test(super.token_embedders) },
      },
    },
  };

// The folder of the package, wherever a config is called from.
local here = std.split(std.thisFile, '/');
local package = std.join('/', here[0:std.length(here) - 3]);

{
  single_form: word_task('single_form', 'single_form_probe'),
  paired_forms: word_task('paired_forms', 'paired_forms_probe'),
  token_in_context: word_task('token_in_context', 'token_in_context_probe'),
  paired_tokens: word_task('paired_tokens', 'paired_tokens_probe'),

  // A task of probe-data syneval.
  syneval: syneval,

  // A label of a whole sentence. folds: { type: 'k_fold', k: 5 } takes all its data together, as the study.
  sentence: sentence,

  // target: 'upos', 'xpos', 'deprel', 'headpos', a feature such as 'Case', or a list of these.
  tagging: tagging,

  // The head of every word; scorer: { type: 'bilinear', rank: … } or { type: 'mlp', hidden_dims: […] }.
  edges: edges,

  // The probes of the study of control tasks, to the letter: control_tasks.tagging { probe: 'mlp1' },
  // control_tasks.edges { probe: 'bilinear', designed: true }.
  control_tasks:: (import 'control_tasks.libsonnet')(tagging, edges),

  // Distances and depths in the tree; model+: { rank: … }.
  distance: tree('distance_probe', '-loss'),
  depth: tree('depth_probe', '-loss'),

  // The same projection, trained as a parser. The least loss is that of a projection onto nothing, so
  // the best epoch is the one with the best trees.
  perceptron: tree('perceptron_probe', '+uuas'),

  // Tested in another language or domain: probe.single_form { … } + probe.transfer_to('Case/turkish'), over
  // aligned vectors probe.transfer_to('Case/turkish', representations.word_vectors('tr.vec')).
  transfer_to:: transfer_to,

  // The small Finnish data that come with the package.
  example: package + '/example',

  // The task folder that the environment variables DATA_DIR, TASK and LANGUAGE name.
  data_from_environment()::
    std.join('/', [std.extVar(name) for name in ['DATA_DIR', 'TASK', 'LANGUAGE']]),
}
