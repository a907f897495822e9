// RUN: modelc-opt %s -split-input-file "-modelc-stream=inputs=x:2=4 lookahead=-1" | FileCheck %s

// Left padding is the first history; nothing is late.
// CHECK: module attributes {modelc.drain = 0 : i64, modelc.hop = 4 : i64, modelc.latency = 0 : i64}
// CHECK: modelc.state @history {initial = dense<0.000000e+00> : tensor<1x2x4xf32>}
// CHECK: func.func @main(%[[X:.*]]: tensor<1x2x4xf32> {modelc.name = "x"}) -> (tensor<1x3x4xf32> {modelc.latency = 0 : i64, modelc.name = "y"})
func.func @main(%x: tensor<1x2x64xf32> {modelc.name = "x"}) -> (tensor<1x3x64xf32> {modelc.name = "y"}) {
  // CHECK: %[[W:.*]] = modelc.constant
  %w = modelc.constant {value = dense<1.0> : tensor<3x2x3xf32>} : () -> tensor<3x2x3xf32>
  // CHECK: %[[OLD:.*]] = modelc.state_read @history
  // CHECK: %[[ALL:.*]] = modelc.concat %[[OLD]], %[[X]] {axis = 2 : i64}
  // CHECK: %[[LAST:.*]] = modelc.slice %[[ALL]] {sizes = array<i64: 1, 2, 4>, starts = array<i64: 0, 0, 4>
  // CHECK: modelc.state_write @history, %[[LAST]]
  // CHECK: %[[Y:.*]] = modelc.conv %[[ALL]], %[[W]] {{.*}} pads_begin = array<i64: 0>
  %y = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 2>, pads_begin = array<i64: 4>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x64xf32>, tensor<3x2x3xf32>) -> tensor<1x3x64xf32>
  // CHECK: return %[[Y]]
  return %y : tensor<1x3x64xf32>
}

// -----

// Right padding is waiting: the output lags, what lies before its start is
// zero, and the padding is added when the stream has ended.
// CHECK: module attributes {modelc.drain = 1 : i64, modelc.hop = 4 : i64, modelc.latency = 1 : i64}
// CHECK: func.func @main(%[[X:.*]]: tensor<1x2x4xf32> {modelc.name = "x"}, %[[FLUSH:.*]]: tensor<i32> {modelc.flush})
func.func @main(%x: tensor<1x2x64xf32> {modelc.name = "x"}) -> (tensor<1x3x64xf32> {modelc.name = "y"}) {
  %w = modelc.constant {value = dense<1.0> : tensor<3x2x3xf32>} : () -> tensor<3x2x3xf32>
  // CHECK-DAG: %[[N:.*]] = modelc.mul %{{.*}}, %[[FLUSH]]
  // CHECK-DAG: %[[LAST:.*]] = modelc.constant {value = dense<0> : tensor<4xi32>}
  // CHECK: %[[INSIDE:.*]] = modelc.less_equal %[[N]], %[[LAST]]
  // CHECK: modelc.select
  // CHECK: %[[Y:.*]] = modelc.conv
  // CHECK: modelc.constant {value = dense<[1, 0, 0, 0]> : tensor<4xi32>}
  // CHECK: modelc.greater_equal
  // CHECK: modelc.select
  %y = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, groups = 1 : i64} : (tensor<1x2x64xf32>, tensor<3x2x3xf32>) -> tensor<1x3x64xf32>
  return %y : tensor<1x3x64xf32>
}

// -----

// An output that is longer than the stream has no latency, but is not complete
// when the stream has ended.
// CHECK: module attributes {modelc.drain = 4 : i64, modelc.hop = 4 : i64, modelc.latency = 0 : i64}
// CHECK: func.func @main(%[[X:.*]]: tensor<1x2x4xf32> {modelc.name = "x"}, %[[FLUSH:.*]]: tensor<i32> {modelc.flush})
func.func @main(%x: tensor<1x2x64xf32> {modelc.name = "x"}) -> (tensor<1x3x68xf32> {modelc.name = "y"}) {
  %w = modelc.constant {value = dense<1.0> : tensor<3x2x5xf32>} : () -> tensor<3x2x5xf32>
  %y = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 4>, pads_end = array<i64: 4>, groups = 1 : i64} : (tensor<1x2x64xf32>, tensor<3x2x5xf32>) -> tensor<1x3x68xf32>
  return %y : tensor<1x3x68xf32>
}
