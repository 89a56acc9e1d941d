// The head of every word, among the words of its sentence: TREEBANK and VECTORS come from the environment.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.edges {
  data: std.extVar('TREEBANK'),
  representation: representations.from_environment(),
}
