// Universal POS tags of a treebank by AllenNLP's tagger: TREEBANK and VECTORS come from the environment.
local downstream = import 'linspector/downstream.libsonnet';
local representations = import 'linspector/representations.libsonnet';

downstream.pos {
  data: std.extVar('TREEBANK'),
  representation: representations.from_environment(),
}
