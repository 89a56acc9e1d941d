// Dependency trees by a structured perceptron over the same projection as the structural probe: TREEBANK and VECTORS come from the environment.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.perceptron {
  data: std.extVar('TREEBANK'),
  representation: representations.from_environment(),
}
