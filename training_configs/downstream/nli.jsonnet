// Natural language inference by ESIM, which needs `make setup-downstream`: XNLI_DIR (xnli.dev.tsv, xnli.test.tsv, multinli.train.LANGUAGE.tsv), XNLI_LANGUAGE and VECTORS come from the environment.
local downstream = import 'linspector/downstream.libsonnet';
local representations = import 'linspector/representations.libsonnet';

downstream.nli {
  data: std.extVar('XNLI_DIR'),
  language: std.extVar('XNLI_LANGUAGE'),
  representation: representations.from_environment(),
}
