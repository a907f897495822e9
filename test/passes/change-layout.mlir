// RUN: modelc-opt %s -split-input-file -modelc-change-layout | FileCheck %s

module attributes {modelc.target = #modelc.target<name = "x", vectorBytes = 32, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
// Transposes remain only at the borders.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x8x8xf32>
// CHECK: %[[T:.*]] = modelc.transpose %[[X]] {permutation = array<i64: 0, 2, 3, 1>}
// CHECK: %[[A:.*]] = modelc.conv %[[T]], %{{.*}} {channels_last,
// CHECK-NEXT: %[[R:.*]] = modelc.relu %[[A]]
// CHECK-NEXT: %[[B:.*]] = modelc.conv %[[R]], %{{.*}} {channels_last,
// CHECK-NEXT: %[[U:.*]] = modelc.transpose %[[B]] {permutation = array<i64: 0, 3, 1, 2>}
// CHECK-NEXT: return %[[U]]
func.func @chain(%x: tensor<1x3x8x8xf32>, %v: tensor<4x3x1x1xf32>, %w: tensor<5x4x1x1xf32>) -> tensor<1x5x8x8xf32> {
  %0 = modelc.conv %x, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %1 = modelc.relu %0 : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %2 = modelc.conv %1, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x4x8x8xf32>, tensor<5x4x1x1xf32>) -> tensor<1x5x8x8xf32>
  return %2 : tensor<1x5x8x8xf32>
}
}

// -----

module attributes {modelc.target = #modelc.target<name = "x", vectorBytes = 32, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
// A dimension of extent 1 goes, the others stay in order; the reduction needs no transpose.
// CHECK-LABEL: func.func @squeeze
// CHECK: %[[A:.*]] = modelc.conv
// CHECK: %[[S:.*]] = modelc.reshape %[[A]] {shape = array<i64: 1, 8, 4>}
// CHECK-NEXT: %[[M:.*]] = modelc.reduce %[[S]] {axes = array<i64: 1>
// CHECK-NEXT: return %[[M]]
func.func @squeeze(%x: tensor<1x3x8x1xf32>, %v: tensor<4x3x1x1xf32>) -> tensor<1x4xf32> {
  %0 = modelc.conv %x, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x3x8x1xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x1xf32>
  %1 = modelc.reshape %0 {shape = array<i64: 1, 4, 8>} : (tensor<1x4x8x1xf32>) -> tensor<1x4x8xf32>
  %2 = modelc.reduce %1 {kind = #modelc<reduce_kind max>, axes = array<i64: 2>, keep_dims = false} : (tensor<1x4x8xf32>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}
}

// -----

// Without vectors nothing changes.
// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: modelc.conv
// CHECK-NEXT: return
func.func @scalar(%x: tensor<1x3x8x8xf32>, %v: tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> {
  %0 = modelc.conv %x, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// -----

module attributes {modelc.target = #modelc.target<name = "x", vectorBytes = 32, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
// Transposed convolutions and groups with outputs for a quarter of a vector or more.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[T:.*]] = modelc.transpose
// CHECK-NEXT: %[[A:.*]] = modelc.conv_transpose %[[T]], %{{.*}} {channels_last,
// CHECK-NEXT: %[[B:.*]] = modelc.conv %[[A]], %{{.*}} {channels_last, {{.*}}groups = 2
// CHECK-NEXT: modelc.transpose %[[B]]
func.func @transposed(%x: tensor<1x3x8xf32>, %v: tensor<3x4x2xf32>, %w: tensor<4x2x1xf32>) -> tensor<1x4x16xf32> {
  %0 = modelc.conv_transpose %x, %v {strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x3x8xf32>, tensor<3x4x2xf32>) -> tensor<1x4x16xf32>
  %1 = modelc.conv %0, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 2 : i64} : (tensor<1x4x16xf32>, tensor<4x2x1xf32>) -> tensor<1x4x16xf32>
  return %1 : tensor<1x4x16xf32>
}

// One output per group leaves most lanes without work.
// CHECK-LABEL: func.func @narrow_groups
// CHECK-NEXT: modelc.conv %{{.*}}, %{{.*}} {dilations
// CHECK-NEXT: return
func.func @narrow_groups(%x: tensor<1x8x8xf32>, %w: tensor<4x2x1xf32>) -> tensor<1x4x8xf32> {
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 4 : i64} : (tensor<1x8x8xf32>, tensor<4x2x1xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}
}
