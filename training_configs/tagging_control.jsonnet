// The control task of tagging.jsonnet: how much of such a tag can the same probe learn by heart?
local control = import 'linspector/control.libsonnet';
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

control.of(probe.tagging {
  data: std.extVar('TREEBANK'),
  target: std.extVar('TARGET'),
  representation: representations.from_environment(),
})
