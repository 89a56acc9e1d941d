// LINSPECTOR's type-level study (Şahin et al. 2020): Table 9, and Table C.1 for Czech, French and Hungarian.
//
// DATA_DIR     TASK/LANGUAGE/{train,dev,test}.txt, as released or as `linspector probe-data type-level` makes them
// VECTORS_DIR  for each language, by its two letters (fi): muse/fi.vec, word2vec/fi.vec, bpe/fi.model and bpe/fi.bin
//              (BPEmb), fasttext/fi.bin, elmo/fi/ (a model of ELMoForManyLangs)
//
// Tasks and vectors that a language does not have are left out, and named.
local vectors = std.extVar('VECTORS_DIR');

{
  data: std.extVar('DATA_DIR'),
  tasks: [
    'Case', 'Gender', 'Mood', 'Number', 'POS', 'Person', 'Polarity', 'Possession', 'Pseudo', 'Tense', 'Voice',
    'CharacterBin', 'TagCount', 'OddFeat', 'SameFeat',
  ],
  languages: ['finnish', 'german', 'spanish', 'russian', 'turkish', 'czech', 'french', 'hungarian'],
  representations: {
    // All unknown words have one vector, as in the study; both kinds were trained on lower-cased text.
    MUSE: vectors + '/muse/{code}.vec:unk=shared_random:lowercase=true',
    word2vec: vectors + '/word2vec/{code}.vec:unk=shared_random:lowercase=true',
    'GloVe-BPE': 'bpe:%s/bpe/{code}.model:%s/bpe/{code}.bin' % [vectors, vectors],
    fastText: 'fasttext:' + vectors + '/fasttext/{code}.bin',
    'D-ELMo': 'elmo_for_many_langs:' + vectors + '/elmo/{code}:average',
  },
}
