// The head of every word, among the words of its sentence: TREEBANK and VECTORS come from the environment.
local probe = import 'lib/probe.libsonnet';
local representations = import 'lib/representations.libsonnet';

probe.edges {
  data: std.extVar('TREEBANK'),
  representation: representations.from_environment(),
}
