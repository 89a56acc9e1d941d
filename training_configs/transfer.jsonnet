// Trained in LANGUAGE, tested in TEST_LANGUAGE: DATA_DIR, TASK, VECTORS and TEST_VECTORS are in the environment, too.
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

// The vectors of the two languages are in one space.
probe.single_form {
  data: probe.data_from_environment(),
  representation: representations.from_environment(),
} + probe.transfer_to(
  data=std.join('/', [std.extVar(name) for name in ['DATA_DIR', 'TASK', 'TEST_LANGUAGE']]),
  representation=representations.named(std.extVar('TEST_VECTORS')),
)
