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

local adam = { type: 'adam', lr: 0.001 };

{
  // Universal POS tagging by a BiLSTM. The study does not say how many layers it has; without a second one
  // there would be no place for its dropout.
  pos: treebank('pos', 'pos_tagging') {
    model+: { model: { type: 'simple_tagger', encoder: bilstm(300, 2, 0.5) } },
    data_loader: { batch_size: 32, shuffle: true },
    trainer: { num_epochs: 40, patience: 10, validation_metric: '+accuracy', optimizer: adam },
  },

  // Dependency parsing with gold parts of speech by the deep biaffine parser. Its dropout, of which the study
  // says nothing, is that of AllenNLP's own config.
  dep: treebank('dep', 'dependency_parsing') {
    model+: {
      local parser = self.model,
      local relu = {
        input_dim: 2 * parser.encoder.hidden_size,
        num_layers: 1,
        hidden_dims: 200,
        activations: 'relu',
      },
      sizes: { 'encoder.input_size': parser.pos_tag_embedding.embedding_dim },
      model: {
        type: 'allennlp_models.structured_prediction.models.biaffine_dependency_parser.BiaffineDependencyParser',
        pos_tag_embedding: { embedding_dim: 100, vocab_namespace: 'pos' },
        encoder: bilstm(250, 2, 0.3),
        arc_feedforward: relu,
        tag_feedforward: relu,
        arc_representation_dim: self.arc_feedforward.hidden_dims,
        tag_representation_dim: self.tag_feedforward.hidden_dims,
        dropout: 0.3,
        input_dropout: 0.3,
      },
    },
    data_loader: { batch_size: 128, shuffle: true },
    trainer: { num_epochs: 30, patience: 5, validation_metric: '+LAS', optimizer: adam, grad_norm: 5.0 },
  },
}
