// Round trip: movement of elements.
// RUN: modelc-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<3x4xf32>, %y: tensor<2x4xf32>, %v: tensor<f32>) {
  // CHECK: modelc.reshape{{.*}} {shape = array<i64: 2, 6>} : (tensor<3x4xf32>) -> tensor<2x6xf32>
  %0 = modelc.reshape %x {shape = array<i64: 2, 6>} : (tensor<3x4xf32>) -> tensor<2x6xf32>
  // CHECK: modelc.transpose{{.*}} {permutation = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = modelc.transpose %x {permutation = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  // CHECK: modelc.broadcast{{.*}} {shape = array<i64: 2, 3, 4>} : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %2 = modelc.broadcast %x {shape = array<i64: 2, 3, 4>} : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: modelc.slice{{.*}} {sizes = array<i64: 3, 2>, starts = array<i64: 2, 0>, steps = array<i64: -1, 2>} : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %3 = modelc.slice %x {sizes = array<i64: 3, 2>, starts = array<i64: 2, 0>, steps = array<i64: -1, 2>} : (tensor<3x4xf32>) -> tensor<3x2xf32>
  // CHECK: modelc.concat{{.*}} {axis = 0 : i64} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  %4 = modelc.concat %x, %y {axis = 0 : i64} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  // CHECK: modelc.pad{{.*}} {after = array<i64: -1, 0>, before = array<i64: 2, 0>, mode = #modelc<pad_mode reflect>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %5 = modelc.pad %x, %v {after = array<i64: -1, 0>, before = array<i64: 2, 0>, mode = #modelc<pad_mode reflect>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  // CHECK: modelc.iota {axis = 1 : i64, shape = array<i64: 2, 3>, to = f32} : () -> tensor<2x3xf32>
  %6 = modelc.iota {axis = 1 : i64, shape = array<i64: 2, 3>, to = f32} : () -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @indices
func.func @indices(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>, %n: tensor<3xi32>, %t: tensor<5x2xi64>, %s: tensor<5xf32>) {
  // CHECK: modelc.gather{{.*}} {axis = 1 : i64} : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<3x2x3xf32>
  %0 = modelc.gather %x, %i {axis = 1 : i64} : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<3x2x3xf32>
  // CHECK: modelc.gather{{.*}} {axis = 1 : i64, clamped} : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<3x2x3xf32>
  %c = modelc.gather %x, %i {axis = 1 : i64, clamped} : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<3x2x3xf32>
  // CHECK: modelc.gather_elements{{.*}} {axis = 0 : i64} : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  %1 = modelc.gather_elements %x, %i {axis = 0 : i64} : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  // CHECK: modelc.gather_nd{{.*}} {batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<5x2xi64>) -> tensor<5xf32>
  %2 = modelc.gather_nd %x, %t {batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<5x2xi64>) -> tensor<5xf32>
  // CHECK: modelc.scatter_elements{{.*}} {axis = 1 : i64, kind = #modelc<scatter_kind add>} : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
  %3 = modelc.scatter_elements %x, %i, %u {axis = 1 : i64, kind = #modelc<scatter_kind add>} : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
  // CHECK: modelc.scatter_nd{{.*}} {kind = #modelc<scatter_kind max>} : (tensor<3x4xf32>, tensor<5x2xi64>, tensor<5xf32>) -> tensor<3x4xf32>
  %4 = modelc.scatter_nd %x, %t, %s {kind = #modelc<scatter_kind max>} : (tensor<3x4xf32>, tensor<5x2xi64>, tensor<5xf32>) -> tensor<3x4xf32>
  // CHECK: modelc.reverse_sequence{{.*}} {batch_axis = 0 : i64, time_axis = 1 : i64} : (tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  %5 = modelc.reverse_sequence %x, %n {batch_axis = 0 : i64, time_axis = 1 : i64} : (tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @resize
func.func @resize(%x: tensor<1x1x2x2xf32>) {
  // CHECK: modelc.resize{{.*}} {coordinate_mode = #modelc<coordinate_mode half_pixel>, cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation = 0.000000e+00 : f64, mode = #modelc<resize_mode cubic>, nearest_mode = #modelc<nearest_mode floor>, roi = array<f64>, scales = array<f64: 1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00>, sizes = array<i64: 1, 1, 4, 4>} : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  %0 = modelc.resize %x {coordinate_mode = #modelc<coordinate_mode half_pixel>, cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation = 0.000000e+00 : f64, mode = #modelc<resize_mode cubic>, nearest_mode = #modelc<nearest_mode floor>, roi = array<f64>, scales = array<f64: 1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00>, sizes = array<i64: 1, 1, 4, 4>} : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  return
}
