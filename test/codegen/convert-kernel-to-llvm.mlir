// RUN: modelc-opt %s -modelc-convert-kernel-to-llvm | FileCheck %s
// RUN: modelc-opt %s -modelc-convert-kernel-to-llvm=index-bits=32 | FileCheck %s --check-prefix=NARROW

// Memrefs are bare pointers; the index is as wide as the option says.
// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// NARROW-LABEL: llvm.func @kernel
func.func @kernel(%a: memref<8x16xf32>, %b: memref<8x16xf32>) {
  // CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // NARROW: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  // CHECK-NOT: memref
  // NARROW-NOT: i64) -> !llvm.ptr
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.load %a[%c1, %c2] : memref<8x16xf32>, vector<4xf32>
  vector.store %0, %b[%c1, %c2] : memref<8x16xf32>, vector<4xf32>
  return
}
