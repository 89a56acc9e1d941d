// A single-form task (Case, Number, TagCount, …): DATA_DIR, TASK, LANGUAGE and VECTORS come from the environment.
local probe = import 'lib/probe.libsonnet';
local representations = import 'lib/representations.libsonnet';

probe.single_form {
  data: probe.data_from_environment(),
  representation: representations.from_environment(),
}
