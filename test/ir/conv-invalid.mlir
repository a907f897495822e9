// Constraints of convolutions and pools, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @conv_rank(%x: tensor<2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a tensor of rank 3 or more, got [2, 8]}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c1_strides(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 strides of at least 1, got [0]}}
  %0 = modelc.conv %x, %w {strides = array<i64: 0>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c1_dilations(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 dilations of at least 1, got [1, 1]}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c1_pads_begin(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 pads of at least 0, got [-1]}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: -1>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c1_pads_end(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 pads of at least 0, got []}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c2_groups(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{filter of shape [4, 2, 3] and 3 groups do not fit input [1, 2, 8]}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 3 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c2_no_groups(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{filter of shape [4, 2, 3] and 0 groups do not fit input [1, 2, 8]}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 0 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c2_filter(%x: tensor<1x2x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{filter of shape [4, 3, 3] and 1 groups do not fit input [1, 2, 8]}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x3x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c3_kernel(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{kernel extent 3 with dilation 4 exceeds the padded input extent 8}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 4>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c4_filter(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types}}
  %0 = modelc.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf64>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c4_bias(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>, %b: tensor<4xf16>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types}}
  %0 = modelc.conv %x, %w, %b {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>, tensor<4xf16>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c4_bias_count(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>, %b: tensor<5xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 4 biases}}
  %0 = modelc.conv %x, %w, %b {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>, tensor<5xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_transpose_c1_strides(%x: tensor<1x2x4xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 strides of at least 1, got [0]}}
  %0 = modelc.conv_transpose %x, %w {strides = array<i64: 0>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x3x2xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @conv_transpose_c1_output_padding(%x: tensor<1x2x4xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 output paddings of at least 0, got [-1]}}
  %0 = modelc.conv_transpose %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, output_padding = array<i64: -1>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x3x2xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @conv_transpose_c2_filter(%x: tensor<1x2x4xf32>, %w: tensor<3x3x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{filter of shape [3, 3, 2] and 1 groups do not fit input [1, 2, 4]}}
  %0 = modelc.conv_transpose %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<3x3x2xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @conv_transpose_c3_negative(%x: tensor<1x2x4xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{extent of dimension 0 of the result is negative or too large}}
  %0 = modelc.conv_transpose %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 9>, pads_end = array<i64: 0>, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x3x2xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @conv_transpose_c3_overflow(%x: tensor<1x2x4xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{extent of dimension 0 of the result is negative or too large}}
  %0 = modelc.conv_transpose %x, %w {strides = array<i64: 1099511627776>, dilations = array<i64: 1099511627776>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x3x2xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @conv_transpose_c4_filter(%x: tensor<1x2x4xf32>, %w: tensor<2x3x2xf16>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types}}
  %0 = modelc.conv_transpose %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, output_padding = array<i64: 0>, groups = 1 : i64} : (tensor<1x2x4xf32>, tensor<2x3x2xf16>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @max_pool_c1_kernel(%x: tensor<1x2x8xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 kernel extents of at least 1, got [0]}}
  %0, %1 = modelc.max_pool %x {kernel = array<i64: 0>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: 4>} : (tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
  return
}

// -----

func.func @max_pool_c1_strides(%x: tensor<1x2x8xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 strides of at least 1, got [2, 2]}}
  %0, %1 = modelc.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2, 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: 4>} : (tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
  return
}

// -----

func.func @max_pool_c1_pads(%x: tensor<1x2x8xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 pads of at least 0, got [-2]}}
  %0, %1 = modelc.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: -2>, sizes = array<i64: 4>} : (tensor<1x2x8xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
  return
}

// -----

func.func @average_pool_c1_dilations(%x: tensor<1x2x8xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 dilations of at least 1, got [0]}}
  %0 = modelc.average_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 0>, pads_begin = array<i64: 0>, sizes = array<i64: 4>, pads_end = array<i64: 0>} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @average_pool_c1_pads_end(%x: tensor<1x2x8xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 pads of at least 0, got []}}
  %0 = modelc.average_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: 4>, pads_end = array<i64>} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @lp_pool_c1_sizes(%x: tensor<1x2x8xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 1 sizes of at least 0, got [-1]}}
  %0 = modelc.lp_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: -1>, p = 2 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @lp_pool_c1_p(%x: tensor<1x2x8xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a positive p}}
  %0 = modelc.lp_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, sizes = array<i64: 4>, p = 0 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}
