// RUN: modelc-opt %s -modelc-einsum-to-matmul | FileCheck %s

// Groups of a linear layer: a batch of products; dimensions of extent 1 are none.
// CHECK-LABEL: func.func @groups
func.func @groups(%x: tensor<1x1x8x24xf32>, %w: tensor<8x24x16xf32>) -> tensor<1x1x8x16xf32> {
  // CHECK-NEXT: %[[L:.*]] = modelc.reshape %arg0 {shape = array<i64: 8, 24>}
  // CHECK-NEXT: %[[X:.*]] = modelc.reshape %[[L]] {shape = array<i64: 8, 1, 24>}
  // CHECK-NEXT: %[[P:.*]] = modelc.matmul %[[X]], %arg1 : (tensor<8x1x24xf32>, tensor<8x24x16xf32>) -> tensor<8x1x16xf32>
  // CHECK: modelc.reshape {{.*}} -> tensor<1x1x8x16xf32>
  // CHECK-NOT: modelc.transpose
  // CHECK: return
  %r = modelc.einsum %x, %w {operand_labels = [array<i64: 0, 1, 2, 3>, array<i64: 2, 3, 4>], result_labels = array<i64: 0, 1, 2, 4>} : (tensor<1x1x8x24xf32>, tensor<8x24x16xf32>) -> tensor<1x1x8x16xf32>
  return %r : tensor<1x1x8x16xf32>
}

// A constant costs nothing to transpose.
// CHECK-LABEL: func.func @constant
func.func @constant(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // CHECK: modelc.transpose %{{.*}} {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: modelc.matmul %arg0, %{{.*}} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %w = modelc.constant {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %r = modelc.einsum %x, %w {operand_labels = [array<i64: 0, 1>, array<i64: 2, 1>], result_labels = array<i64: 0, 2>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// The rows of the result belong to the second operand.
// CHECK-LABEL: func.func @swapped
func.func @swapped(%x: tensor<3x5xf32>, %y: tensor<4x3xf32>) -> tensor<4x5xf32> {
  // CHECK-NEXT: modelc.matmul %arg1, %arg0 : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  // CHECK-NEXT: return
  %r = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 2, 0>], result_labels = array<i64: 2, 1>} : (tensor<3x5xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Heads of attention: worth the transposes, as there is much to multiply.
// CHECK-LABEL: func.func @heads
func.func @heads(%q: tensor<1x64x4x64xf32>, %k: tensor<1x64x4x64xf32>) -> tensor<1x4x64x64xf32> {
  // CHECK-DAG: modelc.transpose {{.*}} -> tensor<4x64x64xf32>
  // CHECK: modelc.matmul {{.*}} -> tensor<4x64x64xf32>
  %r = modelc.einsum %q, %k {operand_labels = [array<i64: 0, 1, 2, 3>, array<i64: 0, 4, 2, 3>], result_labels = array<i64: 0, 2, 1, 4>} : (tensor<1x64x4x64xf32>, tensor<1x64x4x64xf32>) -> tensor<1x4x64x64xf32>
  return %r : tensor<1x4x64x64xf32>
}

// CHECK-LABEL: func.func @too_little
func.func @too_little(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<3x3xf32> {
  // CHECK-NEXT: modelc.einsum
  %r = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 0, 2>], result_labels = array<i64: 1, 2>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @no_product
func.func @no_product(%x: tensor<3x3xf32>, %y: tensor<3x4xf32>, %i: tensor<2x3xi32>, %j: tensor<3x2xi32>) -> (tensor<3x4xf32>, tensor<3x3x4xf32>, tensor<4xf32>, tensor<f32>, tensor<2x2xi32>) {
  // A diagonal.
  // CHECK-NEXT: modelc.einsum
  %a = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 0>, array<i64: 0, 1>], result_labels = array<i64: 0, 1>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  // Nothing is summed.
  // CHECK-NEXT: modelc.einsum
  %b = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], result_labels = array<i64: 0, 1, 2>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x3x4xf32>
  // A sum in one operand alone.
  // CHECK-NEXT: modelc.einsum
  %c = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], result_labels = array<i64: 2>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  // Neither rows nor columns.
  // CHECK-NEXT: modelc.einsum
  %d = modelc.einsum %x, %x {operand_labels = [array<i64: 0, 1>, array<i64: 0, 1>], result_labels = array<i64>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<f32>
  // Integers have no vector code.
  // CHECK-NEXT: modelc.einsum
  %e = modelc.einsum %i, %j {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], result_labels = array<i64: 0, 2>} : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  return %a, %b, %c, %d, %e : tensor<3x4xf32>, tensor<3x3x4xf32>, tensor<4xf32>, tensor<f32>, tensor<2x2xi32>
}
