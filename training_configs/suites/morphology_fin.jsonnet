// Finnish morphology: which features do three kinds of vectors know? With control tasks, and three seeds.
// It runs on the small data of the package; put your own folder and vectors in their place.
local probe = import 'linspector/probe.libsonnet';

{
  data: probe.example + '/type_level',
  tasks: '*',
  languages: ['finnish'],
  representations: {
    vectors: probe.example + '/vectors/finnish.vec',
    spelling: 'char_ngrams',
    identity: 'random_vectors',
  },
  seeds: 3,
  control: true,
}
