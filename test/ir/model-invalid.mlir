// Constraints of constants, state and kernels, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @constant_c1_sparse() {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a dense tensor}}
  %0 = modelc.constant {value = sparse<0, 1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @constant_c1_type() {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{are incompatible with return type(s) of operation}}
  %0 = modelc.constant {value = dense<1.0> : tensor<4xf32>} : () -> tensor<5xf32>
  return
}

// -----

func.func @state_c1_parent() {
  // expected-error@below {{expects parent op 'builtin.module'}}
  modelc.state @s {initial = dense<0.0> : tensor<4xf32>}
  return
}

// -----

// expected-error@below {{expected a dense tensor as initial value}}
modelc.state @state_c1_vector {initial = dense<0.0> : vector<4xf32>}

// -----

func.func @state_read_c1_missing() {
  // expected-error@below {{'s' is not a state}}
  %0 = modelc.state_read @s : tensor<4xf32>
  return
}

// -----

modelc.state @s {initial = dense<0.0> : tensor<4xf32>}
func.func @state_read_c1_type() {
  // expected-error@below {{expected the type of state 's', 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = modelc.state_read @s : tensor<5xf32>
  return
}

// -----

func.func @state_write_c1_not_a_state(%x: tensor<4xf32>) {
  // expected-error@below {{'state_write_c1_not_a_state' is not a state}}
  modelc.state_write @state_write_c1_not_a_state, %x : tensor<4xf32>
  return
}

// -----

modelc.state @s {initial = dense<0.0> : tensor<4xf32>}
func.func @state_write_c1_type(%x: tensor<4xf16>) {
  // expected-error@below {{expected the type of state 's', 'tensor<4xf32>', got 'tensor<4xf16>'}}
  modelc.state_write @s, %x : tensor<4xf16>
  return
}

// -----

func.func @launch_c1_missing(%x: tensor<4xf32>) {
  // expected-error@below {{'k' is not a kernel}}
  %0 = modelc.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

modelc.kernel @k {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}
func.func @launch_c1_operands(%x: tensor<5xf32>) {
  // expected-error@below {{operand or result types differ from those of 'k'}}
  %0 = modelc.launch @k(%x) : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

modelc.kernel @k {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}
func.func @launch_c1_results(%x: tensor<4xf32>) {
  // expected-error@below {{operand or result types differ from those of 'k'}}
  %0:2 = modelc.launch @k(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @yield_parent(%x: tensor<4xf32>) {
  // expected-error@below {{expects parent op 'modelc.kernel'}}
  modelc.yield %x : tensor<4xf32>
}

// -----

// expected-error@below {{expected numbers of its 1 operands in 'packed', got 1}}
modelc.kernel @kernel_c2_range attributes {packed = array<i64: 1>} {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}

// -----

// expected-error@below {{expected numbers of its 1 operands in 'packed', got -1}}
modelc.kernel @kernel_c2_negative attributes {packed = array<i64: -1>} {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}

// -----

// expected-error@below {{has operand 0 twice in 'packed'}}
modelc.kernel @kernel_c2_twice attributes {packed = array<i64: 0, 0>} {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}

// -----

// expected-error@below {{expected an array<i64> as 'packed', got 1 : i64}}
modelc.kernel @kernel_c2_type attributes {packed = 1 : i64} {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}

// -----

// expected-error@below {{expected an entry of 'in_place' for each of 1 results, got 2}}
modelc.kernel @kernel_c3_count attributes {in_place = array<i64: 0, -1>} {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}

// -----

// expected-error@below {{expected numbers of its 1 operands in 'in_place', got 1}}
modelc.kernel @kernel_c3_range attributes {in_place = array<i64: 1>} {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x : tensor<4xf32>
}

// -----

// expected-error@below {{has operand 0 twice in 'in_place'}}
modelc.kernel @kernel_c3_twice attributes {in_place = array<i64: 0, 0>} {
^bb0(%x: tensor<4xf32>):
  modelc.yield %x, %x : tensor<4xf32>, tensor<4xf32>
}
