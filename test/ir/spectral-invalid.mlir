// Constraints of Fourier transforms, one violation each.
// RUN: modelc-opt %s -split-input-file -verify-diagnostics

func.func @dft_c1_parts(%x: tensor<4x3xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected [..., samples, 1 or 2], got [4, 3]}}
  %0 = modelc.dft %x {length = 4 : i64} : (tensor<4x3xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dft_c1_rank(%x: tensor<2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected [..., samples, 1 or 2], got [2]}}
  %0 = modelc.dft %x {length = 4 : i64} : (tensor<2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dft_c2_length_zero(%x: tensor<4x1xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a transform of 1 to 4194304 samples, got 0}}
  %0 = modelc.dft %x {length = 0 : i64} : (tensor<4x1xf32>) -> tensor<0x2xf32>
  return
}

// -----

func.func @dft_c2_length_large(%x: tensor<4x1xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a transform of 1 to 4194304 samples, got 4194305}}
  %0 = modelc.dft %x {length = 4194305 : i64} : (tensor<4x1xf32>) -> tensor<4194305x2xf32>
  return
}

// -----

func.func @dft_c3_forward(%x: tensor<4x2xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected real elements in a one-sided transform}}
  %0 = modelc.dft %x {length = 4 : i64, onesided} : (tensor<4x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @dft_c3_inverse(%x: tensor<4x1xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected complex elements in a one-sided transform}}
  %0 = modelc.dft %x {length = 4 : i64, onesided, inverse} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @stft_c1_signal(%x: tensor<1x9xf32>, %w: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a signal [batch, samples, 1 or 2] and a window [samples], got [1, 9] and [4]}}
  %0 = modelc.stft %x, %w {frame_step = 1 : i64} : (tensor<1x9xf32>, tensor<4xf32>) -> tensor<1x6x4x2xf32>
  return
}

// -----

func.func @stft_c1_window(%x: tensor<1x9x1xf32>, %w: tensor<1x4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a signal [batch, samples, 1 or 2] and a window [samples], got [1, 9, 1] and [1, 4]}}
  %0 = modelc.stft %x, %w {frame_step = 1 : i64} : (tensor<1x9x1xf32>, tensor<1x4xf32>) -> tensor<1x6x4x2xf32>
  return
}

// -----

func.func @stft_c2_step(%x: tensor<1x9x1xf32>, %w: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{a frame of 4 samples every 0 does not fit a signal of 9}}
  %0 = modelc.stft %x, %w {frame_step = 0 : i64} : (tensor<1x9x1xf32>, tensor<4xf32>) -> tensor<1x6x4x2xf32>
  return
}

// -----

func.func @stft_c2_length(%x: tensor<1x3x1xf32>, %w: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{a frame of 4 samples every 1 does not fit a signal of 3}}
  %0 = modelc.stft %x, %w {frame_step = 1 : i64} : (tensor<1x3x1xf32>, tensor<4xf32>) -> tensor<1x0x4x2xf32>
  return
}

// -----

func.func @stft_c3_complex(%x: tensor<1x9x2xf32>, %w: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a real signal in a one-sided transform}}
  %0 = modelc.stft %x, %w {frame_step = 1 : i64, onesided} : (tensor<1x9x2xf32>, tensor<4xf32>) -> tensor<1x6x3x2xf32>
  return
}

// -----

func.func @stft_c4_types(%x: tensor<1x9x1xf32>, %w: tensor<4xf64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types}}
  %0 = modelc.stft %x, %w {frame_step = 1 : i64} : (tensor<1x9x1xf32>, tensor<4xf64>) -> tensor<1x6x4x2xf32>
  return
}

// -----

func.func @istft_c1_frames(%x: tensor<1x0x3x2xf32>, %w: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a spectrum [batch, frames, bins, 2] and a window [samples], got [1, 0, 3, 2] and [4]}}
  %0 = modelc.istft %x, %w {frame_step = 1 : i64} : (tensor<1x0x3x2xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @istft_c2_step(%x: tensor<1x2x3x2xf32>, %w: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected a positive frame step, got 0}}
  %0 = modelc.istft %x, %w {frame_step = 0 : i64} : (tensor<1x2x3x2xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @istft_c2_bins(%x: tensor<1x2x4x2xf32>, %w: tensor<4xf32>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected 3 bins for a window of 4 samples, got 4}}
  %0 = modelc.istft %x, %w {frame_step = 1 : i64} : (tensor<1x2x4x2xf32>, tensor<4xf32>) -> tensor<1x5xf32>
  return
}

// -----

func.func @istft_c3_types(%x: tensor<1x2x3x2xf32>, %w: tensor<4xf64>) {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{expected equal element types}}
  %0 = modelc.istft %x, %w {frame_step = 1 : i64} : (tensor<1x2x3x2xf32>, tensor<4xf64>) -> tensor<1x5xf32>
  return
}
