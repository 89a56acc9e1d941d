// Distances in dependency trees (the structural probe): TREEBANK and VECTORS come from the environment.
local probe = import 'lib/probe.libsonnet';
local representations = import 'lib/representations.libsonnet';

probe.distance {
  data: std.extVar('TREEBANK'),
  representation: representations.from_environment(),
}
