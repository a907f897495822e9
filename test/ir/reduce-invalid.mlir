// Constraints of reductions, normalizations, scans, order, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @reduce_c1_range(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected distinct axes in 0..1, got [2]}}
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind sum>, axes = array<i64: 2>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @reduce_c1_negative(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected distinct axes in 0..1, got [-1]}}
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind sum>, axes = array<i64: -1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @reduce_c1_order(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected distinct axes in 0..1, got [1, 0]}}
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind sum>, axes = array<i64: 1, 0>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @reduce_c1_repeated(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected distinct axes in 0..1, got [1, 1]}}
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind sum>, axes = array<i64: 1, 1>, keep_dims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @reduce_c2_l2(%x: tensor<2x3xi32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a float tensor, got 'tensor<2x3xi32>'}}
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind l2>, axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  return
}

// -----

func.func @reduce_c2_log_sum(%x: tensor<2x3xi32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a float tensor, got 'tensor<2x3xi32>'}}
  %0 = modelc.reduce %x {kind = #modelc<reduce_kind log_sum>, axes = array<i64: 1>, keep_dims = true} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  return
}

// -----

func.func @arg_reduce_c1_axis(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got 2}}
  %0 = modelc.arg_reduce %x {kind = #modelc<reduce_kind max>, axis = 2 : i64, keep_dims = false, last = false} : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @arg_reduce_c1_empty(%x: tensor<2x0xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{axis 1 is empty}}
  %0 = modelc.arg_reduce %x {kind = #modelc<reduce_kind max>, axis = 1 : i64, keep_dims = false, last = false} : (tensor<2x0xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @arg_reduce_c2_kind(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected the kind max or min}}
  %0 = modelc.arg_reduce %x {kind = #modelc<reduce_kind sum>, axis = 1 : i64, keep_dims = false, last = false} : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @softmax_c1_axis(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got -1}}
  %0 = modelc.softmax %x {axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_c1_axis(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got 2}}
  %0, %1, %2 = modelc.layer_norm %x, %s, %s {axis = 2 : i64, epsilon = 1.0e-05 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @layer_norm_c2_scale(%x: tensor<2x3xf32>, %s: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{parameters of shape [4] do not fit [2, 3]}}
  %0, %1, %2 = modelc.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 1.0e-05 : f64} : (tensor<2x3xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @layer_norm_c2_bias(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %b: tensor<5x2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{parameters of shape [5, 2, 3] do not fit [2, 3]}}
  %0, %1, %2 = modelc.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 1.0e-05 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<5x2x3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @group_norm_c1_groups(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{2 groups do not divide 3 channels}}
  %0 = modelc.group_norm %x, %s, %b {groups = 2 : i64, epsilon = 1.0e-05 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @group_norm_c1_rank(%x: tensor<3xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a tensor of rank 2 or more}}
  %0 = modelc.group_norm %x, %s, %b {groups = 1 : i64, epsilon = 1.0e-05 : f64} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @group_norm_c2_scale(%x: tensor<2x3xf32>, %s: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 3 values per channel, got 'tensor<2xf32>'}}
  %0 = modelc.group_norm %x, %s, %b {groups = 1 : i64, epsilon = 1.0e-05 : f64} : (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @local_response_norm_c1_size(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a positive size}}
  %0 = modelc.local_response_norm %x {size = 0 : i64, alpha = 1.0 : f64, beta = 1.0 : f64, bias = 1.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @local_response_norm_c1_rank(%x: tensor<3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a tensor of rank 2 or more}}
  %0 = modelc.local_response_norm %x {size = 1 : i64, alpha = 1.0 : f64, beta = 1.0 : f64, bias = 1.0 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cumulative_c1_axis(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got 2}}
  %0 = modelc.cumulative %x {kind = #modelc<reduce_kind sum>, axis = 2 : i64, exclusive = false, reverse = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cumulative_c2_kind(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected the kind sum or prod}}
  %0 = modelc.cumulative %x {kind = #modelc<reduce_kind max>, axis = 0 : i64, exclusive = false, reverse = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @top_k_c1_axis(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected an axis in 0..1, got 5}}
  %0, %1 = modelc.top_k %x {axis = 5 : i64, k = 1 : i64, largest = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}

// -----

func.func @top_k_c1_k(%x: tensor<2x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected k in 0..3, got 4}}
  %0, %1 = modelc.top_k %x {axis = 1 : i64, k = 4 : i64, largest = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}
