// Constraints of gathers, scatters, resizing, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @gather_c1_axis(%x: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got 2}}
  %0 = modelc.gather %x, %i {axis = 2 : i64} : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_c2_empty(%x: tensor<0x4xf32>, %i: tensor<2xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{cannot gather from empty axis 0}}
  %0 = modelc.gather %x, %i {axis = 0 : i64} : (tensor<0x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_elements_c1_axis(%x: tensor<3x4xf32>, %i: tensor<3x1xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got -1}}
  %0 = modelc.gather_elements %x, %i {axis = -1 : i64} : (tensor<3x4xf32>, tensor<3x1xi64>) -> tensor<3x1xf32>
  return
}

// -----

func.func @gather_elements_c1_rank(%x: tensor<3x4xf32>, %i: tensor<3xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{indices of shape [3] do not fit a tensor of shape [3, 4]}}
  %0 = modelc.gather_elements %x, %i {axis = 1 : i64} : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @gather_elements_c1_extent(%x: tensor<3x4xf32>, %i: tensor<4x1xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{indices of shape [4, 1] do not fit a tensor of shape [3, 4]}}
  %0 = modelc.gather_elements %x, %i {axis = 1 : i64} : (tensor<3x4xf32>, tensor<4x1xi64>) -> tensor<4x1xf32>
  return
}

// -----

func.func @gather_nd_c1_batch(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{batch dimensions of [3, 4] and [2, 1] do not agree}}
  %0 = modelc.gather_nd %x, %i {batch_dims = 1 : i64} : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_c1_count(%x: tensor<3x4xf32>, %i: tensor<3x1xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{batch dimensions of [3, 4] and [3, 1] do not agree}}
  %0 = modelc.gather_nd %x, %i {batch_dims = 2 : i64} : (tensor<3x4xf32>, tensor<3x1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @gather_nd_c2_tuple(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected index tuples of 1 to 2 entries, got 3}}
  %0 = modelc.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2x3xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @reverse_sequence_c1_axes(%x: tensor<3x4xf32>, %n: tensor<3xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected batch and time axis 0 and 1}}
  %0 = modelc.reverse_sequence %x, %n {batch_axis = 1 : i64, time_axis = 1 : i64} : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @reverse_sequence_c2_lengths(%x: tensor<3x4xf32>, %n: tensor<4xi64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected one length per batch entry}}
  %0 = modelc.reverse_sequence %x, %n {batch_axis = 0 : i64, time_axis = 1 : i64} : (tensor<3x4xf32>, tensor<4xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @resize_c1_sizes(%x: tensor<2x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a size and a positive scale for each of 2 dimensions}}
  %0 = modelc.resize %x {sizes = array<i64: 4>, scales = array<f64: 2.0, 2.0>, roi = array<f64>, mode = #modelc<resize_mode nearest>, coordinate_mode = #modelc<coordinate_mode asymmetric>, nearest_mode = #modelc<nearest_mode floor>, cubic_coefficient = -0.75 : f64, exclude_outside = false, extrapolation = 0.0 : f64} : (tensor<2x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @resize_c1_scales(%x: tensor<2x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a size and a positive scale for each of 2 dimensions}}
  %0 = modelc.resize %x {sizes = array<i64: 4, 4>, scales = array<f64: 0.0, 2.0>, roi = array<f64>, mode = #modelc<resize_mode nearest>, coordinate_mode = #modelc<coordinate_mode asymmetric>, nearest_mode = #modelc<nearest_mode floor>, cubic_coefficient = -0.75 : f64, exclude_outside = false, extrapolation = 0.0 : f64} : (tensor<2x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @resize_c1_nan(%x: tensor<2x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a size and a positive scale for each of 2 dimensions}}
  %0 = modelc.resize %x {sizes = array<i64: 4, 4>, scales = array<f64: 0x7FF8000000000000, 2.0>, roi = array<f64>, mode = #modelc<resize_mode nearest>, coordinate_mode = #modelc<coordinate_mode asymmetric>, nearest_mode = #modelc<nearest_mode floor>, cubic_coefficient = -0.75 : f64, exclude_outside = false, extrapolation = 0.0 : f64} : (tensor<2x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @resize_c2_integers(%x: tensor<2x2xi8>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a float tensor, got 'tensor<2x2xi8>'}}
  %0 = modelc.resize %x {sizes = array<i64: 4, 4>, scales = array<f64: 2.0, 2.0>, roi = array<f64>, mode = #modelc<resize_mode linear>, coordinate_mode = #modelc<coordinate_mode asymmetric>, nearest_mode = #modelc<nearest_mode floor>, cubic_coefficient = -0.75 : f64, exclude_outside = false, extrapolation = 0.0 : f64} : (tensor<2x2xi8>) -> tensor<4x4xi8>
  return
}

// -----

func.func @scatter_elements_c1_shapes(%x: tensor<3x4xf32>, %i: tensor<1x4xi64>, %u: tensor<2x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{updates 'tensor<2x4xf32>' do not fit indices 'tensor<1x4xi64>'}}
  %0 = modelc.scatter_elements %x, %i, %u {axis = 0 : i64, kind = #modelc<scatter_kind replace>} : (tensor<3x4xf32>, tensor<1x4xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_elements_c1_axis(%x: tensor<3x4xf32>, %i: tensor<1x4xi64>, %u: tensor<1x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got 2}}
  %0 = modelc.scatter_elements %x, %i, %u {axis = 2 : i64, kind = #modelc<scatter_kind replace>} : (tensor<3x4xf32>, tensor<1x4xi64>, tensor<1x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_elements_c2_element_type(%x: tensor<3x4xf32>, %i: tensor<1x4xi64>, %u: tensor<1x4xf16>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{updates 'tensor<1x4xf16>' do not fit indices 'tensor<1x4xi64>'}}
  %0 = modelc.scatter_elements %x, %i, %u {axis = 0 : i64, kind = #modelc<scatter_kind replace>} : (tensor<3x4xf32>, tensor<1x4xi64>, tensor<1x4xf16>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_nd_c1_tuple(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected index tuples of 1 to 2 entries, got 3}}
  %0 = modelc.scatter_nd %x, %i, %u {kind = #modelc<scatter_kind replace>} : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_nd_c2_updates(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected updates of shape [2, 4], got [2]}}
  %0 = modelc.scatter_nd %x, %i, %u {kind = #modelc<scatter_kind replace>} : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_nd_c3_element_type(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xf64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected updates of type 'f32'}}
  %0 = modelc.scatter_nd %x, %i, %u {kind = #modelc<scatter_kind replace>} : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf64>) -> tensor<3x4xf32>
  return
}
