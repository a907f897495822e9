// RUN: modelc-opt %s -split-input-file "-modelc-stream=inputs=x:1=4 lookahead=-1" | FileCheck %s

// Every second sample, from padding on: the padding is put in first.
// CHECK: module attributes {modelc.drain = 4 : i64, modelc.hop = 4 : i64, modelc.latency = 0 : i64}
// CHECK: modelc.state @history {initial = dense<1.000000e+00> : tensor<2x4xf32>}
// CHECK: -> (tensor<2x2xf32>
func.func @main(%x: tensor<2x64xf32> {modelc.name = "x"}) -> tensor<2x34xf32> {
  %v = modelc.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  // CHECK: %[[OLD:.*]] = modelc.state_read @history
  // CHECK: %[[ALL:.*]] = modelc.concat %[[OLD]], %{{.*}} {axis = 1 : i64}
  // CHECK: %[[NOW:.*]] = modelc.slice %[[ALL]] {sizes = array<i64: 2, 4>, starts = array<i64: 0, 0>
  // CHECK: modelc.slice %[[NOW]] {sizes = array<i64: 2, 2>, starts = array<i64: 0, 0>, steps = array<i64: 1, 2>}
  %p = modelc.pad %x, %v {before = array<i64: 0, 4>, after = array<i64: 0, 0>, mode = #modelc<pad_mode constant>} : (tensor<2x64xf32>, tensor<f32>) -> tensor<2x68xf32>
  %y = modelc.slice %p {starts = array<i64: 0, 0>, sizes = array<i64: 2, 34>, steps = array<i64: 1, 2>} : (tensor<2x68xf32>) -> tensor<2x34xf32>
  return %y : tensor<2x34xf32>
}

// -----

// What replaces a cropped end waits until it is known to be the end.
// CHECK: module attributes {modelc.drain = 2 : i64, modelc.hop = 4 : i64, modelc.latency = 3 : i64}
// CHECK: modelc.state @history {initial = dense<0.000000e+00> : tensor<2x3xf32>}
// CHECK: %[[LAST:.*]] = modelc.constant {value = dense<0> : tensor<4xi32>}
// CHECK: modelc.less_equal %{{.*}}, %[[LAST]]
func.func @main(%x: tensor<2x64xf32> {modelc.name = "x"}) -> tensor<2x63xf32> {
  %v = modelc.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %c = modelc.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2, 61>, steps = array<i64: 1, 1>} : (tensor<2x64xf32>) -> tensor<2x61xf32>
  %y = modelc.pad %c, %v {before = array<i64: 0, 0>, after = array<i64: 0, 2>, mode = #modelc<pad_mode constant>} : (tensor<2x61xf32>, tensor<f32>) -> tensor<2x63xf32>
  return %y : tensor<2x63xf32>
}
