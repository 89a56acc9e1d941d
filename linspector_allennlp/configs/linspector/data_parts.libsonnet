// The path of a part of a treebank. `data` is how the names of its three files begin, as
// 'UD_Finnish-TDT/fi_tdt-ud'; or files without such names, which are divided anew:
// { files: ['UD_Finnish-TDT/*.conllu'], split: '8:1:1', max_sentences: 12000 }.
local of_treebank(data, part) =
  if std.isString(data) then '%s-%s.conllu' % [data, part]
  else
    local settings = { split: '8:1:1', max_sentences: null } + data;
    local unknown = std.setDiff(std.objectFields(settings), ['files', 'max_sentences', 'split']);
    assert std.objectHas(data, 'files') && unknown == [] :
           'data: expected files, split and max_sentences, found %s' % std.join(', ', std.objectFields(data));
    local files = if std.isString(settings.files) then [settings.files] else settings.files;
    assert std.all([!std.member(file, ',') for file in files]) :
           'data: expected names of files without a comma, found %s' % [files];
    '%s#%s/%s' % [std.join(',', files), part, settings.split]
    + (if settings.max_sentences == null then '' else '/%d' % settings.max_sentences);

{ of_treebank:: of_treebank }
