// A task of syneval, by a linear classifier: DATA_DIR, TASK, LANGUAGE and VECTORS come from the environment.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.syneval {
  data: probe.data_from_environment(),
  // As published, words without a vector are in no split: representations.word_vectors(FILE, unk='skip');
  representation: representations.from_environment(),
  // and scores are those of dev.txt: tested_on: 'validation'.
}
