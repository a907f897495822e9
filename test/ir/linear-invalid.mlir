// Constraints of matrix products and einsum, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @matmul_c1_rank(%x: tensor<f32>, %y: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected tensors of rank 1 or more}}
  %0 = modelc.matmul %x, %y : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @matmul_c1_inner_extents(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot multiply [2, 3] by [2, 3]}}
  %0 = modelc.matmul %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @matmul_c2_batch(%x: tensor<2x2x3xf32>, %y: tensor<3x3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot multiply [2, 2, 3] by [3, 3, 4]}}
  %0 = modelc.matmul %x, %y : (tensor<2x2x3xf32>, tensor<3x3x4xf32>) -> tensor<2x2x4xf32>
  return
}

// -----

func.func @matmul_c3_element_types(%x: tensor<2x3xf32>, %y: tensor<3x4xf16>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'f32' and 'f16'}}
  %0 = modelc.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf16>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_c1_label_count(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 2 labels, got 1}}
  %0 = modelc.einsum %x, %y {operand_labels = [array<i64: 0>, array<i64: 1, 2>], result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_c1_result_label(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{result label 3 is repeated or not in an operand}}
  %0 = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], result_labels = array<i64: 3>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_c1_result_repeats(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{result label 0 is repeated or not in an operand}}
  %0 = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], result_labels = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @einsum_c1_label_range(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected labels in 0..1023, got [0, 9223372036854775807]}}
  %0 = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 9223372036854775807>, array<i64: 1, 2>], result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_c2_extents(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{extents 3 and 4 have the same label}}
  %0 = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 2, 1>], result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_c3_element_types(%x: tensor<2x3xf32>, %y: tensor<3x4xi32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types}}
  %0 = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1>, array<i64: 1, 2>], result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<3x4xi32>) -> tensor<2xf32>
  return
}
