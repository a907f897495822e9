// RUN: modelc-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(modelc-expand-half))' | FileCheck %s
// RUN: modelc-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(modelc-expand-half{has-f16-convert=false}))' | FileCheck %s --check-prefix=BITS

// CHECK-LABEL: func @add
// BITS-LABEL: func @add
func.func @add(%a: vector<4xf16>) -> vector<4xf16> {
  // CHECK: %[[X:.*]] = arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
  // CHECK: %[[S:.*]] = arith.addf %[[X]], %{{.*}} : vector<4xf32>
  // CHECK: arith.truncf %[[S]] : vector<4xf32> to vector<4xf16>
  // BITS-NOT: arith.extf
  // BITS-NOT: arith.truncf
  // BITS: return
  %0 = arith.addf %a, %a : vector<4xf16>
  return %0 : vector<4xf16>
}

// -----

// CHECK-LABEL: func @math
func.func @math(%a: f16) -> f16 {
  // CHECK: math.exp %{{.*}} : f32
  %0 = math.exp %a : f16
  return %0 : f16
}

// -----

// Comparisons keep their result, selections and constants need no arithmetic.
// CHECK-LABEL: func @relu
func.func @relu(%a: f16) -> f16 {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
  // CHECK: %[[C:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
  // CHECK: arith.select %[[C]], %{{.*}}, %{{.*}} : f16
  %zero = arith.constant 0.0 : f16
  %c = arith.cmpf ogt, %a, %zero : f16
  %0 = arith.select %c, %a, %zero : f16
  return %0 : f16
}

// -----

// bf16 has no instruction anywhere: always integer code.
// CHECK-LABEL: func @bf16
func.func @bf16(%a: f32) -> bf16 {
  // CHECK-NOT: arith.truncf
  // CHECK: arith.bitcast %{{.*}} : i16 to bf16
  %0 = arith.truncf %a : f32 to bf16
  return %0 : bf16
}

// -----

// Rounded to odd on the way.
// CHECK-LABEL: func @double
func.func @double(%a: f64) -> f16 {
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK: arith.ori
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = arith.truncf %a : f64 to f16
  return %0 : f16
}

// -----

// CHECK-LABEL: func @untouched
func.func @untouched(%a: f32) -> f64 {
  // CHECK: arith.addf %{{.*}} : f32
  // CHECK-NEXT: arith.extf %{{.*}} : f32 to f64
  %0 = arith.addf %a, %a : f32
  %1 = arith.extf %0 : f32 to f64
  return %1 : f64
}
