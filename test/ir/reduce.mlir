// Round trip: reductions, normalizations, scans, order.
// RUN: modelc-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x3xf32>) {
  // CHECK: modelc.reduce{{.*}} {axes = array<i64: 1>, keep_dims = true, kind = #modelc<reduce_kind mean>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %0 = modelc.reduce %x {axes = array<i64: 1>, keep_dims = true, kind = #modelc<reduce_kind mean>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK: modelc.reduce{{.*}} {axes = array<i64: 0, 1>, keep_dims = false, kind = #modelc<reduce_kind log_sum_exp>} : (tensor<2x3xf32>) -> tensor<f32>
  %1 = modelc.reduce %x {axes = array<i64: 0, 1>, keep_dims = false, kind = #modelc<reduce_kind log_sum_exp>} : (tensor<2x3xf32>) -> tensor<f32>
  // CHECK: modelc.reduce{{.*}} {axes = array<i64>, keep_dims = false, kind = #modelc<reduce_kind sum_square>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = modelc.reduce %x {axes = array<i64>, keep_dims = false, kind = #modelc<reduce_kind sum_square>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.arg_reduce{{.*}} {axis = 1 : i64, keep_dims = false, kind = #modelc<reduce_kind min>, last = true} : (tensor<2x3xf32>) -> tensor<2xi64>
  %3 = modelc.arg_reduce %x {axis = 1 : i64, keep_dims = false, kind = #modelc<reduce_kind min>, last = true} : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// CHECK-LABEL: func.func @normalizations
func.func @normalizations(%x: tensor<2x4x8xf32>, %s: tensor<8xf32>, %c: tensor<4xf32>) {
  // CHECK: modelc.softmax{{.*}} {axis = 1 : i64, log} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %0 = modelc.softmax %x {axis = 1 : i64, log} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: modelc.layer_norm{{.*}} {axis = 2 : i64, epsilon = 1.000000e-05 : f64, rms} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x1xf32>, tensor<2x4x1xf32>)
  %1, %2, %3 = modelc.layer_norm %x, %s, %s {axis = 2 : i64, epsilon = 1.000000e-05 : f64, rms} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x1xf32>, tensor<2x4x1xf32>)
  // CHECK: modelc.group_norm{{.*}} {epsilon = 1.000000e-05 : f64, groups = 2 : i64} : (tensor<2x4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>
  %4 = modelc.group_norm %x, %c, %c {epsilon = 1.000000e-05 : f64, groups = 2 : i64} : (tensor<2x4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x8xf32>
  // CHECK: modelc.local_response_norm{{.*}} {alpha = 1.000000e-04 : f64, beta = 7.500000e-01 : f64, bias = 1.000000e+00 : f64, size = 3 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %5 = modelc.local_response_norm %x {alpha = 1.000000e-04 : f64, beta = 7.500000e-01 : f64, bias = 1.000000e+00 : f64, size = 3 : i64} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// CHECK-LABEL: func.func @order
func.func @order(%x: tensor<5xi32>) {
  // CHECK: modelc.cumulative{{.*}} {axis = 0 : i64, exclusive = true, kind = #modelc<reduce_kind prod>, reverse = true} : (tensor<5xi32>) -> tensor<5xi32>
  %0 = modelc.cumulative %x {axis = 0 : i64, exclusive = true, kind = #modelc<reduce_kind prod>, reverse = true} : (tensor<5xi32>) -> tensor<5xi32>
  // CHECK: modelc.top_k{{.*}} {axis = 0 : i64, k = 2 : i64, largest = false} : (tensor<5xi32>) -> (tensor<2xi32>, tensor<2xi64>)
  %1, %2 = modelc.top_k %x {axis = 0 : i64, k = 2 : i64, largest = false} : (tensor<5xi32>) -> (tensor<2xi32>, tensor<2xi64>)
  return
}
