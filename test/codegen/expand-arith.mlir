// RUN: modelc-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(modelc-expand-arith))' | FileCheck %s
// RUN: modelc-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(modelc-expand-arith{has-fma=false has-min-max=false}))' | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: func @fma
// PLAIN-LABEL: func @fma
func.func @fma(%a: vector<8xf32>, %b: f32) -> (vector<8xf32>, f32) {
  // CHECK: math.fma %{{.*}} : vector<8xf32>
  // PLAIN: %[[P:.*]] = arith.mulf
  // PLAIN: arith.addf %[[P]],
  // PLAIN-NOT: math.fma
  %0 = vector.fma %a, %a, %a : vector<8xf32>
  %1 = math.fma %b, %b, %b : f32
  return %0, %1 : vector<8xf32>, f32
}

// -----

// Halves first, the accumulator last.
// CHECK-LABEL: func @reduction
// CHECK-SAME: %[[V:.*]]: vector<4xf32>, %[[ACC:.*]]: f32
func.func @reduction(%v: vector<4xf32>, %acc: f32) -> f32 {
  // CHECK: %[[LOW:.*]] = vector.extract_strided_slice %[[V]] {offsets = [0], sizes = [2]
  // CHECK: %[[HIGH:.*]] = vector.extract_strided_slice %[[V]] {offsets = [2], sizes = [2]
  // CHECK: %[[SUM:.*]] = arith.addf %[[LOW]], %[[HIGH]] : vector<2xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} : vector<1xf32>
  // CHECK: %[[R:.*]] = arith.addf %{{.*}}, %[[ACC]] : f32
  // CHECK: return %[[R]]
  %0 = vector.reduction <add>, %v, %acc : vector<4xf32> into f32
  return %0 : f32
}

// -----

// The order does not matter: left to LLVM.
// CHECK-LABEL: func @integer_reduction
func.func @integer_reduction(%v: vector<4xi32>) -> i32 {
  // CHECK: vector.reduction <add>
  %0 = vector.reduction <add>, %v : vector<4xi32> into i32
  return %0 : i32
}

// -----

// CHECK-LABEL: func @maximum
// PLAIN-LABEL: func @maximum
func.func @maximum(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK: arith.maximumf
  // CHECK: arith.minnumf
  // PLAIN: arith.cmpf uge
  // PLAIN: arith.select
  // PLAIN: arith.cmpf uno
  // PLAIN: arith.cmpf ole, %{{.*}} fastmath<nnan>
  // PLAIN-NOT: arith.cmpf
  // PLAIN: return
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minnumf %a, %b fastmath<nnan> : f32
  return %0, %1 : f32, f32
}
