// Depths in dependency trees (the structural probe): TREEBANK and VECTORS come from the environment.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.depth {
  data: std.extVar('TREEBANK'),
  representation: representations.from_environment(),
}
