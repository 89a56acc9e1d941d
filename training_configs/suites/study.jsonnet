// The study of docs/study.md: Turkish words, tokens and sentences, and English tags and trees by layer.
//
// DATA_DIR     type_level/ and token_level/ with TASK/turkish/{train,dev,test}.txt, and sentence_level/turkish/*.txt, as released
// UD_DIR       UD_English-EWT/*.conllu
// VECTORS_DIR  word2vec.vec, fasttext.bin, bpe.model and bpe.vec of Turkish: all three folders are what
//              benchmarks/study_inputs.py writes
// MODEL        a transformer with layers 0 to 6, as all-MiniLM-L6-v2
local data = std.extVar('DATA_DIR');
local vectors = std.extVar('VECTORS_DIR');

local words = {
  fasttext: 'fasttext:%s/fasttext.bin' % vectors,
  word2vec: '%s/word2vec.vec' % vectors,
  bpe: 'bpe:%s/bpe.model:%s/bpe.vec' % [vectors, vectors],
  ngrams: 'char_ngrams',
  random: 'random_vectors',
};

local ewt = {
  treebank: { files: '%s/UD_English-EWT/*.conllu' % std.extVar('UD_DIR'), split: '8:1:1' },
  language: 'english',
};
local layers = { minilm: 'transformer:' + std.extVar('MODEL') };

// Raw text; lines without a sentence are left out, because their label stands in its place.
local sentences = {
  data: data + '/sentence_level',
  tasks: [
    'turkish/%s.txt' % name
    for name in ['sentence_length', 'word_content', 'bigram_shift', 'sv_agree', 'sv_dist', 'voice', 'subj_number']
  ],
  config: { tokenizer: 'words_and_punctuation', dataset_reader: { skip_empty: true } },
};

{
  grids: [
    {
      name: 'words',
      data: [data + '/type_level', data + '/token_level'],
      languages: ['turkish'],
      representations: words,
      seeds: 3,
      control: true,
    },
    {
      name: 'tags',
      tasks: ewt { targets: ['upos', 'xpos', 'deprel'], probes: ['tagging'] },
      representations: layers,
      layers: 'all',
      seeds: 3,
      control: true,
    },
    {
      name: 'trees',
      tasks: ewt { probes: ['distance', 'perceptron'] },
      representations: layers,
      layers: 'all',
    },
    sentences {
      name: 'sentences',
      representations: { fasttext: words.fasttext },
      encoders: ['average', 'power_means', 'sif', 'gem', 'hierarchical_pooling', 'borep:dimension=2048', 'random_bilstm:dimension=1024'],
    },
    sentences {
      name: 'averages',
      representations: { [name]: words[name] for name in ['word2vec', 'bpe', 'ngrams', 'random'] },
      encoders: ['average'],
    },
  ],
}
