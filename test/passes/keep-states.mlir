// RUN: modelc-opt %s -split-input-file -modelc-keep-states=states=auto | FileCheck %s

// Names that differ in words such as in, out, new and n, or in 0 and 1.
// CHECK: modelc.state @cache_in {initial = dense<0.000000e+00> : tensor<4xf32>}
// CHECK: modelc.state @h0 {initial = dense<0> : tensor<2xi64>}
// CHECK: func.func @main(%[[X:.*]]: tensor<4xf32> {modelc.name = "x"}) -> (tensor<4xf32> {modelc.name = "y"}) {
func.func @main(%x: tensor<4xf32> {modelc.name = "x"}, %cache: tensor<4xf32> {modelc.name = "cache_in"},
                %h: tensor<2xi64> {modelc.name = "h0"})
    -> (tensor<4xf32> {modelc.name = "y"}, tensor<4xf32> {modelc.name = "cacheOut"}, tensor<2xi64> {modelc.name = "h1"}) {
  // CHECK: %[[CACHE:.*]] = modelc.state_read @cache_in : tensor<4xf32>
  // CHECK: %[[H:.*]] = modelc.state_read @h0 : tensor<2xi64>
  // CHECK: %[[Y:.*]] = modelc.add %[[X]], %[[CACHE]]
  %y = modelc.add %x, %cache : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.state_write @cache_in, %[[X]]
  // CHECK: modelc.state_write @h0, %[[H]]
  // CHECK: return %[[Y]] : tensor<4xf32>
  return %y, %x, %h : tensor<4xf32>, tensor<4xf32>, tensor<2xi64>
}

// -----

// A name that fits two others, one whose type differs, and the numbers of layers
// (10 and 11) stay outside.
// CHECK-NOT: modelc.state @
// CHECK: modelc.state @c {
// CHECK-NOT: modelc.state @
func.func @main(%a: tensor<4xf32> {modelc.name = "a_in"}, %b: tensor<3xf32> {modelc.name = "b"},
                %c: tensor<4xf32> {modelc.name = "c"}, %h: tensor<4xf32> {modelc.name = "h10"})
    -> (tensor<4xf32> {modelc.name = "a_out"}, tensor<4xf32> {modelc.name = "new_a"},
        tensor<4xf32> {modelc.name = "b_out"}, tensor<4xf32> {modelc.name = "c_next"},
        tensor<4xf32> {modelc.name = "h11"}) {
  return %a, %a, %a, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
