// Finnish Case from character n-grams: how much of it does spelling alone tell?
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';

probe.single_form {
  data: probe.example + '/type_level/Case/finnish',
  representation: representations.char_ngrams(),
}
