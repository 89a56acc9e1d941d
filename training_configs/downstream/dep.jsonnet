// Dependency trees of a treebank by AllenNLP's biaffine parser, which needs `make setup-downstream`: TREEBANK and VECTORS come from the environment.
local downstream = import 'linspector/downstream.libsonnet';
local representations = import 'linspector/representations.libsonnet';

downstream.dep {
  data: std.extVar('TREEBANK'),
  representation: representations.from_environment(),
}
