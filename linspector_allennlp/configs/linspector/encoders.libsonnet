// The encoders that make one vector of the words of a sentence, over any representation of
// representations.libsonnet. One function each, and `named`, which finds them by a text. What is left out
// is as the encoder has it.
//
// Two settings are the same for all. unk: words that the representation does not know are left out ('skip',
// the default), or have the vector that it gives to them ('representation'). unknown_sentences: one without
// a known word is all zeros ('zeros', the default) or stops the run ('error').
local arguments = import 'text_arguments.libsonnet';
local representations = import 'representations.libsonnet';

local common = ['unk', 'unknown_sentences'];

// By function the settings of its encoder in their order; the common ones come after them.
local table = {
  average: [],
  max: [],
  power_means: ['p', 'normalize'],
  sif: ['a'],
  gem: ['window', 'num_directions', 'num_removed', 'sigma_power'],
  hierarchical_pooling: ['window'],
  borep: ['dimension', 'pooling', 'seed'],
  random_bilstm: ['dimension', 'seed'],
  random_esn: ['dimension', 'spectral_radius', 'sparsity', 'leak', 'input_scale', 'seed'],
  sentence_vector: [],
};
local names = std.objectFields(table);

// How a transformer's pool is called, of whole sentences.
local pools = { mean: 'sentence_mean', max: 'sentence_max', cls: 'cls' };

local without_nulls(settings) =
  { [key]: settings[key] for key in std.objectFields(settings) if settings[key] != null };

// Several representations of words side by side, the first called `words` as that of one.
local side_by_side(spaces) =
  local number(i) = if i == 0 then '' else '_%d' % (i + 1);
  local renamed(space, i) = {
    token_indexers: {
      [name + number(i)]: space.token_indexers[name]
      for name in std.objectFields(space.token_indexers)
    },
    text_field_embedder+: {
      local embedders = space.text_field_embedder.token_embedders,
      token_embedders: { [name + number(i)]: embedders[name] for name in std.objectFields(embedders) },
    },
  };
  local parts = std.mapWithIndex(function(i, space) renamed(space, i), spaces);
  if spaces == [] then error 'an encoder needs a representation, or several in a list; the list is empty.'
  else {
    token_indexers: std.foldl(function(all, part) all + part.token_indexers, parts, {}),
    text_field_embedder: {
      token_embedders: std.foldl(
        function(all, part) all + part.text_field_embedder.token_embedders, parts, {}
      ),
    },
  };

local as_one(spaces) = if std.isArray(spaces) then side_by_side(spaces) else spaces;

// The representation, or several in a list, with an encoder over it. A setting that is null is left out.
local encoded(name, representation, settings) =
  local of_encoder = { [key]: settings[key] for key in table[name] if std.objectHas(settings, key) };
  local of_sentences = { [key]: settings[key] for key in common if std.objectHas(settings, key) };
  // Of several spaces side by side none is to weigh more than another.
  local several = if name == 'power_means' && std.isArray(representation) && std.length(representation) > 1
  then { normalize: true } else {};
  as_one(representation) {
    encoder: { type: name } + several + without_nulls(of_encoder),
    sentence_settings: without_nulls(of_sentences),
  };

// The same with the values of the settings, in their order.
local of_values(name, representation, values) =
  local keys = table[name] + common;
  encoded(name, representation, { [keys[i]]: values[i] for i in std.range(0, std.length(values) - 1) });

local named(text, representation) =
  local parts = arguments.split(text);
  local name = parts[0];
  if std.objectHas(table, name)
  then encoded(name, representation, arguments.settings(text, name, parts[1:], table[name] + common, []))
  else error "there is no encoder '%s'.%s Expected one of %s."
             % [name, arguments.nearest(name, names), std.join(', ', names)];

{
  // The mean of the words' vectors.
  average(representation, unk=null, unknown_sentences=null)::
    of_values('average', representation, [unk, unknown_sentences]),

  // The greatest value in each dimension.
  max(representation, unk=null, unknown_sentences=null)::
    of_values('max', representation, [unk, unknown_sentences]),

  // Power means, for each p: numbers, '-inf' (the least value) and 'inf' (the greatest). Takes a list of
  // representations too, which are then side by side, each word's vector made one of length 1.
  power_means(representation, p=null, normalize=null, unk=null, unknown_sentences=null)::
    of_values('power_means', representation, [p, normalize, unk, unknown_sentences]),

  // A mean in which frequent words weigh less, without what all sentences share. Fitted in training.
  sif(representation, a=null, unk=null, unknown_sentences=null)::
    of_values('sif', representation, [a, unk, unknown_sentences]),

  // A sum in which words weigh more that are not in the span of their neighbours. Fitted in training.
  gem(
    representation, window=null, num_directions=null, num_removed=null, sigma_power=null, unk=null,
    unknown_sentences=null
  )::
    of_values(
      'gem', representation, [window, num_directions, num_removed, sigma_power, unk, unknown_sentences]
    ),

  // The means of windows, and of these the greatest value. The thesis had window=3.
  hierarchical_pooling(representation, window=null, unk=null, unknown_sentences=null)::
    of_values('hierarchical_pooling', representation, [window, unk, unknown_sentences]),

  // Random projections of the words, and of these the greatest value (pooling='mean': the mean). Of this and
  // of the other random ones the seed is that of the run, unless it is given.
  borep(representation, dimension=null, pooling=null, seed=null, unk=null, unknown_sentences=null)::
    of_values('borep', representation, [dimension, pooling, seed, unk, unknown_sentences]),

  // A BiLSTM that was never trained, and the greatest value over time.
  random_bilstm(representation, dimension=null, seed=null, unk=null, unknown_sentences=null)::
    of_values('random_bilstm', representation, [dimension, seed, unk, unknown_sentences]),

  // An echo state network, in both directions, and the greatest value over time.
  random_esn(
    representation, dimension=null, spectral_radius=null, sparsity=null, leak=null, input_scale=null,
    seed=null, unk=null, unknown_sentences=null
  )::
    of_values('random_esn', representation, [
      dimension, spectral_radius, sparsity, leak, input_scale, seed, unk, unknown_sentences,
    ]),

  // For representations that give each word the vector of its sentence; the next two make such ones.
  sentence_vector(representation, unk=null, unknown_sentences=null)::
    of_values('sentence_vector', representation, [unk, unknown_sentences]),

  // Sentences of a Hugging Face model. pool: of all pieces, with the special ones, 'mean' (as
  // sentence-transformers has it) or 'max', or the piece that stands for the sentence, 'cls'.
  // `average(representations.transformer(…))` is the mean of the words instead, without special pieces.
  transformer(model, layer=null, pool='mean')::
    if !std.objectHas(pools, pool)
    then error "pool: expected one of %s, found '%s'." % [std.join(', ', std.objectFields(pools)), pool]
    else encoded('sentence_vector', representations.transformer(model, layer, pools[pool]), {}),

  // Vectors of sentences that were computed elsewhere: .npy, .h5 or .safetensors.
  // sentences: the file whose n-th sentence has the n-th vector: a task file, text or CoNLL-U. Without it the
  // keys of the vectors are the sentences.
  precomputed(file, sentences=null, layer=null)::
    encoded('sentence_vector', representations.precomputed(file, sentences, layer, 'sentence'), {}),

  // An encoder by one text, over a representation: the function, and behind colons its settings, in their
  // order or as key=value: 'average', 'borep:dimension=1024:seed=3', 'power_means:["-inf",1,"inf"]',
  // 'sif:unk=representation'.
  named(text, representation):: named(text, representation),

  // What the environment variables ENCODER and VECTORS name.
  from_environment(representation=representations.from_environment())::
    named(std.extVar('ENCODER'), representation),
}
