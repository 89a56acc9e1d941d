// A layer of a transformer on a token-level task: DATA_DIR, TASK, LANGUAGE, MODEL and LAYER come from the environment.
local probe = import 'lib/probe.libsonnet';
local representations = import 'lib/representations.libsonnet';

probe.token_in_context {
  data: probe.data_from_environment(),
  representation: representations.transformer_from_environment(),
}
