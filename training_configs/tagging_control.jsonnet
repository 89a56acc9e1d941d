// The control task of tagging.jsonnet: how much of such a tag can the same probe learn by heart?
local control = import 'lib/control.libsonnet';

control.of(import 'tagging.jsonnet')
