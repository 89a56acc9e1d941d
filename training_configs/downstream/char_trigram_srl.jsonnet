// Semantic roles from nothing but character trigrams, the model that LINSPECTOR takes apart: SRL_DIR comes from the environment.
local downstream = import 'linspector/downstream.libsonnet';

downstream.char_trigram_srl { data: std.extVar('SRL_DIR') }
