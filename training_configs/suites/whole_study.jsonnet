// From vectors to downstream tasks: five Turkish representations probed, and under a tagger and a parser (docs/whole_study.md).
//
// DATA_DIR     type_level/ and token_level/ with TASK/turkish/{train,dev,test}.txt, as released
// UD_DIR       UD_Turkish-IMST/*.conllu
// VECTORS_DIR  word2vec.vec, fasttext.bin, bpe.model and bpe.vec: all three folders are what
//              benchmarks/study_inputs.py writes
local data = std.extVar('DATA_DIR');
local vectors = std.extVar('VECTORS_DIR');

{
  grids: [
    {
      name: 'downstream',
      tasks: { treebank: '%s/UD_Turkish-IMST/tr_imst-ud' % std.extVar('UD_DIR') },
      probes: ['downstream.dep', 'downstream.pos'],
    },
    {
      name: 'probes',
      data: [data + '/type_level', data + '/token_level'],
      languages: ['turkish'],
      seeds: 3,
    },
  ],
  representations: {
    fasttext: 'fasttext:%s/fasttext.bin' % vectors,
    word2vec: '%s/word2vec.vec' % vectors,
    bpe: 'bpe:%s/bpe.model:%s/bpe.vec' % [vectors, vectors],
    ngrams: 'char_ngrams',
    random: 'random_vectors',
  },
}
