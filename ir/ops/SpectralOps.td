//===- SpectralOps.td - Fourier transforms --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_SPECTRAL_OPS_TD
#define MODELC_SPECTRAL_OPS_TD

include "ir/ModelcDialect.td"
include "ir/ModelcInterfaces.td"
include "ir/ops/LinearOps.td"

// Complex numbers are pairs in the last dimension: real part, imaginary part.

def Modelc_DftOp : Modelc_Loop<"dft"> {
  let summary = "discrete Fourier transform of any length";
  let description = [{
    `x` is [..., samples, parts], where the last dimension holds the real and
    the imaginary part (parts 2) or the real part alone (parts 1). Each sequence
    of samples is cut to, or filled with zeros up to, n = `length` elements, then
    `result[k] = sum over t of x[t] * exp(-2 pi i k t / n)`. With `inverse` the
    sign in the exponent is positive and the sum is divided by n.

    `onesided` leaves out the bins above n / 2, which mirror those below if the
    samples are real: a forward transform of real samples yields the n / 2 + 1
    bins from 0 on, the inverse takes these (cut or filled to that number) and
    yields n real samples, parts 1. The inverse ignores the imaginary part of bin
    0 and, if n is even, of bin n / 2.

    C1. The rank is at least 2 and the last extent is 1 or 2.
    C2. `1 <= length <= 2^22`.
    C3. With `onesided`, a forward transform has parts 1, an inverse one parts 2.

    Example: `%r = modelc.dft %x {length = 8 : i64, onesided} : (tensor<3x8x1xf32>) -> tensor<3x5x2xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, I64Attr:$length,
                       UnitAttr:$inverse, UnitAttr:$onesided);
  let results = (outs Modelc_FloatTensor:$result);
}

def Modelc_StftOp : Modelc_Loop<"stft"> {
  let summary = "Fourier transforms of overlapping windows of a signal";
  let description = [{
    `signal` is [batch, samples, parts] with parts as for `dft`. Frame f holds the
    n samples from `f * frame_step` on, n being the extent of `window`, and is
    multiplied by the window; `result` [batch, frames, bins, 2] has the transform
    of each of the `(samples - n) / frame_step + 1` frames that fit the signal.
    Bins are n, or with `onesided` n / 2 + 1. Centred frames are those of a signal
    that `pad` extends, shorter windows those that `pad` fills with zeros.

    C1. signal has rank 3 and its last extent is 1 or 2; window has rank 1.
    C2. `frame_step >= 1` and `1 <= n <= samples`, n at most 2^22.
    C3. With `onesided`, parts is 1.
    C4. The element types are equal.

    Example: `%r = modelc.stft %x, %w {frame_step = 4 : i64, onesided} : (tensor<1x20x1xf32>, tensor<8xf32>) -> tensor<1x4x5x2xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$signal, Modelc_FloatTensor:$window,
                       I64Attr:$frame_step, UnitAttr:$onesided);
  let results = (outs Modelc_FloatTensor:$result);
}

def Modelc_IstftOp : Modelc_Loop<"istft"> {
  let summary = "a real signal from the transforms of its overlapping windows";
  let description = [{
    `spectrum` is [batch, frames, n / 2 + 1, 2], n being the extent of `window`.
    The one-sided inverse transform of each frame is multiplied by the window
    again and added to the `(frames - 1) * frame_step + n` samples of `result`
    from `f * frame_step` on. With `normalize` each sample is then divided by the
    sum of the squared windows that cover it, unless that is below 1e-20: so the
    signal comes back if the window covers all of it.

    C1. spectrum has rank 4, at least one frame and a last extent of 2; window
        has rank 1.
    C2. `frame_step >= 1` and `1 <= n <= 2^22`; there are n / 2 + 1 bins.
    C3. The element types are equal.

    Example: `%r = modelc.istft %x, %w {frame_step = 4 : i64, normalize} : (tensor<1x4x5x2xf32>, tensor<8xf32>) -> tensor<1x20xf32>`
  }];
  let arguments = (ins Modelc_FloatTensor:$spectrum, Modelc_FloatTensor:$window,
                       I64Attr:$frame_step, UnitAttr:$normalize);
  let results = (outs Modelc_FloatTensor:$result);
}

#endif // MODELC_SPECTRAL_OPS_TD
