// The tuning of multilingual sentence probing (a thesis of 2019): 50, 100 or 200 hidden units, dropout 0, 0.1 or 0.2.
// Chosen on the development data; the training ends after five epochs without a better score.
//
// DATA_DIR     TASK/LANGUAGE/{train,dev,test}.txt, as `linspector probe-data sentence-level` makes them
// VECTORS_DIR  for each language, by its two letters (tr): fasttext/tr.vec
{
  data: std.extVar('DATA_DIR'),
  tasks: '*',
  representations: { fasttext: std.extVar('VECTORS_DIR') + '/fasttext/{code}.vec' },
  encoders: { avg: 'average', 'p-means': 'power_means', BOREP: 'borep:dimension=4096' },
  search: {
    by: 'macro_f1',
    grid: { 'model.head.hidden_dims': [[50], [100], [200]], 'model.head.dropout': [0, 0.1, 0.2] },
  },
  config: { trainer: { patience: 5 } },
}
