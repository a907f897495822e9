// Constraints of movement of elements, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @reshape_c1_negative(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected extents that are not negative, got [12, -1]}}
  %0 = modelc.reshape %x {shape = array<i64: 12, -1>} : (tensor<3x4xf32>) -> tensor<12xf32>
  return
}

// -----

func.func @reshape_c2_count(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot reshape [3, 4] to [13]: different element counts}}
  %0 = modelc.reshape %x {shape = array<i64: 13>} : (tensor<3x4xf32>) -> tensor<13xf32>
  return
}

// -----

func.func @transpose_c1_repeated(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a permutation of 2 dimensions, got [0, 0]}}
  %0 = modelc.transpose %x {permutation = array<i64: 0, 0>} : (tensor<3x4xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose_c1_range(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a permutation of 2 dimensions, got [0, 2]}}
  %0 = modelc.transpose %x {permutation = array<i64: 0, 2>} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @transpose_c1_count(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a permutation of 2 dimensions, got [0]}}
  %0 = modelc.transpose %x {permutation = array<i64: 0>} : (tensor<3x4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_c1_shape(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot broadcast [3, 4] to [3, 5]}}
  %0 = modelc.broadcast %x {shape = array<i64: 3, 5>} : (tensor<3x4xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @broadcast_c1_smaller(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot broadcast [3, 4] to [4]}}
  %0 = modelc.broadcast %x {shape = array<i64: 4>} : (tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_too_many_elements(%x: tensor<f32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{tensor of shape [1099511627776, 16777216] has too many elements}}
  %0 = modelc.broadcast %x {shape = array<i64: 1099511627776, 16777216>} : (tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_c1_count(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected one slice per dimension}}
  %0 = modelc.slice %x {starts = array<i64: 0>, sizes = array<i64: 1, 1>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_start(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{slice of dimension 1 (start 4, size 1, step 1) leaves its extent 4}}
  %0 = modelc.slice %x {starts = array<i64: 0, 4>, sizes = array<i64: 1, 1>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_end(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{slice of dimension 0 (start 1, size 3, step 1) leaves its extent 3}}
  %0 = modelc.slice %x {starts = array<i64: 1, 0>, sizes = array<i64: 3, 1>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_backwards(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{slice of dimension 0 (start 1, size 3, step -1) leaves its extent 3}}
  %0 = modelc.slice %x {starts = array<i64: 1, 0>, sizes = array<i64: 3, 1>, steps = array<i64: -1, 1>} : (tensor<3x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_no_step(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{slice of dimension 0 (start 0, size 1, step 0) leaves its extent 3}}
  %0 = modelc.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 1, 1>, steps = array<i64: 0, 1>} : (tensor<3x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_size(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{slice of dimension 0 (start 0, size -1, step 1) leaves its extent 3}}
  %0 = modelc.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: -1, 1>, steps = array<i64: 1, 1>} : (tensor<3x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_smallest_integer(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{slice of dimension 0 (start 0, size 1, step -9223372036854775808) leaves its extent 3}}
  %0 = modelc.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 1, 1>, steps = array<i64: -9223372036854775808, 1>} : (tensor<3x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @iota_c1_axis() {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..0, got 1}}
  %0 = modelc.iota {shape = array<i64: 4>, axis = 1 : i64, to = i64} : () -> tensor<4xi64>
  return
}

// -----

func.func @iota_c1_to() {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an integer or float type, got 'index'}}
  %0 = modelc.iota {shape = array<i64: 4>, axis = 0 : i64, to = index} : () -> tensor<4xi64>
  return
}

// -----

func.func @concat_c1_axis(%x: tensor<3x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got 2}}
  %0 = modelc.concat %x {axis = 2 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @concat_c1_no_operand() {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an operand}}
  %0 = modelc.concat {axis = 0 : i64} : () -> tensor<3x4xf32>
  return
}

// -----

func.func @concat_c2_extents(%x: tensor<3x4xf32>, %y: tensor<3x5xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot concatenate 'tensor<3x4xf32>' and 'tensor<3x5xf32>' along axis 0}}
  %0 = modelc.concat %x, %y {axis = 0 : i64} : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @concat_c2_element_types(%x: tensor<3x4xf32>, %y: tensor<3x4xf16>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot concatenate 'tensor<3x4xf32>' and 'tensor<3x4xf16>' along axis 0}}
  %0 = modelc.concat %x, %y {axis = 0 : i64} : (tensor<3x4xf32>, tensor<3x4xf16>) -> tensor<6x4xf32>
  return
}

// -----

func.func @pad_c1_count(%x: tensor<3x4xf32>, %v: tensor<f32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected pads for each of 2 dimensions}}
  %0 = modelc.pad %x, %v {before = array<i64: 0>, after = array<i64: 0, 0>, mode = #modelc<pad_mode constant>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pad_c2_negative(%x: tensor<3x4xf32>, %v: tensor<f32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected extents that are not negative, got [-1, 4]}}
  %0 = modelc.pad %x, %v {before = array<i64: -4, 0>, after = array<i64: 0, 0>, mode = #modelc<pad_mode constant>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pad_c2_smallest_integer(%x: tensor<3x4xf32>, %v: tensor<f32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{pads are too large}}
  %0 = modelc.pad %x, %v {before = array<i64: -9223372036854775808, 0>, after = array<i64: 0, 0>, mode = #modelc<pad_mode constant>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pad_c3_reflect(%x: tensor<3x4xf32>, %v: tensor<f32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot reflect 3 elements of dimension 0 with extent 3}}
  %0 = modelc.pad %x, %v {before = array<i64: 3, 0>, after = array<i64: 0, 0>, mode = #modelc<pad_mode reflect>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pad_c3_edge(%x: tensor<0x4xf32>, %v: tensor<f32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot pad empty dimension 0}}
  %0 = modelc.pad %x, %v {before = array<i64: 0, 0>, after = array<i64: 3, 0>, mode = #modelc<pad_mode edge>} : (tensor<0x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pad_c4_count(%x: tensor<3x4xf32>, %v: tensor<2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected one pad value of type 'f32'}}
  %0 = modelc.pad %x, %v {before = array<i64: 0, 0>, after = array<i64: 0, 0>, mode = #modelc<pad_mode constant>} : (tensor<3x4xf32>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pad_c4_element_type(%x: tensor<3x4xf32>, %v: tensor<f64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected one pad value of type 'f32'}}
  %0 = modelc.pad %x, %v {before = array<i64: 0, 0>, after = array<i64: 0, 0>, mode = #modelc<pad_mode constant>} : (tensor<3x4xf32>, tensor<f64>) -> tensor<3x4xf32>
  return
}
