// RUN: modelc-opt %s -modelc-merge-kernels | FileCheck %s

// Equal but for names and locations.
// CHECK: modelc.kernel @relu
// CHECK-NOT: modelc.kernel @same
modelc.kernel @relu {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("first")
  modelc.yield %0 : tensor<4xf32>
}
modelc.kernel @same {
^bb0(%other: tensor<4xf32>):
  %y = modelc.relu %other : (tensor<4xf32>) -> tensor<4xf32> loc("second")
  modelc.yield %y : tensor<4xf32>
}

// Another op, another type, another attribute, another operand, another place
// of the result: other functions.
// CHECK: modelc.kernel @other_op
modelc.kernel @other_op {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
// CHECK: modelc.kernel @other_type
modelc.kernel @other_type {
^bb0(%x: tensor<5xf32>):
  %0 = modelc.relu %x : (tensor<5xf32>) -> tensor<5xf32>
  modelc.yield %0 : tensor<5xf32>
}
// CHECK: modelc.kernel @elu_1
modelc.kernel @elu_1 {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.elu %x {alpha = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
// CHECK: modelc.kernel @elu_2
modelc.kernel @elu_2 {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.elu %x {alpha = 2.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
// CHECK: modelc.kernel @x_minus_y
modelc.kernel @x_minus_y {
^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
  %0 = modelc.sub %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
// CHECK: modelc.kernel @y_minus_x
modelc.kernel @y_minus_x {
^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
  %0 = modelc.sub %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}
// CHECK: modelc.kernel @in_place attributes {in_place = array<i64: 0>}
modelc.kernel @in_place attributes {in_place = array<i64: 0>} {
^bb0(%x: tensor<4xf32>):
  %0 = modelc.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  modelc.yield %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: modelc.launch @relu(
  // CHECK: modelc.launch @relu(
  // CHECK: modelc.launch @in_place(
  // CHECK: modelc.launch @elu_2(
  // CHECK: modelc.launch @y_minus_x(
  %0 = modelc.launch @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = modelc.launch @same(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = modelc.launch @in_place(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = modelc.launch @elu_2(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = modelc.launch @y_minus_x(%3, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
