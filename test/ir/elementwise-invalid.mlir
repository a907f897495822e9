// Constraints of elementwise ops and quantization, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @add_c1_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected shapes that broadcast, got [2] and [3]}}
  %0 = modelc.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @add_c1_too_many_elements(%x: tensor<1099511627776x1xf32>, %y: tensor<1099511627776xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{tensor of shape [1099511627776, 1099511627776] has too many elements}}
  %0 = modelc.add %x, %y : (tensor<1099511627776x1xf32>, tensor<1099511627776xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c1_result_shape(%x: tensor<2x1xf32>, %y: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{are incompatible with return type(s) of operation}}
  %0 = modelc.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @add_c2_element_types(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'f32' and 'f64'}}
  %0 = modelc.add %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @pow_c2_result(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{are incompatible with return type(s) of operation}}
  %0 = modelc.pow %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @less_c2_element_types(%x: tensor<4xi8>, %y: tensor<4xui8>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'i8' and 'ui8'}}
  %0 = modelc.less %x, %y : (tensor<4xi8>, tensor<4xui8>) -> tensor<4xi1>
  return
}

// -----

func.func @select_c2_branches(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'f32' and 'f16'}}
  %0 = modelc.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_condition(%c: tensor<4xi8>, %x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@below {{operand #0 must be ranked tensor of 1-bit signless integer values}}
  %0 = modelc.select %c, %x, %y : (tensor<4xi8>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clip_c2_limits(%x: tensor<4xf32>, %l: tensor<i32>, %h: tensor<f32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'f32' and 'i32'}}
  %0 = modelc.clip %x, %l, %h : (tensor<4xf32>, tensor<i32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sigmoid_c2_integers(%x: tensor<4xi32>) {
  // expected-error@below {{operand #0 must be ranked tensor of floating-point values}}
  %0 = modelc.sigmoid %x : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @sqrt_c2_integers(%x: tensor<4xi32>) {
  // expected-error@below {{operand #0 must be ranked tensor of floating-point values}}
  %0 = modelc.sqrt %x : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @and_c2_floats(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@below {{operand #0 must be ranked tensor of integer values}}
  %0 = modelc.and %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @shift_left_c2_floats(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@below {{operand #0 must be ranked tensor of integer values}}
  %0 = modelc.shift_left %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @is_nan_c2_integers(%x: tensor<4xi8>) {
  // expected-error@below {{operand #0 must be ranked tensor of floating-point values}}
  %0 = modelc.is_nan %x : (tensor<4xi8>) -> tensor<4xi1>
  return
}

// -----

func.func @cast_c2_to(%x: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an integer or float type, got 'index'}}
  %0 = modelc.cast %x {to = index} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cast_c2_no_to(%x: tensor<4xf32>) {
  // expected-error@below {{requires attribute 'to'}}
  %0 = modelc.cast %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @leaky_relu_no_alpha(%x: tensor<4xf32>) {
  // expected-error@below {{requires attribute 'alpha'}}
  %0 = modelc.leaky_relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @quantize_c2_zero_point(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<f32>) {
  // expected-error@below {{operand #2 must be ranked tensor of integer values}}
  %0 = modelc.quantize %x, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @dequantize_c2_zero_point(%x: tensor<4xi8>, %s: tensor<f32>, %z: tensor<ui8>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types, got 'i8' and 'ui8'}}
  %0 = modelc.dequantize %x, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  return
}
