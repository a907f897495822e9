// RUN: modelc-opt %s -split-input-file -modelc-fold-batch-norm | FileCheck %s

// CHECK-LABEL: func.func @scale_and_offset
// CHECK-DAG: %[[W:.*]] = modelc.constant {value = dense<{{\[}}{{\[}}[2.000000e+00]], {{\[}}[1.200000e+01]]]>
// CHECK-DAG: %[[B:.*]] = modelc.constant {value = dense<[5.000000e-01, -1.000000e+00]>
// CHECK: %[[R:.*]] = modelc.conv %{{.*}}, %[[W]], %[[B]]
// CHECK-NEXT: return %[[R]]
func.func @scale_and_offset(%x: tensor<1x1x8xf32>) -> tensor<1x2x8xf32> {
  %w = modelc.constant {value = dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %s = modelc.constant {value = dense<[[2.0], [4.0]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %o = modelc.constant {value = dense<[[0.5], [-1.0]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x8xf32>, tensor<2x1x1xf32>) -> tensor<1x2x8xf32>
  %1 = modelc.mul %0, %s : (tensor<1x2x8xf32>, tensor<2x1xf32>) -> tensor<1x2x8xf32>
  %2 = modelc.add %1, %o : (tensor<1x2x8xf32>, tensor<2x1xf32>) -> tensor<1x2x8xf32>
  return %2 : tensor<1x2x8xf32>
}

// -----

// The constant differs along the row.
// CHECK-LABEL: func.func @not_per_channel
// CHECK: modelc.mul
func.func @not_per_channel(%x: tensor<1x1x2xf32>) -> tensor<1x2x2xf32> {
  %w = modelc.constant {value = dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %s = modelc.constant {value = dense<[2.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2xf32>
  %1 = modelc.mul %0, %s : (tensor<1x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %1 : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: func.func @no_channels
// CHECK: modelc.mul
func.func @no_channels(%x: tensor<1x3x2xf32>) -> tensor<1x0x2xf32> {
  %w = modelc.constant {value = dense<> : tensor<0x3x1xf32>} : () -> tensor<0x3x1xf32>
  %s = modelc.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x3x2xf32>, tensor<0x3x1xf32>) -> tensor<1x0x2xf32>
  %1 = modelc.mul %0, %s : (tensor<1x0x2xf32>, tensor<f32>) -> tensor<1x0x2xf32>
  return %1 : tensor<1x0x2xf32>
}
