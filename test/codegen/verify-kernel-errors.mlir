// RUN: modelc-opt %s -split-input-file -verify-diagnostics -modelc-verify-kernel

// C1
// expected-error@below {{a kernel module needs a public function}}
module {
}

// -----

// C1
func.func @first() {
  return
}
// expected-error@below {{a kernel module has one public function, and a body for each}}
func.func @second() {
  return
}

// -----

// C2
// expected-error@below {{argument 1 must be a scalar or a memref of static shape and layout, got 'memref<?xf32>'}}
func.func @dynamic(%a: memref<4xf32>, %b: memref<?xf32>) {
  return
}

// -----

// C2
// expected-error@below {{must return nothing or one i32}}
func.func @result() -> f32 {
  %0 = arith.constant 0.0 : f32
  return %0 : f32
}

// -----

// C3
func.func @bool(%a: memref<4xi1>) -> i32 {
  %c0 = arith.constant 0 : index
  // expected-error@below {{a bool in memory is an i8}}
  %0 = memref.load %a[%c0] : memref<4xi1>
  %1 = arith.extui %0 : i1 to i32
  return %1 : i32
}

// -----

// C4
func.func @copy(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-error@below {{'memref.copy' is not allowed: a kernel's memory is its arguments}}
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// -----

// C5
// expected-error@below {{global 'table' must be constant and initialized}}
memref.global "private" @table : memref<4xf32> = dense<1.0>
func.func @global() {
  return
}
