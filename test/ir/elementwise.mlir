// Round trip: elementwise ops and quantization.
// RUN: modelc-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @functions_of_one_operand
func.func @functions_of_one_operand(%x: tensor<4xf32>) {
  // CHECK: modelc.abs{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = modelc.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.neg{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = modelc.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.sign{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = modelc.sign %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.reciprocal{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = modelc.reciprocal %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.sqrt{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = modelc.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.exp{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = modelc.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.log{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = modelc.log %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.sin{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %7 = modelc.sin %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.cos{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %8 = modelc.cos %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.tan{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %9 = modelc.tan %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.asin{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %10 = modelc.asin %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.acos{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %11 = modelc.acos %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.atan{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %12 = modelc.atan %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.sinh{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %13 = modelc.sinh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.cosh{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %14 = modelc.cosh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.tanh{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %15 = modelc.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.asinh{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %16 = modelc.asinh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.acosh{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %17 = modelc.acosh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.atanh{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %18 = modelc.atanh %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.erf{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %19 = modelc.erf %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.floor{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %20 = modelc.floor %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.ceil{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %21 = modelc.ceil %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.round{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %22 = modelc.round %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.relu{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %23 = modelc.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.sigmoid{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %24 = modelc.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.softplus{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %25 = modelc.softplus %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.softsign{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %26 = modelc.softsign %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.hard_swish{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %27 = modelc.hard_swish %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @operands_broadcast
func.func @operands_broadcast(%x: tensor<2x1xf32>, %y: tensor<3xf32>) {
  // CHECK: modelc.add{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = modelc.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.sub{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = modelc.sub %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.mul{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = modelc.mul %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.div{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = modelc.div %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.mod{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = modelc.mod %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.fmod{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %5 = modelc.fmod %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.max{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %6 = modelc.max %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.min{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %7 = modelc.min %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: modelc.prelu{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %8 = modelc.prelu %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @comparisons_give_booleans
func.func @comparisons_give_booleans(%x: tensor<4xui8>, %y: tensor<ui8>) {
  // CHECK: modelc.equal{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  %0 = modelc.equal %x, %y : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  // CHECK: modelc.less{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  %1 = modelc.less %x, %y : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  // CHECK: modelc.less_equal{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  %2 = modelc.less_equal %x, %y : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  // CHECK: modelc.greater{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  %3 = modelc.greater %x, %y : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  // CHECK: modelc.greater_equal{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  %4 = modelc.greater_equal %x, %y : (tensor<4xui8>, tensor<ui8>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @bits
func.func @bits(%x: tensor<4xi32>, %b: tensor<4xi1>) {
  // CHECK: modelc.and{{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %0 = modelc.and %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: modelc.or{{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = modelc.or %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: modelc.xor{{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = modelc.xor %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: modelc.shift_left{{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = modelc.shift_left %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: modelc.shift_right{{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %4 = modelc.shift_right %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: modelc.not{{.*}} : (tensor<4xi1>) -> tensor<4xi1>
  %5 = modelc.not %b : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%x: tensor<4xf32>) {
  // CHECK: modelc.leaky_relu{{.*}} {alpha = 1.000000e-01 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = modelc.leaky_relu %x {alpha = 1.000000e-01 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.elu{{.*}} {alpha = 1.000000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = modelc.elu %x {alpha = 1.000000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.hard_sigmoid{{.*}} {alpha = 2.000000e-01 : f64, beta = 5.000000e-01 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = modelc.hard_sigmoid %x {alpha = 2.000000e-01 : f64, beta = 5.000000e-01 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.gelu{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = modelc.gelu %x : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.gelu{{.*}} {approximate} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = modelc.gelu %x {approximate} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: modelc.is_nan{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %5 = modelc.is_nan %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: modelc.is_inf{{.*}} {negative = true, positive = false} : (tensor<4xf32>) -> tensor<4xi1>
  %6 = modelc.is_inf %x {negative = true, positive = false} : (tensor<4xf32>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @mixed_element_types
func.func @mixed_element_types(%x: tensor<4xf32>, %c: tensor<4xi1>, %s: tensor<f32>, %z: tensor<i8>, %q: tensor<4xi8>, %n: tensor<i64>) {
  // CHECK: modelc.pow{{.*}} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  %0 = modelc.pow %x, %n : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  // CHECK: modelc.clip{{.*}} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %1 = modelc.clip %x, %s, %s : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: modelc.select{{.*}} : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = modelc.select %c, %x, %s : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: modelc.cast{{.*}} {to = bf16} : (tensor<4xf32>) -> tensor<4xbf16>
  %3 = modelc.cast %x {to = bf16} : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: modelc.quantize{{.*}} : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %4 = modelc.quantize %x, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  // CHECK: modelc.dequantize{{.*}} : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %5 = modelc.dequantize %q, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  return
}
