// A task of sentences (SentLen, BiShift, Voice, …): DATA_DIR, TASK, LANGUAGE, VECTORS and ENCODER come from the environment.
local encoders = import 'linspector/encoders.libsonnet';
local probe = import 'linspector/probe.libsonnet';

probe.sentence {
  data: probe.data_from_environment(),
  representation: encoders.from_environment(),
}
