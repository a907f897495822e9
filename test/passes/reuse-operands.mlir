// RUN: modelc-opt %s -split-input-file -modelc-reuse-operands | FileCheck %s

// The operand dies here, and each element is read where it is written.
// CHECK: modelc.kernel @first {
// CHECK: modelc.kernel @second attributes {in_place = array<i64: 1>} {
modelc.kernel @first {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @second {
^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
  %0 = modelc.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
func.func @dies(%x: tensor<4xf32>) -> tensor<4xf32> {
  // The caller owns %x, so neither kernel writes to it.
  %0 = modelc.launch @first(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = modelc.launch @second(%x, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The operand is read later, through another name of its memory.
// CHECK-NOT: in_place
modelc.kernel @first {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @second {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.log %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @third {
^bb0(%x: tensor<4xf32>, %y: tensor<2x2xf32>):
  %0 = modelc.matmul %y, %y : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  modelc.yield %0 : tensor<2x2xf32>
}
func.func @read_later(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = modelc.launch @first(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %view = modelc.reshape %0 {shape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32>
  %1 = modelc.launch @second(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = modelc.launch @third(%1, %view) : (tensor<4xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

// The operand is returned.
// CHECK-NOT: in_place
modelc.kernel @exp {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @log {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.log %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
func.func @returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = modelc.launch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = modelc.launch @log(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Elements are read at other positions than they are written, or for several
// of them; the element type differs.
// CHECK-NOT: in_place
modelc.kernel @exp {
^bb0(%x: tensor<4x4xf32>):
  %0 = modelc.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  modelc.yield %0 : tensor<4x4xf32>
}
modelc.kernel @transpose {
^bb0(%x: tensor<4x4xf32>):
  %0 = modelc.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  modelc.yield %0 : tensor<4x4xf32>
}
modelc.kernel @softmax {
^bb0(%x: tensor<4x4xf32>):
  %0 = modelc.softmax %x {axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  modelc.yield %0 : tensor<4x4xf32>
}
modelc.kernel @cast {
^bb0(%x: tensor<4x4xf32>):
  %0 = modelc.cast %x {to = i32} : (tensor<4x4xf32>) -> tensor<4x4xi32>
  modelc.yield %0 : tensor<4x4xi32>
}
func.func @other_positions(%x: tensor<4x4xf32>) -> tensor<4x4xi32> {
  %0 = modelc.launch @exp(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = modelc.launch @transpose(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = modelc.launch @softmax(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = modelc.launch @cast(%2) : (tensor<4x4xf32>) -> tensor<4x4xi32>
  return %3 : tensor<4x4xi32>
}

// -----

// The same memory twice: one name would be written while the other is read.
// CHECK-NOT: in_place
modelc.kernel @exp {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @add {
^bb0(%x: tensor<4xf32>, %y: tensor<1xf32>):
  %0 = modelc.add %x, %y : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
func.func @two_names(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = modelc.launch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = modelc.slice %0 {starts = array<i64: 1>, sizes = array<i64: 1>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  %2 = modelc.launch @add(%0, %1) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
