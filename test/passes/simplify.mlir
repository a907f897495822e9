// RUN: modelc-opt %s -modelc-simplify | FileCheck %s

// CHECK-LABEL: func.func @identities
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>
func.func @identities(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = modelc.reshape %x {shape = array<i64: 2, 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = modelc.transpose %0 {permutation = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = modelc.broadcast %1 {shape = array<i64: 2, 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = modelc.slice %2 {starts = array<i64: 0, 0>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = modelc.pad %3, %v {before = array<i64: 0, 0>, after = array<i64: 0, 0>, mode = #modelc<pad_mode constant>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %5 = modelc.cast %4 {to = f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}

// The types stay the same, the elements do not.
// CHECK-LABEL: func.func @no_identities
func.func @no_identities(%x: tensor<3x3xf32>, %v: tensor<f32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  // CHECK: modelc.transpose
  %0 = modelc.transpose %x {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: modelc.slice
  %1 = modelc.slice %x {starts = array<i64: 2, 0>, sizes = array<i64: 3, 3>, steps = array<i64: -1, 1>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: modelc.pad
  %2 = modelc.pad %x, %v {before = array<i64: 1, 0>, after = array<i64: -1, 0>, mode = #modelc<pad_mode constant>} : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return %0, %1, %2 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}

// CHECK-LABEL: func.func @join_reshapes
func.func @join_reshapes(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  // CHECK-NEXT: modelc.reshape %{{.*}} {shape = array<i64: 12>} : (tensor<2x6xf32>) -> tensor<12xf32>
  // CHECK-NEXT: return
  %0 = modelc.reshape %x {shape = array<i64: 3, 4>} : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = modelc.reshape %0 {shape = array<i64: 12>} : (tensor<3x4xf32>) -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// CHECK-LABEL: func.func @join_transposes
func.func @join_transposes(%x: tensor<2x3x4xf32>) -> tensor<3x2x4xf32> {
  // CHECK-NEXT: modelc.transpose %{{.*}} {permutation = array<i64: 1, 0, 2>}
  // CHECK-NEXT: return
  %0 = modelc.transpose %x {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = modelc.transpose %0 {permutation = array<i64: 2, 1, 0>} : (tensor<4x2x3xf32>) -> tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}

// CHECK-LABEL: func.func @transpose_to_reshape
func.func @transpose_to_reshape(%x: tensor<2x1x4xf32>) -> tensor<1x2x4xf32> {
  // CHECK-NEXT: modelc.reshape
  // CHECK-NEXT: return
  %0 = modelc.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}

// CHECK-LABEL: func.func @transpose_moves_elements
func.func @transpose_moves_elements(%x: tensor<2x1x4xf32>) -> tensor<4x1x2xf32> {
  // CHECK-NEXT: modelc.transpose
  %0 = modelc.transpose %x {permutation = array<i64: 2, 1, 0>} : (tensor<2x1x4xf32>) -> tensor<4x1x2xf32>
  return %0 : tensor<4x1x2xf32>
}

// CHECK-LABEL: func.func @broadcast_to_reshape
func.func @broadcast_to_reshape(%x: tensor<4xf32>) -> tensor<1x1x4xf32> {
  // CHECK-NEXT: modelc.reshape
  // CHECK-NEXT: return
  %0 = modelc.broadcast %x {shape = array<i64: 1, 1, 4>} : (tensor<4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// CHECK-LABEL: func.func @broadcast_of_an_operand
// CHECK-SAME: (%[[X:.*]]: tensor<2x4xf32>, %[[Y:.*]]: tensor<4xf32>)
func.func @broadcast_of_an_operand(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: modelc.add %[[X]], %[[Y]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: return
  %0 = modelc.broadcast %y {shape = array<i64: 2, 4>} : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = modelc.add %x, %0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// One broadcast gives the result its shape; the other is needless.
// CHECK-LABEL: func.func @broadcast_of_all_operands
func.func @broadcast_of_all_operands(%y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: %[[B:.*]] = modelc.broadcast
  // CHECK-NEXT: modelc.add %{{.*}}, %[[B]] : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = modelc.broadcast %y {shape = array<i64: 2, 4>} : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = modelc.add %0, %0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @join_slices
func.func @join_slices(%x: tensor<16xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: modelc.slice %{{.*}} {sizes = array<i64: 3>, starts = array<i64: 13>, steps = array<i64: -4>}
  // CHECK-NEXT: return
  %0 = modelc.slice %x {starts = array<i64: 1>, sizes = array<i64: 7>, steps = array<i64: 2>} : (tensor<16xf32>) -> tensor<7xf32>
  %1 = modelc.slice %0 {starts = array<i64: 6>, sizes = array<i64: 3>, steps = array<i64: -2>} : (tensor<7xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// Steps that no element depends on do not grow without bound.
// CHECK-LABEL: func.func @join_slices_of_huge_steps
func.func @join_slices_of_huge_steps(%x: tensor<16xf32>) -> (tensor<1xf32>, tensor<0xf32>) {
  // CHECK: modelc.slice %{{.*}} {sizes = array<i64: 1>, starts = array<i64: 5>, steps = array<i64: 1>}
  %0 = modelc.slice %x {starts = array<i64: 5>, sizes = array<i64: 1>, steps = array<i64: 1099511627776>} : (tensor<16xf32>) -> tensor<1xf32>
  %1 = modelc.slice %0 {starts = array<i64: 0>, sizes = array<i64: 1>, steps = array<i64: 1099511627776>} : (tensor<1xf32>) -> tensor<1xf32>
  // CHECK: modelc.slice %{{.*}} {sizes = array<i64: 0>, starts = array<i64: 0>, steps = array<i64: 1>}
  %2 = modelc.slice %0 {starts = array<i64: 1099511627776>, sizes = array<i64: 0>, steps = array<i64: 1>} : (tensor<1xf32>) -> tensor<0xf32>
  return %1, %2 : tensor<1xf32>, tensor<0xf32>
}

// CHECK-LABEL: func.func @gather_to_slice
func.func @gather_to_slice(%x: tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4xf32>) {
  // CHECK-DAG: modelc.slice %{{.*}} {sizes = array<i64: 4, 2>, starts = array<i64: 0, 4>, steps = array<i64: 1, -2>}
  // CHECK-DAG: %[[ONE:.*]] = modelc.slice %{{.*}} {sizes = array<i64: 4, 1>, starts = array<i64: 0, 3>, steps = array<i64: 1, 1>}
  // CHECK-DAG: modelc.reshape %[[ONE]] {shape = array<i64: 4>}
  // CHECK-NOT: modelc.gather
  %i = modelc.constant {value = dense<[-1, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = modelc.gather %x, %i {axis = 1 : i64} : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %j = modelc.constant {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  %1 = modelc.gather %x, %j {axis = 1 : i64} : (tensor<4x5xf32>, tensor<i64>) -> tensor<4xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @gather_of_other_indices
func.func @gather_of_other_indices(%x: tensor<4x5xf32>, %k: tensor<2xi64>) -> (tensor<4x3xf32>, tensor<4x1xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  // CHECK-COUNT-4: modelc.gather
  %i = modelc.constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %0 = modelc.gather %x, %i {axis = 1 : i64} : (tensor<4x5xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  // Out of range: the model's status at run time.
  %j = modelc.constant {value = dense<5> : tensor<1xi64>} : () -> tensor<1xi64>
  %1 = modelc.gather %x, %j {axis = 1 : i64} : (tensor<4x5xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %2 = modelc.gather %x, %k {axis = 1 : i64} : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %l = modelc.constant {value = dense<2> : tensor<2xi64>} : () -> tensor<2xi64>
  %3 = modelc.gather %x, %l {axis = 1 : i64} : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  return %0, %1, %2, %3 : tensor<4x3xf32>, tensor<4x1xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @concat_of_empty_parts
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<0xf32>)
func.func @concat_of_empty_parts(%x: tensor<2xf32>, %y: tensor<0xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[R:.*]] = modelc.concat %[[X]], %[[X]] {axis = 0 : i64}
  // CHECK-NEXT: return %[[X]], %[[R]]
  %0 = modelc.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<0xf32>) -> tensor<2xf32>
  %1 = modelc.concat %x, %y, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<2xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @powers
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = modelc.constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %two = modelc.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %three = modelc.constant {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %minus_one = modelc.constant {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %0 = modelc.pow %x, %one : (tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>
  // CHECK: %[[SQUARE:.*]] = modelc.mul %[[X]], %[[X]]
  %1 = modelc.pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: %[[PRODUCT:.*]] = modelc.mul %[[X]], %[[X]]
  // CHECK: %[[CUBE:.*]] = modelc.mul %[[PRODUCT]], %[[X]]
  %2 = modelc.pow %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: %[[RECIPROCAL:.*]] = modelc.reciprocal %[[X]]
  %3 = modelc.pow %x, %minus_one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: return %[[X]], %[[SQUARE]], %[[CUBE]], %[[RECIPROCAL]]
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @general_powers
func.func @general_powers(%x: tensor<4xf32>, %y: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>) {
  // CHECK-COUNT-4: modelc.pow
  %half = modelc.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %wide = modelc.constant {value = dense<2.0> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %0 = modelc.pow %x, %y : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = modelc.pow %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = modelc.pow %x, %wide : (tensor<4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  // 255, not -1.
  %most = modelc.constant {value = dense<255> : tensor<ui8>} : () -> tensor<ui8>
  %3 = modelc.pow %x, %most : (tensor<4xf32>, tensor<ui8>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>
}
