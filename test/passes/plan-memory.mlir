// RUN: modelc-opt %s -split-input-file -modelc-plan-memory=alignment=16 | FileCheck %s

// The last launch writes the caller's memory; lives that do not meet share
// scratch.
// CHECK: module attributes {modelc.scratch_bytes = 88 : i64, modelc.scratch_lower_bound = 88 : i64, modelc.state_bytes = 0 : i64, modelc.weight_bytes = 0 : i64}
modelc.kernel @k {
^bb0(%x: tensor<10xf32>):
  %0 = modelc.softmax %x {axis = 0 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  modelc.yield %0 : tensor<10xf32>
}
// CHECK-LABEL: func.func @chain
func.func @chain(%x: tensor<10xf32>) -> tensor<10xf32> {
  // CHECK: operand_places = [#modelc.place<input, 0, 0>], result_places = [#modelc.place<scratch, 0, [[A:[0-9]+]]>]
  %0 = modelc.launch @k(%x) : (tensor<10xf32>) -> tensor<10xf32>
  // CHECK: operand_places = [#modelc.place<scratch, 0, [[A]]>], result_places = [#modelc.place<scratch, 0, [[B:[0-9]+]]>]
  %1 = modelc.launch @k(%0) : (tensor<10xf32>) -> tensor<10xf32>
  // CHECK: operand_places = [#modelc.place<scratch, 0, [[B]]>], result_places = [#modelc.place<scratch, 0, [[A]]>]
  %2 = modelc.launch @k(%1) : (tensor<10xf32>) -> tensor<10xf32>
  // CHECK: operand_places = [#modelc.place<scratch, 0, [[A]]>], result_places = [#modelc.place<output, 0, 0>]
  %3 = modelc.launch @k(%2) : (tensor<10xf32>) -> tensor<10xf32>
  return %3 : tensor<10xf32>
}

// -----

// Equal constants share their bytes; a part of a constant is a place in it.
// CHECK: modelc.weight_bytes = 72 : i64
modelc.kernel @k {
^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<2xf32>):
  %0 = modelc.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = modelc.add %0, %z : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  modelc.yield %1 : tensor<2xf32>
}
// CHECK-LABEL: func.func @constants
func.func @constants() -> tensor<2xf32> {
  // CHECK: modelc.constant {place = #modelc.place<weights, 0, 0>
  %0 = modelc.constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  // CHECK: modelc.constant {place = #modelc.place<weights, 0, 0>
  %1 = modelc.constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  // CHECK: modelc.constant {place = #modelc.place<weights, 0, 64>
  %2 = modelc.constant {value = dense<[3.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  // CHECK: operand_places = [#modelc.place<weights, 0, 0>, #modelc.place<weights, 0, 0>, #modelc.place<weights, 0, 64>]
  %3 = modelc.launch @k(%0, %1, %2) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// -----

// A reshape and a contiguous slice are places in another value's memory, which
// lives as long as they are read.
// CHECK: modelc.scratch_bytes = 48 : i64
modelc.kernel @rows {
^bb0(%x: tensor<3x4xf32>):
  %0 = modelc.exp %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  modelc.yield %0 : tensor<3x4xf32>
}
modelc.kernel @row {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.softmax %x {axis = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<3x4xf32>) -> tensor<4xf32> {
  // CHECK: result_places = [#modelc.place<scratch, 0, 0>]
  %0 = modelc.launch @rows(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = modelc.slice %0 {starts = array<i64: 2, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %2 = modelc.reshape %1 {shape = array<i64: 4>} : (tensor<1x4xf32>) -> tensor<4xf32>
  // CHECK: operand_places = [#modelc.place<scratch, 0, 32>]
  %3 = modelc.launch @row(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// In place: the result has the operand's place, whose life goes on.
// CHECK: modelc.scratch_bytes = 16 : i64
modelc.kernel @exp {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @exp_in_place attributes {in_place = array<i64: 0>} {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @in_place
func.func @in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: result_places = [#modelc.place<scratch, 0, 0>]
  %0 = modelc.launch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: result_places = [#modelc.place<scratch, 0, 0>]
  %1 = modelc.launch @exp_in_place(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: result_places = [#modelc.place<output, 0, 0>]
  %2 = modelc.launch @exp(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// The caller may pass one buffer as %x and as the result: it is written only
// after the last reader of %x.
// CHECK-LABEL: func.func @input_is_still_needed
modelc.kernel @exp {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @sum {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind sum>, axes = array<i64: 0>, keep_dims = false} : (tensor<4xf32>) -> tensor<f32>
  modelc.yield %0 : tensor<f32>
}
func.func @input_is_still_needed(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  // CHECK: modelc.launch @exp
  // CHECK-SAME: result_places = [#modelc.place<scratch, 0, 0>]
  %0 = modelc.launch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.launch @sum
  // CHECK-SAME: result_places = [#modelc.place<output, 1, 0>]
  %1 = modelc.launch @sum(%x) : (tensor<4xf32>) -> tensor<f32>
  // CHECK: modelc.launch @copy
  // CHECK-SAME: result_places = [#modelc.place<output, 0, 0>]
  return %0, %1 : tensor<4xf32>, tensor<f32>
}

// -----

// Inputs that are returned in another order: each output may be the other's
// input, so both are saved before one is written.
// CHECK-LABEL: func.func @swap
func.func @swap(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[Y:.*]] = modelc.launch @copy(%{{.*}}) {operand_places = [#modelc.place<input, 1, 0>], result_places = [#modelc.place<scratch, 0, [[A:[0-9]+]]>]
  // CHECK: %[[X:.*]] = modelc.launch @copy(%{{.*}}) {operand_places = [#modelc.place<input, 0, 0>], result_places = [#modelc.place<scratch, 0, [[B:[0-9]+]]>]
  // CHECK: modelc.launch @copy(%[[Y]]) {operand_places = [#modelc.place<scratch, 0, [[A]]>], result_places = [#modelc.place<output, 0, 0>]
  // CHECK: modelc.launch @copy(%[[X]]) {operand_places = [#modelc.place<scratch, 0, [[B]]>], result_places = [#modelc.place<output, 1, 0>]
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// One input that is returned needs no detour.
// CHECK: modelc.scratch_bytes = 0 : i64
// CHECK-LABEL: func.func @identity
func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: modelc.launch @copy(%{{.*}}) {operand_places = [#modelc.place<input, 0, 0>], result_places = [#modelc.place<output, 0, 0>]
  // CHECK-NEXT: return
  return %x : tensor<4xf32>
}

// -----

// A kernel's own temporaries live during its launch.
// CHECK: modelc.scratch_bytes = 100 : i64
modelc.kernel @k attributes {scratch_bytes = array<i64: 100>} {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind l2>, axes = array<i64: 0>, keep_dims = false} : (tensor<4xf32>) -> tensor<f32>
  modelc.yield %0 : tensor<f32>
}
// CHECK-LABEL: func.func @temporaries
func.func @temporaries(%x: tensor<4xf32>) -> tensor<f32> {
  // CHECK: result_places = [#modelc.place<output, 0, 0>], scratch_places = [#modelc.place<scratch, 0, 0>]
  %0 = modelc.launch @k(%x) : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
