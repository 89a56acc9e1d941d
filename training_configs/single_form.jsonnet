// A single-form task (Case, Number, TagCount, …): DATA_DIR, TASK, LANGUAGE and VECTORS come from the environment.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.single_form {
  data: probe.data_from_environment(),
  representation: representations.from_environment(),
}
