// A paired task of tokens in context (OddFeat, SameFeat): DATA_DIR, TASK, LANGUAGE and VECTORS come from the environment.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.paired_tokens {
  data: probe.data_from_environment(),
  representation: representations.from_environment(),
}
