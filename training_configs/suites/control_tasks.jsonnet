// The study of control tasks (Hewitt & Liang 2019): Tables 1 and 2, Figure 4.
// Layer 1 for Table 1 and Figure 4, layer 2 and Proj0 for Table 2.
// Part-of-speech tags and heads; linear or bilinear probes, MLP-1, MLP-2. One limit at a time is away from its
// default: rank or hidden size, dropout, weight decay, steps, 10 % and 1 % of the data.
//
// TREEBANK  how the names of its files begin: ptb/ptb for ptb/ptb-train.conllu and ptb/ptb-dev.conllu
// VECTORS   the model without a layer, as elmo:options.json:weights.hdf5
//
// Scores are those of the development data, as published. In the table, `settings` has all limits of a run: a
// column of Figure 4 is the runs in which the other limits are at their defaults.
local series = (import 'linspector/probe.libsonnet').control_tasks.series;

local defaults = { size: 1000, dropout: 0, weight_decay: 0, max_steps: 100000 };

local limits(kind) = [defaults] + [
  defaults { [limit]: value }
  for limit in ['size', 'dropout', 'weight_decay', 'max_steps', 'train_share']
  for value in (if limit == 'size' then series.size[kind] else series[limit])
  if value != std.get(defaults, limit, 1.0)
];

local probes(kind, simplest) = {
  [name]: { kind: 'control_tasks.' + kind, probe: name }
  for name in [simplest, 'mlp1', 'mlp2']
};

local layers = {
  layers: [2],
  representations: { elmo: std.extVar('VECTORS'), proj0: 'random_bilstm:' + std.extVar('VECTORS') + ':layer=0' },
  settings: [defaults],
};

local tags = {
  tasks: { treebank: std.extVar('TREEBANK'), targets: 'xpos', language: 'english' },
  probes: probes('tagging', 'linear'),
};

local heads = {
  tasks: { treebank: std.extVar('TREEBANK'), language: 'english' },
  probes: probes('edges', 'bilinear'),
};

{
  representations: { elmo: std.extVar('VECTORS') },
  layers: [1],
  control: true,
  config: { tested_on: 'validation' },
  grids: [
    tags { name: 'tags', settings: limits('tagging') },
    heads { name: 'heads', settings: limits('edges') },
    tags + layers { name: 'tags by layer' },
    heads + layers { name: 'heads by layer' },
  ],
}
