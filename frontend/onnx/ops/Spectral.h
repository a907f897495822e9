// Fourier transforms: the pieces that several importers need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_OPS_SPECTRAL_H
#define MODELC_FRONTEND_ONNX_OPS_SPECTRAL_H

#include "frontend/onnx/NodeBinder.h"

namespace modelc {

/// How one axis is transformed: the attributes of `modelc.dft`.
struct AxisTransform {
  int64_t axis = 0;
  int64_t length = 0;
  bool isInverse = false, isOnesided = false;
};

/// The transform of `axis` of `x`, whose last dimension holds the parts.
mlir::Value transformAxis(NodeBinder &b, mlir::Value x, const AxisTransform &t);

/// Frames of `signal` [batch, samples] or [batch, samples, parts], `window` samples each. The
/// window may be null: all ones, `length` of them.
mlir::Value transformFrames(NodeBinder &b, mlir::Value signal, mlir::Value window, int64_t length,
                            int64_t step, bool isOnesided);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_OPS_SPECTRAL_H
