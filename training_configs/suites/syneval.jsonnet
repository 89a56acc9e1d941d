// syneval (Köhn 2015, 2016), Figure 1: seven features of seven languages by a linear probe of static vectors.
//
// DATA_DIR     FEATURE/LANGUAGE/{train,dev}.txt, as `linspector probe-data syneval` makes them
// VECTORS_DIR  for each language, by its two letters (de): dep/de.vec, cbow/de.vec, glove/de.vec, of 10 dimensions
//
// As published, words without a vector are left out, and scores are those of dev.txt; a tenth of train.txt chooses the
// best epoch. Features and vectors that a language does not have are left out, and named.
local vectors = std.extVar('VECTORS_DIR');

{
  data: std.extVar('DATA_DIR'),
  tasks: ['pos', 'label', 'headpos', 'case', 'gender', 'tense', 'number'],
  languages: ['basque', 'english', 'french', 'german', 'hungarian', 'polish', 'swedish'],
  representations: {
    [name]: '%s/%s/{code}.vec:unk=skip' % [vectors, name]
    for name in ['dep', 'cbow', 'glove']
  },
  probes: ['syneval'],
  config: { tested_on: 'validation' },
}
