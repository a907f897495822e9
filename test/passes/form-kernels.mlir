// RUN: modelc-opt %s -split-input-file -modelc-form-kernels | FileCheck %s

// A tree of elementwise and movement ops is one kernel.
// CHECK: modelc.kernel @kernel_0
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<2x4xf32>, %[[Y:.*]]: tensor<4x2xf32>):
// CHECK-DAG: %[[T:.*]] = modelc.transpose %[[Y]]
// CHECK-DAG: %[[E:.*]] = modelc.exp %[[X]]
// CHECK: %[[R:.*]] = modelc.add %[[E]], %[[T]]
// CHECK-NEXT: modelc.yield %[[R]]
// CHECK-NOT: modelc.kernel
// CHECK-LABEL: func.func @tree
// CHECK-SAME: (%[[A:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<4x2xf32>)
func.func @tree(%x: tensor<2x4xf32>, %y: tensor<4x2xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: %[[L:.*]] = modelc.launch @kernel_0(%[[A]], %[[B]])
  // CHECK-NEXT: return %[[L]]
  %0 = modelc.exp %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = modelc.transpose %y {permutation = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %2 = modelc.add %0, %1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// Elementwise ops on a product's result join its kernel; splats are no memory.
// CHECK: modelc.kernel @kernel_0
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<2x3xf32>, %{{.*}}: tensor<3x4xf32>, %{{.*}}: tensor<4xf32>):
// CHECK: modelc.matmul
// CHECK: modelc.add
// CHECK: modelc.constant
// CHECK: modelc.max
// CHECK-NEXT: modelc.yield
// CHECK-NOT: modelc.kernel
// CHECK-LABEL: func.func @epilogue
func.func @epilogue(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: modelc.launch @kernel_0
  // CHECK-NEXT: return
  %zero = modelc.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %0 = modelc.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = modelc.add %0, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = modelc.max %1, %zero : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// Two products: each has its own loops.
// CHECK-COUNT-2: modelc.kernel
// CHECK-LABEL: func.func @two_loops
func.func @two_loops(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // CHECK-COUNT-2: modelc.launch
  // CHECK-NEXT: return
  %0 = modelc.matmul %x, %x : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = modelc.matmul %0, %x : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// -----

// A product reads its operands many times: a producer stays outside.
// CHECK: modelc.kernel @kernel_0
// CHECK: modelc.exp
// CHECK: modelc.kernel @kernel_1
// CHECK: modelc.matmul
// CHECK-LABEL: func.func @producer_of_a_product
func.func @producer_of_a_product(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = modelc.exp %x : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = modelc.matmul %0, %0 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// -----

// A reduction reads each element once: a producer goes inside.
// CHECK: modelc.kernel @kernel_0
// CHECK: modelc.mul
// CHECK-NEXT: modelc.reduce
// CHECK-NEXT: modelc.yield
// CHECK-NOT: modelc.kernel
// CHECK-LABEL: func.func @producer_of_a_reduction
func.func @producer_of_a_reduction(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %0 = modelc.mul %x, %x : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = modelc.reduce %0 {kind = #modelc<reduce_kind sum>, axes = array<i64: 1>, keep_dims = false} : (tensor<3x4xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// Reshapes and contiguous slices only name memory; others move elements.
// CHECK-COUNT-3: modelc.kernel
// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<4x6xf32>) -> (tensor<12xf32>, tensor<4x3xf32>) {
  // CHECK: %[[E:.*]] = modelc.launch
  // CHECK: %[[S:.*]] = modelc.slice %[[E]]
  // CHECK: %[[R:.*]] = modelc.reshape %[[S]]
  // CHECK: modelc.launch @{{.*}}(%[[R]])
  // CHECK: modelc.launch @{{.*}}(%[[E]])
  %0 = modelc.exp %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = modelc.slice %0 {starts = array<i64: 1, 0>, sizes = array<i64: 2, 6>, steps = array<i64: 1, 1>} : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %2 = modelc.reshape %1 {shape = array<i64: 12>} : (tensor<2x6xf32>) -> tensor<12xf32>
  %3 = modelc.log %2 : (tensor<12xf32>) -> tensor<12xf32>
  %4 = modelc.slice %0 {starts = array<i64: 0, 3>, sizes = array<i64: 4, 3>, steps = array<i64: 1, 1>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return %3, %4 : tensor<12xf32>, tensor<4x3xf32>
}

// -----

// A value that is computed once and read at many positions stays in memory.
// CHECK: modelc.kernel @kernel_0
// CHECK: modelc.exp
// CHECK: modelc.kernel @kernel_1
// CHECK: modelc.add
// CHECK-LABEL: func.func @small_operand
func.func @small_operand(%x: tensor<1000x4xf32>, %y: tensor<4xf32>) -> tensor<1000x4xf32> {
  %0 = modelc.exp %y : (tensor<4xf32>) -> tensor<4xf32>
  %1 = modelc.add %x, %0 : (tensor<1000x4xf32>, tensor<4xf32>) -> tensor<1000x4xf32>
  return %1 : tensor<1000x4xf32>
}

// -----

// Each value is used twice: the ways from the product to the result double with
// every op, the time to find them must not.
// CHECK: modelc.kernel @kernel_0
// CHECK: modelc.matmul
// CHECK-COUNT-30: modelc.add
// CHECK-NEXT: modelc.yield
// CHECK-NOT: modelc.kernel
// CHECK-LABEL: func.func @many_ways
func.func @many_ways(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = modelc.matmul %x, %x : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = modelc.add %0, %0 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = modelc.add %1, %1 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %3 = modelc.add %2, %2 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %4 = modelc.add %3, %3 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %5 = modelc.add %4, %4 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %6 = modelc.add %5, %5 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %7 = modelc.add %6, %6 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %8 = modelc.add %7, %7 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %9 = modelc.add %8, %8 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %10 = modelc.add %9, %9 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %11 = modelc.add %10, %10 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %12 = modelc.add %11, %11 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %13 = modelc.add %12, %12 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %14 = modelc.add %13, %13 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %15 = modelc.add %14, %14 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %16 = modelc.add %15, %15 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %17 = modelc.add %16, %16 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %18 = modelc.add %17, %17 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %19 = modelc.add %18, %18 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %20 = modelc.add %19, %19 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %21 = modelc.add %20, %20 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %22 = modelc.add %21, %21 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %23 = modelc.add %22, %22 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %24 = modelc.add %23, %23 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %25 = modelc.add %24, %24 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %26 = modelc.add %25, %25 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %27 = modelc.add %26, %26 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %28 = modelc.add %27, %27 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %29 = modelc.add %28, %28 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %30 = modelc.add %29, %29 : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %30 : tensor<3x3xf32>
}
