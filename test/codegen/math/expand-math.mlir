// RUN: modelc-opt %s --modelc-expand-math --split-input-file | FileCheck %s
// RUN: modelc-opt %s --modelc-expand-math='has-fma=false has-round=false has-sqrt=false' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=NONE

// Whatever the function, only operations that the target has are left.
// CHECK-LABEL: @exp
// CHECK-NOT: math.exp
// CHECK: math.fma
// CHECK-NOT: fastmath
// NONE-LABEL: @exp
// NONE-NOT: math.
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// -----

// CHECK-LABEL: @rsqrt
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<5xf64>
// CHECK: %[[ROOT:.*]] = math.sqrt %{{.*}} : vector<5xf64>
// CHECK: arith.divf %[[ONE]], %[[ROOT]]
// NONE-LABEL: @rsqrt
// NONE-NOT: math.
// NONE: return
func.func @rsqrt(%x: vector<5xf64>) -> vector<5xf64> {
  %0 = math.rsqrt %x : vector<5xf64>
  return %0 : vector<5xf64>
}

// -----

// CHECK-LABEL: @half
// CHECK-SAME: %[[X:.*]]: f16
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK-NOT: math.log
// CHECK: %[[RESULT:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK: return %[[RESULT]]
func.func @half(%x: f16) -> f16 {
  %0 = math.log %x : f16
  return %0 : f16
}

// -----

// CHECK-LABEL: @native
// CHECK: math.fma
// CHECK: math.floor
// CHECK: math.roundeven
// CHECK: math.copysign
// CHECK: math.ctlz
// NONE-LABEL: @native
// NONE: arith.mulf
// NONE: arith.addf
// NONE-NOT: math.floor
// NONE-NOT: math.roundeven
// NONE: math.copysign
// NONE: math.ctlz
func.func @native(%x: f32, %y: f32, %n: i32) -> (f32, f32, i32) {
  %0 = math.fma %x, %y, %x : f32
  %1 = math.floor %0 : f32
  %2 = math.roundeven %1 : f32
  %3 = math.copysign %2, %y : f32
  %4 = math.ctlz %n : i32
  return %2, %3, %4 : f32, f32, i32
}

// -----

// 128-bit floats are for nobody's product.
// CHECK-LABEL: @unknown
// CHECK: math.exp
func.func @unknown(%x: f128) -> f128 {
  %0 = math.exp %x : f128
  return %0 : f128
}
