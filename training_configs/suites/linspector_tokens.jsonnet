// LINSPECTOR's token-level study (Şahin et al. 2020): Table 11.
// C-ELMo sees the sentence, D-ELMo the word alone.
//
// DATA_DIR     TASK/LANGUAGE/{train,dev,test}.txt, as released or as `linspector probe-data token-level` makes them
// VECTORS_DIR  as in linspector_types.jsonnet
//
// Tasks and vectors that a language does not have are left out, and named.
local vectors = std.extVar('VECTORS_DIR');

{
  data: std.extVar('DATA_DIR'),
  tasks: ['Case', 'Gender', 'Mood', 'Number', 'POS', 'Person', 'Polarity', 'Possession', 'Tense', 'Voice'],
  languages: ['finnish', 'german', 'spanish', 'russian', 'turkish'],
  representations: {
    MUSE: vectors + '/muse/{code}.vec:unk=shared_random:lowercase=true',
    word2vec: vectors + '/word2vec/{code}.vec:unk=shared_random:lowercase=true',
    'GloVe-BPE': 'bpe:%s/bpe/{code}.model:%s/bpe/{code}.bin' % [vectors, vectors],
    fastText: 'fasttext:' + vectors + '/fasttext/{code}.bin',
    'D-ELMo': 'elmo_for_many_langs:' + vectors + '/elmo/{code}:average:alone=true',
    'C-ELMo': 'elmo_for_many_langs:' + vectors + '/elmo/{code}:average',
  },
}
