// Semantic roles in the format of CoNLL-2009: SRL_DIR (train.txt, dev.txt, test.txt) and VECTORS come from the environment.
local downstream = import 'linspector/downstream.libsonnet';
local representations = import 'linspector/representations.libsonnet';

downstream.srl {
  data: std.extVar('SRL_DIR'),
  representation: representations.from_environment(),
}
