// Round trip: GRU, LSTM, RNN.
// RUN: modelc-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @gru_both_directions
func.func @gru_both_directions(%x: tensor<5x1x2xf32>, %w: tensor<2x9x2xf32>, %r: tensor<2x9x3xf32>, %b: tensor<2x18xf32>, %n: tensor<1xi32>, %h: tensor<2x1x3xf32>) {
  // CHECK: modelc.gru{{.*}} {activations = array<i32: 0, 1, 0, 1>, alphas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00>, betas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00>, clip = 0.000000e+00 : f64, direction = #modelc<direction bidirectional>, linear_before_reset = true} : (tensor<5x1x2xf32>, tensor<2x9x2xf32>, tensor<2x9x3xf32>, tensor<2x18xf32>, tensor<1xi32>, tensor<2x1x3xf32>) -> (tensor<5x2x1x3xf32>, tensor<2x1x3xf32>)
  %0, %1 = modelc.gru %x, %w, %r, %b, %n, %h {activations = array<i32: 0, 1, 0, 1>, alphas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00>, betas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00>, clip = 0.000000e+00 : f64, direction = #modelc<direction bidirectional>, linear_before_reset = true} : (tensor<5x1x2xf32>, tensor<2x9x2xf32>, tensor<2x9x3xf32>, tensor<2x18xf32>, tensor<1xi32>, tensor<2x1x3xf32>) -> (tensor<5x2x1x3xf32>, tensor<2x1x3xf32>)
  return
}

// CHECK-LABEL: func.func @lstm
func.func @lstm(%x: tensor<5x1x2xf16>, %w: tensor<1x12x2xf16>, %r: tensor<1x12x3xf16>, %b: tensor<1x24xf16>, %n: tensor<1xi64>, %h: tensor<1x1x3xf16>, %p: tensor<1x9xf16>) {
  // CHECK: modelc.lstm{{.*}} {activations = array<i32: 0, 1, 1>, alphas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00>, betas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00>, clip = 3.000000e+00 : f64, direction = #modelc<direction forward>, input_forget = false} : (tensor<5x1x2xf16>, tensor<1x12x2xf16>, tensor<1x12x3xf16>, tensor<1x24xf16>, tensor<1xi64>, tensor<1x1x3xf16>, tensor<1x1x3xf16>, tensor<1x9xf16>) -> (tensor<5x1x1x3xf16>, tensor<1x1x3xf16>, tensor<1x1x3xf16>)
  %0, %1, %2 = modelc.lstm %x, %w, %r, %b, %n, %h, %h, %p {activations = array<i32: 0, 1, 1>, alphas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00>, betas = array<f64: 0.000000e+00, 0.000000e+00, 0.000000e+00>, clip = 3.000000e+00 : f64, direction = #modelc<direction forward>, input_forget = false} : (tensor<5x1x2xf16>, tensor<1x12x2xf16>, tensor<1x12x3xf16>, tensor<1x24xf16>, tensor<1xi64>, tensor<1x1x3xf16>, tensor<1x1x3xf16>, tensor<1x9xf16>) -> (tensor<5x1x1x3xf16>, tensor<1x1x3xf16>, tensor<1x1x3xf16>)
  return
}

// CHECK-LABEL: func.func @rnn_reversed
func.func @rnn_reversed(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>, %b: tensor<1x6xf32>, %n: tensor<1xi32>, %h: tensor<1x1x3xf32>) {
  // CHECK: modelc.rnn{{.*}} {activations = array<i32: 2>, alphas = array<f64: 0.000000e+00>, betas = array<f64: 0.000000e+00>, clip = 0.000000e+00 : f64, direction = #modelc<direction reverse>} : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  %0, %1 = modelc.rnn %x, %w, %r, %b, %n, %h {activations = array<i32: 2>, alphas = array<f64: 0.000000e+00>, betas = array<f64: 0.000000e+00>, clip = 0.000000e+00 : f64, direction = #modelc<direction reverse>} : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}
