// RUN: modelc-opt %s -split-input-file "-modelc-stream=inputs=x:1=4 lookahead=-1" | FileCheck %s

// What a window reads is picked by position, folded back at the first sample
// and in a flush at the last. The window's first sample is 0: it does not count,
// so the first frame need not wait for what it mirrors.
// CHECK: module attributes {modelc.drain = 4 : i64, modelc.hop = 4 : i64, modelc.latency = 0 : i64}
// CHECK-LABEL: func @main
// CHECK: %[[P:.*]] = modelc.iota {{.*}} -> tensor<9xi32>
// CHECK: %[[L:.*]] = modelc.max %[[P]]
// CHECK: %[[H:.*]] = modelc.min %[[L]]
// CHECK: %[[S:.*]] = modelc.select %{{.*}}, %[[L]], %[[H]]
// CHECK: modelc.gather %{{.*}}, %[[S]] {axis = 1 : i64, clamped} : (tensor<1x9x1xf32>, tensor<9xi32>) -> tensor<1x9x1xf32>
// CHECK: modelc.stft %{{.*}} : (tensor<1x8x1xf32>, tensor<8xf32>) -> tensor<1x1x5x2xf32>
func.func @main(%x: tensor<1x64xf32> {modelc.name = "x"}) -> tensor<1x17x5x2xf32> {
  %z = modelc.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %w = modelc.constant {value = dense<[0.0, 0.5, 0.5, 1.0, 1.0, 1.0, 0.5, 0.5]> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = modelc.pad %x, %z {before = array<i64: 0, 4>, after = array<i64: 0, 4>, mode = #modelc<pad_mode reflect>} : (tensor<1x64xf32>, tensor<f32>) -> tensor<1x72xf32>
  %1 = modelc.reshape %0 {shape = array<i64: 1, 72, 1>} : (tensor<1x72xf32>) -> tensor<1x72x1xf32>
  %2 = modelc.stft %1, %w {frame_step = 4 : i64, onesided} : (tensor<1x72x1xf32>, tensor<8xf32>) -> tensor<1x17x5x2xf32>
  return %2 : tensor<1x17x5x2xf32>
}

// -----

// Other ops get a stream with the samples in it, for which it waits.
// CHECK: module attributes {modelc.drain = 7 : i64, modelc.hop = 4 : i64, modelc.latency = 3 : i64}
// CHECK-LABEL: func @main
// CHECK: modelc.gather %{{.*}} {axis = 1 : i64, clamped}
// CHECK: modelc.tanh
func.func @main(%x: tensor<1x64xf32> {modelc.name = "x"}) -> tensor<1x68xf32> {
  %z = modelc.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %0 = modelc.pad %x, %z {before = array<i64: 0, 3>, after = array<i64: 0, 1>, mode = #modelc<pad_mode reflect>} : (tensor<1x64xf32>, tensor<f32>) -> tensor<1x68xf32>
  %1 = modelc.tanh %0 : (tensor<1x68xf32>) -> tensor<1x68xf32>
  return %1 : tensor<1x68xf32>
}
