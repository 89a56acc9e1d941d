// Named entities by AllenNLP's CRF tagger, which needs `make setup-downstream`: NER_DIR (train.txt, dev.txt, test.txt in the format of CoNLL-2003) and VECTORS come from the environment.
local downstream = import 'linspector/downstream.libsonnet';
local representations = import 'linspector/representations.libsonnet';

downstream.ner {
  data: std.extVar('NER_DIR'),
  representation: representations.from_environment(),
}
