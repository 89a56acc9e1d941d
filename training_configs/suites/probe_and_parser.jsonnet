// A structural probe and a parser of the same form (Hall Maudslay et al. 2020): Figures 2 and 3.
// Nine treebanks, at most 12,000 sentences of 2 to 50 words of each, divided 8:1:1; rank, learning rate and dropout by
// random search.
//
// UD_DIR  the treebanks of Universal Dependencies, as UD_Finnish-TDT/fi_tdt-ud-train.conllu
// MODEL   a folder or name of a model, as bert-base-multilingual-cased; its last layer is probed
//
// The search of the parser goes by UUAS: its least loss is that of a projection onto nothing (docs/treebanks.md).
local treebanks = [
  'Arabic-PADT', 'Basque-BDT', 'Czech-PDT', 'English-EWT', 'Finnish-TDT', 'Japanese-GSD', 'Korean-Kaist', 'Tamil-TTB',
  'Turkish-IMST',
];

local tried = {
  'model.rank': { int: [16, 768] },
  'model.dropout': { uniform: [0, 0.5] },
  'trainer.optimizer.lr': { log_uniform: [0.0001, 0.01] },
};

{
  tasks: [
    { treebank: { files: '%s/UD_%s/*.conllu' % [std.extVar('UD_DIR'), name], split: '8:1:1', max_sentences: 12000 } }
    for name in treebanks
  ],
  representations: { mbert: 'transformer:' + std.extVar('MODEL') },
  grids: [
    { name: 'probe', probes: ['distance'], search: tried { by: '-loss', samples: 20 } },
    { name: 'parser', probes: ['perceptron'], search: tried { by: 'uuas', samples: 20 } },
  ],
}
