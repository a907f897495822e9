// RUN: modelc-opt %s -split-input-file "-modelc-stream=inputs=x:1=4 lookahead=-1" | FileCheck %s

// A column that is a vector has no dimension in the result.
// CHECK: func.func @main(%{{.*}}: tensor<2x4x3x5xf32>
// CHECK-SAME: -> (tensor<2x4x3xf32>
func.func @main(%x: tensor<2x64x3x5xf32> {modelc.name = "x"}) -> tensor<2x64x3xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<5xf32>} : () -> tensor<5xf32>
  %y = modelc.matmul %x, %w : (tensor<2x64x3x5xf32>, tensor<5xf32>) -> tensor<2x64x3xf32>
  %s = modelc.relu %y : (tensor<2x64x3xf32>) -> tensor<2x64x3xf32>
  return %s : tensor<2x64x3xf32>
}

// -----

// Neither has a row, and equal constants have as many of time's as a call.
// CHECK: modelc.matmul %{{.*}} : (tensor<3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5xf32>
// CHECK: modelc.matmul %{{.*}} : (tensor<4x1x3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x1x5xf32>
func.func @main(%x: tensor<2x64x3x5xf32> {modelc.name = "x"}) -> (tensor<2x64x5xf32>, tensor<2x64x1x5xf32>) {
  %w = modelc.constant {value = dense<1.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %v = modelc.constant {value = dense<1.0> : tensor<64x1x3xf32>} : () -> tensor<64x1x3xf32>
  %y = modelc.matmul %w, %x : (tensor<3xf32>, tensor<2x64x3x5xf32>) -> tensor<2x64x5xf32>
  %z = modelc.matmul %v, %x : (tensor<64x1x3xf32>, tensor<2x64x3x5xf32>) -> tensor<2x64x1x5xf32>
  return %y, %z : tensor<2x64x5xf32>, tensor<2x64x1x5xf32>
}
