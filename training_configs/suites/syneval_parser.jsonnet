// syneval (Koehn 2016), Table 1: a parser with and without embeddings, given all, some or no gold morphology.
//
// UD_DIR       the treebanks of Universal Dependencies, as UD_Swedish-Talbanken/sv_talbanken-ud-train.conllu
// VECTORS_DIR  for each language, by its two letters (de): dep/de.vec, cbow/de.vec, glove/de.vec
//
// The study parsed SPMRL 2014 with RBGParser, which also sees the words themselves. Here a parser without an embedding
// sees the gold morphology and nothing else.
local downstream = import 'linspector/downstream.libsonnet';
local vectors = std.extVar('VECTORS_DIR');

local treebanks = [
  'Basque-BDT', 'English-EWT', 'French-GSD', 'German-GSD', 'Hungarian-Szeged', 'Polish-LFG', 'Swedish-Talbanken',
];

{
  tasks: [{ treebank: '%s/UD_%s/*-ud' % [std.extVar('UD_DIR'), name] } for name in treebanks],
  representations: {
    [name]: '%s/%s/{code}.vec' % [vectors, name]
    for name in ['dep', 'cbow', 'glove']
  } + { nothing: downstream.nothing },
  probes: ['downstream.dep_morphology'],
  settings: { morphology: ['all', '-case', '-tense', '-number', '-pos', 'none'] },
}
