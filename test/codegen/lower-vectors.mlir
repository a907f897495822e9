// RUN: modelc-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(modelc-lower-vectors))' | FileCheck %s

// Rows become 1-D loads and stores, without loops or buffers.
// CHECK-LABEL: func @transfers
func.func @transfers(%a: memref<2x8xf32>, %b: memref<2x8xf32>) {
  // CHECK-COUNT-2: vector.load %{{.*}} : memref<2x8xf32>, vector<8xf32>
  // CHECK-COUNT-2: vector.store %{{.*}} : memref<2x8xf32>, vector<8xf32>
  // CHECK-NOT: memref.alloca
  // CHECK-NOT: scf.for
  // CHECK: return
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<2x8xf32>, vector<2x8xf32>
  vector.transfer_write %0, %b[%c0, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, memref<2x8xf32>
  return
}

// -----

// CHECK-LABEL: func @contraction
func.func @contraction(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<2x4xf32>) -> vector<2x4xf32> {
  // CHECK-COUNT-6: vector.fma %{{.*}} : vector<4xf32>
  // CHECK-NOT: vector.contract
  %0 = vector.contract {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
