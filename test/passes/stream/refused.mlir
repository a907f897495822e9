// RUN: not modelc-opt %s -split-input-file "-modelc-stream=inputs=x:1=4 lookahead=-1" 2>&1 | FileCheck %s

// All that stops a model is said in one run.
// CHECK: error: cannot be streamed: softmax: it needs all of time
// CHECK: error: cannot be streamed: slice: it takes a fixed part of time (3 of 64 samples)
// CHECK: error: cannot be streamed: slice: it reverses time
// CHECK: error: cannot be streamed: matmul: it sums over time
// CHECK: error: cannot be streamed: add: a constant operand differs from time step to time step
// CHECK: error: cannot be streamed: top_k: it needs all of time
// CHECK: error: cannot be streamed: gather: it picks points in time
func.func @main(%x: tensor<2x64xf32> {modelc.name = "x"})
    -> (tensor<2x64xf32>, tensor<2x3xf32>, tensor<2x64xf32>, tensor<2x2xf32>, tensor<2x64xf32>, tensor<2x2xf32>, tensor<2x1xf32>) {
  %0 = modelc.softmax %x {axis = 1 : i64} : (tensor<2x64xf32>) -> tensor<2x64xf32>
  %1 = modelc.slice %x {starts = array<i64: 0, 5>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>} : (tensor<2x64xf32>) -> tensor<2x3xf32>
  %2 = modelc.slice %x {starts = array<i64: 0, 63>, sizes = array<i64: 2, 64>, steps = array<i64: 1, -1>} : (tensor<2x64xf32>) -> tensor<2x64xf32>
  %w = modelc.constant {value = dense<1.0> : tensor<64x2xf32>} : () -> tensor<64x2xf32>
  %3 = modelc.matmul %x, %w : (tensor<2x64xf32>, tensor<64x2xf32>) -> tensor<2x2xf32>
  %sx = modelc.reshape %x {shape = array<i64: 2, 16, 4>} : (tensor<2x64xf32>) -> tensor<2x16x4xf32>
  %t = modelc.constant {value = dense<[[1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0], [2.0]]> : tensor<16x1xf32>} : () -> tensor<16x1xf32>
  %p = modelc.add %sx, %t : (tensor<2x16x4xf32>, tensor<16x1xf32>) -> tensor<2x16x4xf32>
  %4 = modelc.reshape %p {shape = array<i64: 2, 64>} : (tensor<2x16x4xf32>) -> tensor<2x64xf32>
  %5, %n = modelc.top_k %x {k = 2 : i64, axis = 1 : i64, largest = true} : (tensor<2x64xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>)
  %g = modelc.constant {value = dense<7> : tensor<1xi64>} : () -> tensor<1xi64>
  %6 = modelc.gather %x, %g {axis = 1 : i64} : (tensor<2x64xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x64xf32>, tensor<2x3xf32>, tensor<2x64xf32>, tensor<2x2xf32>, tensor<2x64xf32>, tensor<2x2xf32>, tensor<2x1xf32>
}

// -----

// CHECK: error: --stream: the model has no input 'x'
func.func @main(%y: tensor<2x64xf32> {modelc.name = "y"}) -> tensor<2x64xf32> {
  return %y : tensor<2x64xf32>
}

// -----

// CHECK: error: --stream: input 'x' has 1 dimensions, so none of number 1
func.func @main(%x: tensor<64xf32> {modelc.name = "x"}) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}

// -----

// CHECK: error: cannot be streamed: average_pool: a call would give part of a sample; expected a hop that is a multiple of 8, got 4
func.func @main(%x: tensor<1x64x1xf32> {modelc.name = "x"}) -> tensor<1x1x8xf32> {
  %t = modelc.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x64x1xf32>) -> tensor<1x1x64xf32>
  %y = modelc.average_pool %t {kernel = array<i64: 8>, strides = array<i64: 8>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, sizes = array<i64: 8>} : (tensor<1x1x64xf32>) -> tensor<1x1x8xf32>
  return %y : tensor<1x1x8xf32>
}

// -----

// CHECK: error: cannot be streamed: average_pool: its last average is over fewer samples than the others
// CHECK: error: cannot be streamed: resize: it interpolates in time
func.func @main(%x: tensor<1x64x1xf32> {modelc.name = "x"}) -> (tensor<1x1x32xf32>, tensor<1x64x1xf32>) {
  %t = modelc.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x64x1xf32>) -> tensor<1x1x64xf32>
  %0 = modelc.average_pool %t {kernel = array<i64: 3>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, sizes = array<i64: 32>, count_pads} : (tensor<1x1x64xf32>) -> tensor<1x1x32xf32>
  %1 = modelc.resize %x {sizes = array<i64: 1, 64, 1>, scales = array<f64: 1.0, 1.01, 1.0>, roi = array<f64>, mode = #modelc<resize_mode nearest>, coordinate_mode = #modelc<coordinate_mode asymmetric>, nearest_mode = #modelc<nearest_mode floor>, cubic_coefficient = -7.5e-01 : f64, exclude_outside = false, extrapolation = 0.0 : f64} : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
  return %0, %1 : tensor<1x1x32xf32>, tensor<1x64x1xf32>
}

// -----

// CHECK: error: cannot be streamed: add: its operands have different numbers of samples
func.func @main(%x: tensor<1x63x1xf32> {modelc.name = "x"}) -> tensor<1x1x31xf32> {
  %t = modelc.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x63x1xf32>) -> tensor<1x1x63xf32>
  %c = modelc.slice %t {starts = array<i64: 0, 0, 0>, sizes = array<i64: 1, 1, 61>, steps = array<i64: 1, 1, 1>} : (tensor<1x1x63xf32>) -> tensor<1x1x61xf32>
  %a = modelc.slice %c {starts = array<i64: 0, 0, 0>, sizes = array<i64: 1, 1, 31>, steps = array<i64: 1, 1, 2>} : (tensor<1x1x61xf32>) -> tensor<1x1x31xf32>
  %b = modelc.average_pool %t {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, sizes = array<i64: 31>} : (tensor<1x1x63xf32>) -> tensor<1x1x31xf32>
  %y = modelc.add %a, %b : (tensor<1x1x31xf32>, tensor<1x1x31xf32>) -> tensor<1x1x31xf32>
  return %y : tensor<1x1x31xf32>
}

// -----

// CHECK: error: cannot be streamed: istft: its frames leave gaps
func.func @main(%x: tensor<1x64x5x2xf32> {modelc.name = "x"}) -> tensor<1x638xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<8xf32>} : () -> tensor<8xf32>
  %y = modelc.istft %x, %w {frame_step = 10 : i64, normalize} : (tensor<1x64x5x2xf32>, tensor<8xf32>) -> tensor<1x638xf32>
  return %y : tensor<1x638xf32>
}

// -----

// One sample offline is not one for all of time.
// CHECK: error: cannot be streamed: broadcast: it repeats one sample for all of time
// CHECK: error: cannot be streamed: add: it repeats one sample for all of time
// CHECK: error: cannot be streamed: mul: its operands have different numbers of samples
func.func @main(%x: tensor<1x64x1xf32> {modelc.name = "x"}) -> (tensor<1x1x64xf32>, tensor<1x1x64xf32>, tensor<1x1x64xf32>) {
  %t = modelc.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x64x1xf32>) -> tensor<1x1x64xf32>
  %a = modelc.average_pool %t {kernel = array<i64: 64>, strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, sizes = array<i64: 1>} : (tensor<1x1x64xf32>) -> tensor<1x1x1xf32>
  %w = modelc.constant {value = dense<1.0> : tensor<64xf32>} : () -> tensor<64xf32>
  %0 = modelc.broadcast %a {shape = array<i64: 1, 1, 64>} : (tensor<1x1x1xf32>) -> tensor<1x1x64xf32>
  %1 = modelc.add %a, %w : (tensor<1x1x1xf32>, tensor<64xf32>) -> tensor<1x1x64xf32>
  %2 = modelc.mul %a, %t : (tensor<1x1x1xf32>, tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
  return %0, %1, %2 : tensor<1x1x64xf32>, tensor<1x1x64xf32>, tensor<1x1x64xf32>
}

// -----

// CHECK: error: cannot be streamed: pad: it continues time by samples of its other end
// CHECK: error: cannot be streamed: pad: it repeats samples at one end of time and crops the other
func.func @main(%x: tensor<1x64xf32> {modelc.name = "x"}) -> (tensor<1x68xf32>, tensor<1x66xf32>) {
  %z = modelc.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %0 = modelc.pad %x, %z {before = array<i64: 0, 3>, after = array<i64: 0, 1>, mode = #modelc<pad_mode wrap>} : (tensor<1x64xf32>, tensor<f32>) -> tensor<1x68xf32>
  %1 = modelc.pad %x, %z {before = array<i64: 0, 3>, after = array<i64: 0, -1>, mode = #modelc<pad_mode edge>} : (tensor<1x64xf32>, tensor<f32>) -> tensor<1x66xf32>
  return %0, %1 : tensor<1x68xf32>, tensor<1x66xf32>
}
