// The control task of a probe run: the same words, but every word type has a label of its own, drawn at
// random, so that it can only be memorised (Hewitt & Liang 2019).
{
  // learnable: whether the test data have word types of the training data. A control task that cannot
  // be learned is validated on its own training data: the best epoch has memorised most of them.
  // per: 'item' gives every word of every sentence a label of its own, instead of every type.
  of(run, seed=13, learnable=true, per='type')::
    local control_of(reader, train_data_path) = {
      type: 'control_task',
      reader: reader,
      train_data_path: train_data_path,
      seed: seed,
      [if per != 'type' then 'per']: per,
    };
    run {
      local train_reader = super.dataset_reader,
      dataset_reader: control_of(train_reader, super.train_data_path),
      // A word type has one label in all splits, whatever reads them.
      [if std.objectHas(run, 'validation_dataset_reader') then 'validation_dataset_reader']:
        control_of(super.validation_dataset_reader, super.train_data_path)
        + { train_reader: train_reader },
    } + {
      local probe = super.model,
      // Control edges have no relations.
      model: { [name]: probe[name] for name in std.objectFields(probe) if name != 'relation_head' },
    } + (
      if learnable || std.objectHas(run, 'folds') then {}
      else { validation_data_path: super.train_data_path }
           // Nor would what is held out of the training data be learned.
           + (if std.objectHas(run, 'held_out') then { held_out: null } else {})
           + (
             // The validation data that are tested on stay so.
             if std.get(run, 'tested_on', 'test') == 'test' then {}
             else { tested_on: 'test', test_data_path: run.validation_data_path }
           )
    ),
}
