// A little of everything, on the small data of the package, for `make report`.
// Morphology with control tasks and seeds, and tags and trees of a treebank, also with less of it: half a minute.
local probe = import 'linspector/probe.libsonnet';
local representations = {
  vectors: probe.example + '/vectors/finnish.vec',
  spelling: 'char_ngrams',
  identity: 'random_vectors',
};
local treebank = probe.example + '/raw/finnish-ud';

{
  representations: representations,
  grids: [
    {
      name: 'morphology',
      data: probe.example + '/type_level',
      tasks: '*',
      languages: ['finnish'],
      seeds: 3,
      control: true,
    },
    {
      name: 'syntax',
      tasks: { treebank: treebank, targets: ['upos', 'Case'], probes: ['tagging', 'distance', 'edges'] },
      control: true,
    },
    {
      name: 'shares',
      tasks: { treebank: treebank, targets: ['upos'] },
      train_share: [0.25, 0.5, 1],
    },
  ],
}
