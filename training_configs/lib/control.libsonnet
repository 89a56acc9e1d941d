// The control task of a probe run: the same words, but every word type has a label of its own, drawn at
// random, so that it can only be learned by heart (Hewitt & Liang 2019).
{
  of(run, seed=13)::
    local control_of(reader) = {
      type: 'control_task',
      reader: reader,
      train_data_path: run.train_data_path,
      seed: seed,
    };
    run {
      [name]: control_of(super[name])
      for name in ['dataset_reader', 'validation_dataset_reader']
      if std.objectHas(run, name)
    },
}
