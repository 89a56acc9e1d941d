// Arguments in one text, as 'first:second:key=value', which a shell and a suite can say.

// A colon inside an argument is written as '\:'; until then it is this character, which no text has.
local colon = '\u0000';

local all(text, is_such) = text != '' && [c for c in std.stringChars(text) if !is_such(c)] == [];
local is_digits(text) = all(text, function(c) c >= '0' && c <= '9');
local is_key(text) = all(text, function(c) (c >= 'a' && c <= 'z') || c == '_');

local is_number(text) =
  local unsigned(part, signs) = if part != '' && std.member(signs, part[0]) then part[1:] else part;
  local power = std.splitLimit(std.asciiLower(text), 'e', 1);
  local parts = std.splitLimit(unsigned(power[0], ['-']), '.', 1);
  std.length(text) <= 40
  && [part for part in parts if !is_digits(part)] == []
  && (parts[0] == '0' || parts[0][0] != '0')
  && (std.length(power) == 1
      || (is_digits(unsigned(power[1], ['+', '-']))
          // jsonnet would end the whole process over a larger one.
          && (power[1][0] == '-' || std.parseInt(unsigned(power[1], ['+'])) < 300)));

// The value of an argument: what JSON can say (text in quotes too), else the text as it is.
local value_of(part) =
  local text = std.strReplace(part, colon, ':');
  local first = text[0];
  local may_be_number = first == '-' || (first >= '0' && first <= '9');
  local is_json = std.member(['[', '{', '"'], first) || std.member(['true', 'false', 'null'], text)
                  || (may_be_number && is_number(text));
  if text != '' && is_json then std.parseJson(text) else text;

// The key of 'key=value', null where there is none, and the value as text.
local keyed(part) =
  local halves = std.splitLimit(part, '=', 1);
  if std.length(halves) == 2 && is_key(halves[0]) then halves else [null, part];

{
  split(text):: std.split(std.strReplace(text, '\\:', colon), ':'),

  join(parts):: std.strReplace(std.join(':', parts), colon, '\\:'),

  // How many parts say their key, before the first that does not.
  num_leading_keys(parts)::
    local others = [i for i in std.range(0, std.length(parts) - 1) if keyed(parts[i])[0] == null];
    (others + [std.length(parts)])[0],

  // How many parts say one of these keys.
  num_keyed(parts, keys)::
    std.length([part for part in parts if std.member(keys, keyed(part)[0])]),

  // The values of the parts by key; `keys` are those there are, `needed` those that must be among them.
  settings(text, name, parts, keys, needed)::
    local usage = '%s takes %s' % [name, std.join(', ', keys)];
    local pairs = [keyed(part) for part in parts];
    local by_position = [pair[1] for pair in pairs if pair[0] == null];
    local by_name = [pair for pair in pairs if pair[0] != null];
    local given = keys[0:std.length(by_position)] + [pair[0] for pair in by_name];
    // The elements of an array are computed once, the fields of an object whenever they are asked for.
    local values = [value_of(part) for part in by_position + [pair[1] for pair in by_name]];
    local unknown = [key for key in given if !std.member(keys, key)];
    local missing = [key for key in needed if !std.member(given, key)];
    if std.member(parts, '') then error "'%s': nothing comes after one of its colons; %s." % [text, usage]
    else if std.length(by_position) > std.length(keys)
    then error "'%s' says too much; %s. A colon inside an argument is written as '\\:'." % [text, usage]
    else if unknown != [] then error "'%s': there is no setting '%s'; %s." % [text, unknown[0], usage]
    else if std.length(std.set(given)) < std.length(given)
    then error "'%s' says something twice; %s." % [text, usage]
    else if missing != [] then error "'%s' does not say its %s; %s." % [text, missing[0], usage]
    else { [given[i]]: values[i] for i in std.range(0, std.length(given) - 1) },

  // The name with most pairs of letters in common with a text, as a question; nothing if none is near.
  nearest(text, names)::
    local pairs(word) = std.set([word[i:i + 2] for i in std.range(0, std.length(word) - 2)]);
    local own = if std.length(text) > 40 then [] else pairs(text);
    local share(name) =
      local others = pairs(name);
      2 * std.length(std.setInter(own, others)) / std.max(1, std.length(own) + std.length(others));
    local shares = [share(name) for name in names];
    local best = std.foldl(std.max, shares, 0);
    if best >= 0.5 then ' Did you mean %s?' % names[std.find(best, shares)[0]] else '',
}
