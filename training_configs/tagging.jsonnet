// Tags of every word of a treebank: TREEBANK, TARGET (upos, deprel, Case, …) and VECTORS come from the environment.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.tagging {
  data: std.extVar('TREEBANK'),
  target: std.extVar('TARGET'),
  representation: representations.from_environment(),
}
