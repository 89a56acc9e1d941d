// The kinds of runs by the names that suites and probe_config have for them.
local downstream = import 'downstream.libsonnet';
local probe = import 'probe.libsonnet';

{ [kind]: probe[kind] for kind in std.objectFields(probe) if std.isObject(probe[kind]) }
+ { ['control_tasks.' + kind]: probe.control_tasks[kind] for kind in ['tagging', 'edges'] }
+ { ['downstream.' + kind]: downstream[kind] for kind in std.objectFields(downstream) }
