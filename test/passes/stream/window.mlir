// RUN: modelc-opt %s -split-input-file "-modelc-stream=inputs=x:2=4 lookahead=-1" | FileCheck %s

// Before integers lies the smallest of their type.
// CHECK: modelc.state @history {initial = dense<-128> : tensor<1x2x2xi8>}
func.func @main(%x: tensor<1x2x64xi8> {modelc.name = "x"}) -> tensor<1x2x64xi8> {
  // CHECK: modelc.max_pool %{{.*}} pads_begin = array<i64: 0>, sizes = array<i64: 4>
  %y, %i = modelc.max_pool %x {kernel = array<i64: 3>, strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 2>, sizes = array<i64: 64>} : (tensor<1x2x64xi8>) -> (tensor<1x2x64xi8>, tensor<1x2x64xi64>)
  return %y : tensor<1x2x64xi8>
}

// -----

// CHECK: modelc.state @history {initial = dense<0xFF800000> : tensor<1x2x2xf32>}
func.func @main(%x: tensor<1x2x64xf32> {modelc.name = "x"}) -> tensor<1x2x64xf32> {
  %y, %i = modelc.max_pool %x {kernel = array<i64: 3>, strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 2>, sizes = array<i64: 64>} : (tensor<1x2x64xf32>) -> (tensor<1x2x64xf32>, tensor<1x2x64xi64>)
  return %y : tensor<1x2x64xf32>
}
