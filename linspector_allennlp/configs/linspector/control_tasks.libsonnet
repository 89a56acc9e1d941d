local heads = import 'heads.libsonnet';

local hidden = { mlp1: 1, mlp2: 2 };

// ReLU; dropout on the input and on the output of each hidden layer.
local perceptron(layers, size, dropout) = {
  type: 'mlp',
  hidden_dims: std.repeat([size], layers),
  dropout: dropout,
  input_dropout: dropout,
};

local head(probe, size, dropout) =
  if probe == 'linear' then heads.low_rank(size, dropout)
  else if std.objectHas(hidden, probe) then perceptron(hidden[probe], size, dropout) { activation: 'relu' }
  else error "probe: expected linear, mlp1 or mlp2, found '%s'" % probe;

local scorer(probe, size, dropout) =
  if probe == 'bilinear' then { type: 'bilinear', rank: size, dropout: dropout }
  else if std.objectHas(hidden, probe) then perceptron(hidden[probe], size, dropout)
  else error "probe: expected bilinear, mlp1 or mlp2, found '%s'" % probe;

// The probes of the study of control tasks, as it trained them: in batches of 16 sentences, so that its limits
// of gradient steps mean what they meant.
local as_published = {
  // 'designed' by selectivity: the third part of its Table 1; false is the first part.
  designed:: false,
  dropout:: 0.0,
  weight_decay:: 0.0,
  max_steps:: 100000,

  local run = self,
  data_loader+: { batch_size: 16 },
  trainer+: { max_steps: run.max_steps, optimizer+: { weight_decay: run.weight_decay } },
};

function(tagging, edges) {
  // probe: 'linear', 'mlp1' or 'mlp2'; size: the rank of linear weights, or of the hidden layers.
  tagging: tagging + as_published {
    local run = self,
    probe:: 'linear',
    size:: if run.designed then 10 else 1000,
    model+: { head: head(run.probe, run.size, run.dropout) },
  },

  // probe: 'bilinear', 'mlp1' or 'mlp2'.
  edges: edges + as_published {
    local run = self,
    probe:: 'bilinear',
    size:: if run.designed && run.probe == 'mlp2' then 50 else 1000,
    weight_decay::
      if run.designed then std.get({ bilinear: 0.01, mlp1: 0.1 }, run.probe, 0.0) else 0.0,
    model+: { scorer: scorer(run.probe, run.size, run.dropout) },
  },

  // What it let each limit be, from the tightest to the default.
  series: {
    size: { tagging: [2, 4, 10, 45, 1000], edges: [5, 10, 50, 100, 1000] },
    dropout: [0.8, 0.6, 0.4, 0.2, 0.0],
    weight_decay: [10.0, 1.0, 0.1, 0.01, 0.0],
    max_steps: [1500, 3000, 6000, 12500, 25000, 50000, 100000],
    train_share: [0.01, 0.1, 1.0],
  },
}
