// Finnish Case from character n-grams: how much of it does spelling alone tell?
local probe = import 'lib/probe.libsonnet';
local representations = import 'lib/representations.libsonnet';

probe.single_form {
  data: probe.fixtures + '/type_level/Case/finnish',
  representation: representations.char_ngrams(),
}
