// RUN: modelc-opt %s -split-input-file -modelc-pack-weights | FileCheck %s

// Columns in blocks of what the product's tile holds, a last one that is not full before the others.
// An element is 100 times its row, plus its column.
// CHECK: modelc.kernel @product attributes {packed = array<i64: 1>}
// CHECK-LABEL: func.func @blocks
// CHECK: %[[Y:.*]] = modelc.constant {value = dense<{{\[\[}}1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01, 1.100000e+02, 1.110000e+02, 1.120000e+02, 1.130000e+02, 1.140000e+02, 1.150000e+02, 1.160000e+02, 0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+02, 1.010000e+02, 1.020000e+02, 1.030000e+02, 1.040000e+02, 1.050000e+02, 1.060000e+02, 1.070000e+02, 1.080000e+02, 1.090000e+02]]> : tensor<2x17xf64>}
// CHECK-NEXT: modelc.launch @product(%{{.*}}, %[[Y]])
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
modelc.kernel @product {
^bb0(%x: tensor<1x2xf64>, %y: tensor<2x17xf64>):
  %0 = modelc.matmul %x, %y : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  modelc.yield %0 : tensor<1x17xf64>
}
func.func @blocks(%x: tensor<1x2xf64>) -> tensor<1x17xf64> {
  %y = modelc.constant {value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0, 110.0, 111.0, 112.0, 113.0, 114.0, 115.0, 116.0]]> : tensor<2x17xf64>} : () -> tensor<2x17xf64>
  %0 = modelc.launch @product(%x, %y) : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  return %0 : tensor<1x17xf64>
}
}

// -----

// Every launch of a kernel has packed weights; equal elements are in every order, and a constant
// with other readers stays.
// CHECK: modelc.kernel @product attributes {packed = array<i64: 1>}
// CHECK-LABEL: func.func @launches
// CHECK-DAG: %[[PLAIN:.*]] = modelc.constant {value = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01], [1.000000e+02, 1.010000e+02, 1.020000e+02, 1.030000e+02, 1.040000e+02, 1.050000e+02, 1.060000e+02, 1.070000e+02, 1.080000e+02, 1.090000e+02, 1.100000e+02, 1.110000e+02, 1.120000e+02, 1.130000e+02, 1.140000e+02, 1.150000e+02, 1.160000e+02]]> : tensor<2x17xf64>}
// CHECK-DAG: %[[Y:.*]] = modelc.constant {value = dense<{{\[\[}}1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01, 1.100000e+02, 1.110000e+02, 1.120000e+02, 1.130000e+02, 1.140000e+02, 1.150000e+02, 1.160000e+02, 0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+02, 1.010000e+02, 1.020000e+02, 1.030000e+02, 1.040000e+02, 1.050000e+02, 1.060000e+02, 1.070000e+02, 1.080000e+02, 1.090000e+02]]> : tensor<2x17xf64>}
// CHECK-DAG: %[[SPLAT:.*]] = modelc.constant {value = dense<3.000000e+00> : tensor<2x17xf64>}
// CHECK: modelc.launch @product(%{{.*}}, %[[Y]])
// CHECK: modelc.launch @product(%{{.*}}, %[[SPLAT]])
// CHECK: return %{{.*}}, %{{.*}}, %[[PLAIN]]
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
modelc.kernel @product {
^bb0(%x: tensor<1x2xf64>, %y: tensor<2x17xf64>):
  %0 = modelc.matmul %x, %y : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  modelc.yield %0 : tensor<1x17xf64>
}
func.func @launches(%x: tensor<1x2xf64>) -> (tensor<1x17xf64>, tensor<1x17xf64>, tensor<2x17xf64>) {
  %y = modelc.constant {value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0, 110.0, 111.0, 112.0, 113.0, 114.0, 115.0, 116.0]]> : tensor<2x17xf64>} : () -> tensor<2x17xf64>
  %z = modelc.constant {value = dense<3.0> : tensor<2x17xf64>} : () -> tensor<2x17xf64>
  %0 = modelc.launch @product(%x, %y) : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  %1 = modelc.launch @product(%x, %z) : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  return %0, %1, %y : tensor<1x17xf64>, tensor<1x17xf64>, tensor<2x17xf64>
}
}

// -----

// One launch brings a matrix that is computed when the model runs.
// CHECK-NOT: packed
// CHECK: modelc.constant {value = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01], [1.000000e+02, 1.010000e+02, 1.020000e+02, 1.030000e+02, 1.040000e+02, 1.050000e+02, 1.060000e+02, 1.070000e+02, 1.080000e+02, 1.090000e+02, 1.100000e+02, 1.110000e+02, 1.120000e+02, 1.130000e+02, 1.140000e+02, 1.150000e+02, 1.160000e+02]]>
module attributes {modelc.target = #modelc.target<name = "t", vectorBytes = 16, vectorRegisters = 16, hasFma = true, pointerBits = 64>} {
modelc.kernel @product {
^bb0(%x: tensor<1x2xf64>, %y: tensor<2x17xf64>):
  %0 = modelc.matmul %x, %y : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  modelc.yield %0 : tensor<1x17xf64>
}
func.func @computed(%x: tensor<1x2xf64>, %m: tensor<2x17xf64>) -> (tensor<1x17xf64>, tensor<1x17xf64>) {
  %y = modelc.constant {value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0, 110.0, 111.0, 112.0, 113.0, 114.0, 115.0, 116.0]]> : tensor<2x17xf64>} : () -> tensor<2x17xf64>
  %0 = modelc.launch @product(%x, %y) : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  %1 = modelc.launch @product(%x, %m) : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  return %0, %1 : tensor<1x17xf64>, tensor<1x17xf64>
}
}

// -----

// Nobody says how wide vectors are.
// CHECK-NOT: packed
modelc.kernel @product {
^bb0(%x: tensor<1x2xf64>, %y: tensor<2x17xf64>):
  %0 = modelc.matmul %x, %y : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  modelc.yield %0 : tensor<1x17xf64>
}
func.func @no_target(%x: tensor<1x2xf64>) -> tensor<1x17xf64> {
  %y = modelc.constant {value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0, 110.0, 111.0, 112.0, 113.0, 114.0, 115.0, 116.0]]> : tensor<2x17xf64>} : () -> tensor<2x17xf64>
  %0 = modelc.launch @product(%x, %y) : (tensor<1x2xf64>, tensor<2x17xf64>) -> tensor<1x17xf64>
  return %0 : tensor<1x17xf64>
}
