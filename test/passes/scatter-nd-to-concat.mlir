// RUN: modelc-opt %s -modelc-scatter-nd-to-concat | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[X:.*]]: tensor<4x3xf32>, %[[U:.*]]: tensor<2x3xf32>)
func.func @rows(%x: tensor<4x3xf32>, %u: tensor<2x3xf32>) -> tensor<4x3xf32> {
  // CHECK-DAG: %[[A:.*]] = modelc.slice %[[X]] {sizes = array<i64: 1, 3>, starts = array<i64: 0, 0>, steps = array<i64: 1, 1>}
  // CHECK-DAG: %[[B:.*]] = modelc.slice %[[X]] {sizes = array<i64: 1, 3>, starts = array<i64: 3, 0>, steps = array<i64: 1, 1>}
  // CHECK-DAG: %[[R:.*]] = modelc.reshape %[[U]]
  // CHECK: modelc.concat %[[A]], %[[R]], %[[B]] {axis = 0 : i64}
  %i = modelc.constant {value = dense<[[1], [-2]]> : tensor<2x1xi64>} : () -> tensor<2x1xi64>
  %r = modelc.scatter_nd %x, %i, %u {kind = #modelc<scatter_kind replace>} : (tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// The rows come in another order, or are added.
// CHECK-LABEL: func.func @no_box
func.func @no_box(%x: tensor<4x3xf32>, %u: tensor<2x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  // CHECK-COUNT-2: modelc.scatter_nd
  %i = modelc.constant {value = dense<[[2], [1]]> : tensor<2x1xi64>} : () -> tensor<2x1xi64>
  %j = modelc.constant {value = dense<[[1], [2]]> : tensor<2x1xi64>} : () -> tensor<2x1xi64>
  %r = modelc.scatter_nd %x, %i, %u {kind = #modelc<scatter_kind replace>} : (tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %s = modelc.scatter_nd %x, %j, %u {kind = #modelc<scatter_kind add>} : (tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %r, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: func.func @slice_of_concat
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<3xf32>)
func.func @slice_of_concat(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: modelc.slice %[[Y]] {sizes = array<i64: 2>, starts = array<i64: 1>, steps = array<i64: 1>}
  // CHECK-NEXT: return
  %c = modelc.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %s = modelc.slice %c {starts = array<i64: 3>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<5xf32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}
