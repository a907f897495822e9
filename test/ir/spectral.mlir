// Round trip: Fourier transforms.
// RUN: modelc-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @dft
func.func @dft(%x: tensor<3x8x1xf32>, %c: tensor<2x9x2xf64>) {
  // CHECK: modelc.dft %{{.*}} {length = 8 : i64, onesided} : (tensor<3x8x1xf32>) -> tensor<3x5x2xf32>
  %0 = modelc.dft %x {length = 8 : i64, onesided} : (tensor<3x8x1xf32>) -> tensor<3x5x2xf32>
  // CHECK: modelc.dft %{{.*}} {length = 12 : i64} : (tensor<3x8x1xf32>) -> tensor<3x12x2xf32>
  %1 = modelc.dft %x {length = 12 : i64} : (tensor<3x8x1xf32>) -> tensor<3x12x2xf32>
  // CHECK: modelc.dft %{{.*}} {inverse, length = 9 : i64} : (tensor<2x9x2xf64>) -> tensor<2x9x2xf64>
  %2 = modelc.dft %c {inverse, length = 9 : i64} : (tensor<2x9x2xf64>) -> tensor<2x9x2xf64>
  // CHECK: modelc.dft %{{.*}} {inverse, length = 16 : i64, onesided} : (tensor<2x9x2xf64>) -> tensor<2x16x1xf64>
  %3 = modelc.dft %c {inverse, length = 16 : i64, onesided} : (tensor<2x9x2xf64>) -> tensor<2x16x1xf64>
  return
}

// CHECK-LABEL: func.func @stft
func.func @stft(%x: tensor<1x21x1xf32>, %c: tensor<1x21x2xf32>, %w: tensor<8xf32>) {
  // CHECK: modelc.stft %{{.*}} {frame_step = 4 : i64, onesided} : (tensor<1x21x1xf32>, tensor<8xf32>) -> tensor<1x4x5x2xf32>
  %0 = modelc.stft %x, %w {frame_step = 4 : i64, onesided} : (tensor<1x21x1xf32>, tensor<8xf32>) -> tensor<1x4x5x2xf32>
  // CHECK: modelc.stft %{{.*}} {frame_step = 13 : i64} : (tensor<1x21x2xf32>, tensor<8xf32>) -> tensor<1x2x8x2xf32>
  %1 = modelc.stft %c, %w {frame_step = 13 : i64} : (tensor<1x21x2xf32>, tensor<8xf32>) -> tensor<1x2x8x2xf32>
  return
}

// CHECK-LABEL: func.func @istft
func.func @istft(%x: tensor<1x4x5x2xf32>, %w: tensor<8xf32>) {
  // CHECK: modelc.istft %{{.*}} {frame_step = 4 : i64, normalize} : (tensor<1x4x5x2xf32>, tensor<8xf32>) -> tensor<1x20xf32>
  %0 = modelc.istft %x, %w {frame_step = 4 : i64, normalize} : (tensor<1x4x5x2xf32>, tensor<8xf32>) -> tensor<1x20xf32>
  // CHECK: modelc.istft %{{.*}} {frame_step = 10 : i64} : (tensor<1x4x5x2xf32>, tensor<8xf32>) -> tensor<1x38xf32>
  %1 = modelc.istft %x, %w {frame_step = 10 : i64} : (tensor<1x4x5x2xf32>, tensor<8xf32>) -> tensor<1x38xf32>
  return
}
