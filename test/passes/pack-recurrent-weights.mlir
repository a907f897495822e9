// RUN: modelc-opt %s -split-input-file -modelc-pack-recurrent-weights | FileCheck %s

// Nine units in blocks of two vectors of four lanes; a weight is 100 times its gate, plus its unit.
// CHECK-LABEL: func.func @blocks
// CHECK-DAG: %[[W:.*]] = modelc.constant {value = dense<{{\[\[\[}}0.000000e+00], [1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00], [5.000000e+00], [6.000000e+00], [7.000000e+00], [1.000000e+02], [1.010000e+02], [1.020000e+02], [1.030000e+02], [1.040000e+02], [1.050000e+02], [1.060000e+02], [1.070000e+02], [2.000000e+02], [2.010000e+02], [2.020000e+02], [2.030000e+02], [2.040000e+02], [2.050000e+02], [2.060000e+02], [2.070000e+02], [8.000000e+00], [1.080000e+02], [2.080000e+02]]]> : tensor<1x27x1xf32>}
// The biases of the first two gates are added; those of the hidden gate stay apart.
// CHECK-DAG: %[[B:.*]] = modelc.constant {value = dense<{{\[\[}}1.000000e+03, 1.002000e+03, 1.004000e+03, 1.006000e+03, 1.008000e+03, 1.010000e+03, 1.012000e+03, 1.014000e+03, 1.016000e+03, 1.200000e+03, 1.202000e+03, 1.204000e+03, 1.206000e+03, 1.208000e+03, 1.210000e+03, 1.212000e+03, 1.214000e+03, 1.216000e+03, 2.000000e+02, 2.010000e+02, 2.020000e+02, 2.030000e+02, 2.040000e+02, 2.050000e+02, 2.060000e+02, 2.070000e+02, 2.080000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.200000e+03, 1.201000e+03, 1.202000e+03, 1.203000e+03, 1.204000e+03, 1.205000e+03, 1.206000e+03, 1.207000e+03, 1.208000e+03]]> : tensor<1x54xf32>}
// CHECK: modelc.gru %{{.*}}, %[[W]], %{{.*}}, %[[B]], {{.*}} packed = 8 : i64
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @blocks(%x: tensor<1x1x1xf32>, %h: tensor<1x1x9xf32>) -> tensor<1x1x1x9xf32> {
  %w = modelc.constant {value = dense<[[[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0], [100.0], [101.0], [102.0], [103.0], [104.0], [105.0], [106.0], [107.0], [108.0], [200.0], [201.0], [202.0], [203.0], [204.0], [205.0], [206.0], [207.0], [208.0]]]> : tensor<1x27x1xf32>} : () -> tensor<1x27x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 200.0, 201.0, 202.0, 203.0, 204.0, 205.0, 206.0, 207.0, 208.0, 1000.0, 1001.0, 1002.0, 1003.0, 1004.0, 1005.0, 1006.0, 1007.0, 1008.0, 1100.0, 1101.0, 1102.0, 1103.0, 1104.0, 1105.0, 1106.0, 1107.0, 1108.0, 1200.0, 1201.0, 1202.0, 1203.0, 1204.0, 1205.0, 1206.0, 1207.0, 1208.0]]> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true} : (tensor<1x1x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<1xi32>, tensor<1x1x9xf32>) -> (tensor<1x1x1x9xf32>, tensor<1x1x9xf32>)
  return %0#0 : tensor<1x1x1x9xf32>
}
}

// -----

// Fewer units than lanes: one block, by element of the state, gate and unit.
// CHECK-LABEL: func.func @lstm
// CHECK-DAG: %[[R:.*]] = modelc.constant {value = dense<{{\[\[\[}}0.000000e+00, 1.000000e+00], [1.000000e+01, 1.100000e+01], [2.000000e+01, 2.100000e+01], [3.000000e+01, 3.100000e+01], [1.000000e+02, 1.010000e+02], [1.100000e+02, 1.110000e+02], [1.200000e+02, 1.210000e+02], [1.300000e+02, 1.310000e+02]]]> : tensor<1x8x2xf32>}
// CHECK-DAG: %[[B:.*]] = modelc.constant {value = dense<{{\[\[}}1.000000e+02, 1.010000e+02, 1.020000e+02, 1.030000e+02, 1.040000e+02, 1.050000e+02, 1.060000e+02, 1.070000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<1x16xf32>}
// CHECK: modelc.lstm %{{.*}}, %{{.*}}, %[[R]], %[[B]], {{.*}} packed = 2 : i64
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @lstm(%x: tensor<1x1x1xf32>, %h: tensor<1x1x2xf32>, %c: tensor<1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %w = modelc.constant {value = dense<[[[0.0], [1.0], [10.0], [11.0], [20.0], [21.0], [30.0], [31.0]]]> : tensor<1x8x1xf32>} : () -> tensor<1x8x1xf32>
  %r = modelc.constant {value = dense<[[[0.0, 100.0], [1.0, 101.0], [10.0, 110.0], [11.0, 111.0], [20.0, 120.0], [21.0, 121.0], [30.0, 130.0], [31.0, 131.0]]]> : tensor<1x8x2xf32>} : () -> tensor<1x8x2xf32>
  %b = modelc.constant {value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0]]> : tensor<1x16xf32>} : () -> tensor<1x16xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %p = modelc.constant {value = dense<0.0> : tensor<1x6xf32>} : () -> tensor<1x6xf32>
  %0:3 = modelc.lstm %x, %w, %r, %b, %n, %h, %c, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 1, 1>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false} : (tensor<1x1x1xf32>, tensor<1x8x1xf32>, tensor<1x8x2xf32>, tensor<1x16xf32>, tensor<1xi32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x6xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  return %0#0 : tensor<1x1x1x2xf32>
}
}

// -----

// CHECK-LABEL: func.func @peephole
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @peephole(%x: tensor<1x1x1xf32>, %h: tensor<1x1x2xf32>, %c: tensor<1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x8x1xf32>} : () -> tensor<1x8x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x8x2xf32>} : () -> tensor<1x8x2xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x16xf32>} : () -> tensor<1x16xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %p = modelc.constant {value = dense<1.0> : tensor<1x6xf32>} : () -> tensor<1x6xf32>
  %0:3 = modelc.lstm %x, %w, %r, %b, %n, %h, %c, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 1, 1>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false} : (tensor<1x1x1xf32>, tensor<1x8x1xf32>, tensor<1x8x2xf32>, tensor<1x16xf32>, tensor<1xi32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x6xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  return %0#0 : tensor<1x1x1x2xf32>
}
}

// -----

// A target without vectors reads the plain order.
// CHECK-LABEL: func.func @no_vectors
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 4, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @no_vectors(%x: tensor<1x1x1xf32>, %h: tensor<1x1x9xf32>) -> tensor<1x1x1x9xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x27x1xf32>} : () -> tensor<1x27x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true} : (tensor<1x1x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<1xi32>, tensor<1x1x9xf32>) -> (tensor<1x1x1x9xf32>, tensor<1x1x9xf32>)
  return %0#0 : tensor<1x1x1x9xf32>
}
}

// -----

// The second sequence ends early.
// CHECK-LABEL: func.func @lengths
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @lengths(%x: tensor<2x2x1xf32>, %h: tensor<1x2x9xf32>) -> tensor<2x1x2x9xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x27x1xf32>} : () -> tensor<1x27x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %n = modelc.constant {value = dense<[2, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true} : (tensor<2x2x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<2xi32>, tensor<1x2x9xf32>) -> (tensor<2x1x2x9xf32>, tensor<1x2x9xf32>)
  return %0#0 : tensor<2x1x2x9xf32>
}
}

// -----

// Lengths that are known only when the model runs.
// CHECK-LABEL: func.func @unknown_lengths
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @unknown_lengths(%x: tensor<1x1x1xf32>, %h: tensor<1x1x9xf32>, %n: tensor<1xi32>) -> tensor<1x1x1x9xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x27x1xf32>} : () -> tensor<1x27x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true} : (tensor<1x1x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<1xi32>, tensor<1x1x9xf32>) -> (tensor<1x1x1x9xf32>, tensor<1x1x9xf32>)
  return %0#0 : tensor<1x1x1x9xf32>
}
}

// -----

// Weights that are known only when the model runs.
// CHECK-LABEL: func.func @unknown_weights
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @unknown_weights(%x: tensor<1x1x1xf32>, %h: tensor<1x1x9xf32>, %w: tensor<1x27x1xf32>) -> tensor<1x1x1x9xf32> {
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true} : (tensor<1x1x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<1xi32>, tensor<1x1x9xf32>) -> (tensor<1x1x1x9xf32>, tensor<1x1x9xf32>)
  return %0#0 : tensor<1x1x1x9xf32>
}
}

// -----

// The vector code knows no other activations.
// CHECK-LABEL: func.func @activations
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @activations(%x: tensor<1x1x1xf32>, %h: tensor<1x1x9xf32>) -> tensor<1x1x1x9xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x27x1xf32>} : () -> tensor<1x27x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 2>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true} : (tensor<1x1x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<1xi32>, tensor<1x1x9xf32>) -> (tensor<1x1x1x9xf32>, tensor<1x1x9xf32>)
  return %0#0 : tensor<1x1x1x9xf32>
}
}

// -----

// Nor clipping.
// CHECK-LABEL: func.func @clip
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @clip(%x: tensor<1x1x1xf32>, %h: tensor<1x1x9xf32>) -> tensor<1x1x1x9xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x27x1xf32>} : () -> tensor<1x27x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.5 : f64, linear_before_reset = true} : (tensor<1x1x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<1xi32>, tensor<1x1x9xf32>) -> (tensor<1x1x1x9xf32>, tensor<1x1x9xf32>)
  return %0#0 : tensor<1x1x1x9xf32>
}
}

// -----

// Nor a reset before the product.
// CHECK-LABEL: func.func @reset_first
// CHECK-NOT: packed
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
func.func @reset_first(%x: tensor<1x1x1xf32>, %h: tensor<1x1x9xf32>) -> tensor<1x1x1x9xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x27x1xf32>} : () -> tensor<1x27x1xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x27x9xf32>} : () -> tensor<1x27x9xf32>
  %b = modelc.constant {value = dense<1.0> : tensor<1x54xf32>} : () -> tensor<1x54xf32>
  %n = modelc.constant {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0:2 = modelc.gru %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = false} : (tensor<1x1x1xf32>, tensor<1x27x1xf32>, tensor<1x27x9xf32>, tensor<1x54xf32>, tensor<1xi32>, tensor<1x1x9xf32>) -> (tensor<1x1x1x9xf32>, tensor<1x1x9xf32>)
  return %0#0 : tensor<1x1x1x9xf32>
}
}
