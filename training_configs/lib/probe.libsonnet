// A probe run with LINSPECTOR's settings. A config adds `data` (a folder with train.txt, dev.txt
// and test.txt) and `representation`, and changes whatever else it wants to.
local run(reader, model) = {
  data:: error 'a config must say where its data are: data: "FOLDER"',
  representation:: error 'a config must say what it probes: representation: …',
  seed:: 13,

  type: 'probe_run',
  random_seed: $.seed,
  numpy_seed: $.seed,
  pytorch_seed: $.seed,
  dataset_reader: { type: reader, token_indexers: $.representation.token_indexers },
  train_data_path: $.data + '/train.txt',
  validation_data_path: $.data + '/dev.txt',
  test_data_path: $.data + '/test.txt',
  model: {
    type: model,
    text_field_embedder: $.representation.text_field_embedder,
    head: { type: 'mlp', hidden_dims: [300], dropout: 0.5 },
  },
  data_loader: { batch_size: 16, shuffle: true },
  validation_data_loader: { batch_size: 256 },
  trainer: {
    type: 'frozen_probe',
    optimizer: { type: 'fused_adam', lr: 0.001 },
    num_epochs: 20,
    patience: 5,
    validation_metric: '+accuracy',
    grad_clipping: 5.0,
  },
};

// The folder of this file, wherever a config is called from.
local here = std.split(std.thisFile, '/');

{
  single_form: run('single_form', 'single_form_probe'),
  paired_forms: run('paired_forms', 'paired_forms_probe'),
  token_in_context: run('token_in_context', 'token_in_context_probe'),

  // The small data that come with the package.
  fixtures: std.join('/', here[0:std.length(here) - 1] + ['..', '..', 'fixtures']),

  // The task folder that the environment variables DATA_DIR, TASK and LANGUAGE name.
  data_from_environment()::
    std.join('/', [std.extVar(name) for name in ['DATA_DIR', 'TASK', 'LANGUAGE']]),
}
