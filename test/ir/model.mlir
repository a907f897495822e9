// Round trip: constants, state, kernels, attributes.
// RUN: modelc-opt %s -verify-roundtrip | FileCheck %s

// CHECK: modelc.state @hidden {initial = dense<0.000000e+00> : tensor<1x64xf32>}
modelc.state @hidden {initial = dense<0.0> : tensor<1x64xf32>}

// CHECK: modelc.kernel @relu attributes {in_place = array<i64: 0>} {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<1x64xf32>):
// CHECK-NEXT: %[[Y:.*]] = modelc.relu %[[X]]
// CHECK-NEXT: modelc.yield %[[Y]] : tensor<1x64xf32>
modelc.kernel @relu attributes {in_place = array<i64: 0>} {
^bb0(%x: tensor<1x64xf32>):
  %y = modelc.relu %x : (tensor<1x64xf32>) -> tensor<1x64xf32>
  modelc.yield %y : tensor<1x64xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-SAME: {modelc.name = "a name with spaces"}
func.func @main(%x: tensor<1x64xf32> {modelc.name = "a name with spaces"}) -> tensor<1x64xf32> {
  // CHECK: modelc.constant {place = #modelc.place<weights, 0, 64>, value = dense<2.000000e+00> : tensor<64xf32>} : () -> tensor<64xf32>
  %c = modelc.constant {value = dense<2.0> : tensor<64xf32>, place = #modelc.place<weights, 0, 64>} : () -> tensor<64xf32>
  // CHECK: %[[H:.*]] = modelc.state_read @hidden : tensor<1x64xf32>
  %h = modelc.state_read @hidden : tensor<1x64xf32>
  // CHECK: %[[R:.*]] = modelc.launch @relu(%[[H]]) {operand_places = [#modelc.place<state, 0, 0>]} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  %r = modelc.launch @relu(%h) {operand_places = [#modelc.place<state, 0, 0>]} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  // CHECK: modelc.state_write @hidden, %[[R]] : tensor<1x64xf32>
  modelc.state_write @hidden, %r : tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

// CHECK: attributes {modelc.facts = #modelc.target<name = "native", vectorBytes = 32, vectorRegisters = 16, hasFma = true, pointerBits = 64>}
module attributes {modelc.facts = #modelc.target<name = "native", vectorBytes = 32, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
}
