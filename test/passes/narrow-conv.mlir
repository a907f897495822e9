// RUN: modelc-opt %s -modelc-narrow-conv | FileCheck %s

// The last position of a causal convolution reads the whole input and no
// padding.
// CHECK-LABEL: func.func @last
func.func @last(%x: tensor<1x2x4xf32>, %w: tensor<2x2x4xf32>) -> tensor<1x2x1xf32> {
  // CHECK-NEXT: modelc.conv %{{.*}}, %{{.*}} {{.*}}pads_begin = array<i64: 0>, pads_end = array<i64: 0>{{.*}} -> tensor<1x2x1xf32>
  // CHECK-NEXT: return
  %c = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 3>, pads_end = array<i64: 3>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x2x4xf32>) -> tensor<1x2x7xf32>
  %s = modelc.slice %c {starts = array<i64: 0, 0, 3>, sizes = array<i64: 1, 2, 1>, steps = array<i64: 1, 1, 1>} : (tensor<1x2x7xf32>) -> tensor<1x2x1xf32>
  return %s : tensor<1x2x1xf32>
}

// CHECK-LABEL: func.func @middle
func.func @middle(%x: tensor<1x2x9xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x2xf32> {
  // CHECK-NEXT: modelc.slice %{{.*}} {sizes = array<i64: 1, 2, 5>, starts = array<i64: 0, 0, 3>, steps = array<i64: 1, 1, 1>}
  // CHECK-NEXT: modelc.conv {{.*}}pads_begin = array<i64: 0>, pads_end = array<i64: 0>
  %c = modelc.conv %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, groups = 1 : i64} : (tensor<1x2x9xf32>, tensor<2x2x3xf32>) -> tensor<1x2x5xf32>
  %s = modelc.slice %c {starts = array<i64: 0, 0, 2>, sizes = array<i64: 1, 2, 2>, steps = array<i64: 1, 1, 1>} : (tensor<1x2x5xf32>) -> tensor<1x2x2xf32>
  return %s : tensor<1x2x2xf32>
}
