// Round trip: products, convolutions, pools.
// RUN: modelc-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<5x2x3xf32>, %y: tensor<3x4xf32>, %v: tensor<3xf32>) {
  // CHECK: modelc.matmul{{.*}} : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  %0 = modelc.matmul %x, %y : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  // CHECK: modelc.matmul{{.*}} : (tensor<5x2x3xf32>, tensor<3xf32>) -> tensor<5x2xf32>
  %1 = modelc.matmul %x, %v : (tensor<5x2x3xf32>, tensor<3xf32>) -> tensor<5x2xf32>
  // CHECK: modelc.matmul{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %2 = modelc.matmul %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  // CHECK: modelc.einsum{{.*}} {operand_labels = [array<i64: 0, 1, 2>, array<i64: 2, 3>], result_labels = array<i64: 3, 0>} : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<4x5xf32>
  %3 = modelc.einsum %x, %y {operand_labels = [array<i64: 0, 1, 2>, array<i64: 2, 3>], result_labels = array<i64: 3, 0>} : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<4x5xf32>
  return
}

// CHECK-LABEL: func.func @convolutions
func.func @convolutions(%x: tensor<1x4x9xf32>, %w: tensor<6x2x3xf32>, %b: tensor<6xf32>, %l: tensor<1x9x4xf32>, %t: tensor<4x3x3xf32>, %q: tensor<1x4x9xi8>, %u: tensor<6x2x3xi8>) {
  // CHECK: modelc.conv{{.*}} {dilations = array<i64: 2>, groups = 2 : i64, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, strides = array<i64: 2>} : (tensor<1x4x9xf32>, tensor<6x2x3xf32>, tensor<6xf32>) -> tensor<1x6x3xf32>
  %0 = modelc.conv %x, %w, %b {dilations = array<i64: 2>, groups = 2 : i64, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, strides = array<i64: 2>} : (tensor<1x4x9xf32>, tensor<6x2x3xf32>, tensor<6xf32>) -> tensor<1x6x3xf32>
  // CHECK: modelc.conv{{.*}} {channels_last, dilations = array<i64: 1>, groups = 2 : i64, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, strides = array<i64: 1>} : (tensor<1x9x4xf32>, tensor<6x2x3xf32>) -> tensor<1x7x6xf32>
  %1 = modelc.conv %l, %w {channels_last, dilations = array<i64: 1>, groups = 2 : i64, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, strides = array<i64: 1>} : (tensor<1x9x4xf32>, tensor<6x2x3xf32>) -> tensor<1x7x6xf32>
  // CHECK: modelc.conv{{.*}} {dilations = array<i64: 1>, groups = 2 : i64, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, strides = array<i64: 1>} : (tensor<1x4x9xi8>, tensor<6x2x3xi8>) -> tensor<1x6x7xi32>
  %2 = modelc.conv %q, %u {dilations = array<i64: 1>, groups = 2 : i64, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, strides = array<i64: 1>} : (tensor<1x4x9xi8>, tensor<6x2x3xi8>) -> tensor<1x6x7xi32>
  // CHECK: modelc.conv_transpose{{.*}} {dilations = array<i64: 1>, groups = 2 : i64, output_padding = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, strides = array<i64: 2>} : (tensor<1x4x9xf32>, tensor<4x3x3xf32>) -> tensor<1x6x19xf32>
  %3 = modelc.conv_transpose %x, %t {dilations = array<i64: 1>, groups = 2 : i64, output_padding = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, strides = array<i64: 2>} : (tensor<1x4x9xf32>, tensor<4x3x3xf32>) -> tensor<1x6x19xf32>
  return
}

// CHECK-LABEL: func.func @pools
func.func @pools(%x: tensor<1x2x8xf32>) {
  // CHECK: modelc.max_pool{{.*}} {column_major, dilations = array<i64: 1>, kernel = array<i64: 2>, pads_begin = array<i64: 0>, sizes = array<i64: 4>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
  %0, %1 = modelc.max_pool %x {column_major, dilations = array<i64: 1>, kernel = array<i64: 2>, pads_begin = array<i64: 0>, sizes = array<i64: 4>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
  // CHECK: modelc.average_pool{{.*}} {count_pads, dilations = array<i64: 1>, kernel = array<i64: 3>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, sizes = array<i64: 8>, strides = array<i64: 1>} : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %2 = modelc.average_pool %x {count_pads, dilations = array<i64: 1>, kernel = array<i64: 3>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, sizes = array<i64: 8>, strides = array<i64: 1>} : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  // CHECK: modelc.lp_pool{{.*}} {dilations = array<i64: 1>, kernel = array<i64: 2>, p = 2 : i64, pads_begin = array<i64: 0>, sizes = array<i64: 7>, strides = array<i64: 1>} : (tensor<1x2x8xf32>) -> tensor<1x2x7xf32>
  %3 = modelc.lp_pool %x {dilations = array<i64: 1>, kernel = array<i64: 2>, p = 2 : i64, pads_begin = array<i64: 0>, sizes = array<i64: 7>, strides = array<i64: 1>} : (tensor<1x2x8xf32>) -> tensor<1x2x7xf32>
  return
}
