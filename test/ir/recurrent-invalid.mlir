// Constraints of GRU, LSTM, RNN, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @gru_c1_x(%x: tensor<5x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected x and r of rank 3}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c1_w(%x: tensor<5x1x2xf32>, %w: tensor<1x6x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected w of shape [1, 9, 2], got [1, 6, 2]}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x6x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c1_r(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x4xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected w of shape [1, 12, 2], got [1, 9, 2]}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x4xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c1_bias(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x9xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected bias of shape [1, 18], got [1, 9]}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x9xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c1_lengths(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<2xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected lengths of shape [1], got [2]}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<2xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c1_initial_h(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<2x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected initial_h of shape [1, 1, 3], got [2, 1, 3]}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<2x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c1_directions(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected w of shape [2, 9, 2], got [1, 9, 2]}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction bidirectional>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c2_count(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 2 activations with their parameters}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c2_alphas(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 2 activations with their parameters}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c2_unknown(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{unknown activation 99}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 99>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c3_element_types(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf16>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'f32' and 'f16'}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 0>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf16>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @lstm_c1_initial_c(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x3xf32>, %b: tensor<1x24xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>, %c: tensor<1x3xf32>, %p: tensor<1x9xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected initial_c of shape [1, 1, 3], got [1, 3]}}
  %0, %1, %2 = modelc.lstm %x, %w, %r, %b, %n, %h, %c, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 0, 0>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false} : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1xi32>, tensor<1x1x3xf32>, tensor<1x3xf32>, tensor<1x9xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @lstm_c1_peephole(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x3xf32>, %b: tensor<1x24xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>, %c: tensor<1x1x3xf32>, %p: tensor<1x12xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected peephole of shape [1, 9], got [1, 12]}}
  %0, %1, %2 = modelc.lstm %x, %w, %r, %b, %n, %h, %c, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 0, 0>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false} : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1xi32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x12xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @lstm_c2_count(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x3xf32>, %b: tensor<1x24xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>, %c: tensor<1x1x3xf32>, %p: tensor<1x9xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 3 activations with their parameters}}
  %0, %1, %2 = modelc.lstm %x, %w, %r, %b, %n, %h, %c, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false} : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1xi32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x9xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @lstm_c3_peephole(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x3xf32>, %b: tensor<1x24xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>, %c: tensor<1x1x3xf32>, %p: tensor<1x9xf64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types}}
  %0, %1, %2 = modelc.lstm %x, %w, %r, %b, %n, %h, %c, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 0, 0>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false} : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1xi32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x9xf64>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @rnn_c1_w(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x3x3xf32>, %b: tensor<1x6xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected w of shape [1, 3, 2], got [1, 9, 2]}}
  %0, %1 = modelc.rnn %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0>, alphas = array<f64: 0.0>, betas = array<f64: 0.0>, clip = 0.0 : f64} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @rnn_c2_count(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>, %b: tensor<1x6xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 activations with their parameters}}
  %0, %1 = modelc.rnn %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0>, betas = array<f64: 0.0>, clip = 0.0 : f64} : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @rnn_c3_element_types(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf64>, %r: tensor<1x3x3xf32>, %b: tensor<1x6xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'f32' and 'f64'}}
  %0, %1 = modelc.rnn %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0>, alphas = array<f64: 0.0>, betas = array<f64: 0.0>, clip = 0.0 : f64} : (tensor<5x1x2xf32>, tensor<1x3x2xf64>, tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @gru_c4_packed(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x18xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected packed in 1 .. 3, got 0}}
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true, packed = 0 : i64} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @lstm_c4_packed(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x3xf32>, %b: tensor<1x24xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>, %c: tensor<1x1x3xf32>, %p: tensor<1x9xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected packed in 1 .. 3, got 4}}
  %0, %1, %2 = modelc.lstm %x, %w, %r, %b, %n, %h, %c, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 1, 1>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false, packed = 4 : i64} : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1xi32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x9xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}
