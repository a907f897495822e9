// RUN: modelc-opt %s -split-input-file -modelc-plan-memory=alignment=16 | FileCheck %s

// States lie behind each other. A new state is written in place once the old
// one is not read any more.
// CHECK: modelc.state_bytes = 72 : i64
modelc.kernel @k {
^bb0(%x: tensor<10xf32>):
  %0 = modelc.softmax %x {axis = 0 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  modelc.yield %0 : tensor<10xf32>
}
// CHECK: modelc.state @early {initial = {{.*}}, place = #modelc.place<state, 0, 0>}
modelc.state @early {initial = dense<0.0> : tensor<10xf32>}
// CHECK: modelc.state @late {initial = {{.*}}, place = #modelc.place<state, 0, 48>}
modelc.state @late {initial = dense<0.0> : tensor<6xf32>}
// CHECK-LABEL: func.func @direct
func.func @direct(%x: tensor<10xf32>) -> tensor<10xf32> {
  %old = modelc.state_read @early : tensor<10xf32>
  // CHECK: operand_places = [#modelc.place<state, 0, 0>], result_places = [#modelc.place<scratch, 0, 0>]
  %y = modelc.launch @k(%old) : (tensor<10xf32>) -> tensor<10xf32>
  // CHECK: operand_places = [#modelc.place<input, 0, 0>], result_places = [#modelc.place<state, 0, 0>]
  %new = modelc.launch @k(%x) : (tensor<10xf32>) -> tensor<10xf32>
  modelc.state_write @early, %new : tensor<10xf32>
  return %y : tensor<10xf32>
}

// -----

modelc.kernel @k {
^bb0(%x: tensor<10xf32>):
  %0 = modelc.softmax %x {axis = 0 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  modelc.yield %0 : tensor<10xf32>
}
modelc.state @s {initial = dense<0.0> : tensor<10xf32>}
// The kernel that makes the new state reads the old one: through scratch.
// CHECK-LABEL: func.func @reads_itself
func.func @reads_itself() {
  %old = modelc.state_read @s : tensor<10xf32>
  // CHECK: operand_places = [#modelc.place<state, 0, 0>], result_places = [#modelc.place<scratch, 0, 0>]
  %new = modelc.launch @k(%old) : (tensor<10xf32>) -> tensor<10xf32>
  // CHECK: launch @copy(%{{.*}}) {operand_places = [#modelc.place<scratch, 0, 0>], result_places = [#modelc.place<state, 0, 0>]
  modelc.state_write @s, %new : tensor<10xf32>
  return
}

// -----

modelc.state @a {initial = dense<0.0> : tensor<10xf32>}
modelc.state @b {initial = dense<0.0> : tensor<10xf32>}
// Two states change places: one is saved before it is written.
// CHECK-LABEL: func.func @swap
func.func @swap() {
  %a = modelc.state_read @a : tensor<10xf32>
  %b = modelc.state_read @b : tensor<10xf32>
  // CHECK: operand_places = [#modelc.place<state, 0, 48>], result_places = [#modelc.place<scratch, 0, 0>]
  // CHECK: operand_places = [#modelc.place<state, 0, 0>], result_places = [#modelc.place<state, 0, 48>]
  // CHECK: operand_places = [#modelc.place<scratch, 0, 0>], result_places = [#modelc.place<state, 0, 0>]
  modelc.state_write @a, %b : tensor<10xf32>
  modelc.state_write @b, %a : tensor<10xf32>
  return
}

// -----

modelc.state @s {initial = dense<0.0> : tensor<2x5xf32>}
// CHECK-LABEL: func.func @unchanged
func.func @unchanged() {
  %s = modelc.state_read @s : tensor<2x5xf32>
  // CHECK-NOT: launch
  modelc.state_write @s, %s : tensor<2x5xf32>
  return
}

// -----

modelc.kernel @k attributes {returns_status} {
^bb0(%x: tensor<10xf32>):
  %0 = modelc.softmax %x {axis = 0 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  modelc.yield %0 : tensor<10xf32>
}
modelc.state @s {initial = dense<0.0> : tensor<10xf32>}
// A run that fails leaves the state as it was: written at the end, if at all.
// CHECK-LABEL: func.func @fails
func.func @fails(%x: tensor<10xf32>) {
  // CHECK: result_places = [#modelc.place<scratch, 0, 0>]
  %new = modelc.launch @k(%x) : (tensor<10xf32>) -> tensor<10xf32>
  // CHECK: launch @copy(%{{.*}}) {commits, operand_places = [{{[^]]*}}], result_places = [#modelc.place<state, 0, 0>]
  modelc.state_write @s, %new : tensor<10xf32>
  return
}
