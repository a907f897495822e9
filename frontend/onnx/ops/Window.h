// Windows of convolutions and pools: attributes of ONNX as explicit numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_OPS_WINDOW_H
#define MODELC_FRONTEND_ONNX_OPS_WINDOW_H

#include "frontend/onnx/NodeBinder.h"

namespace modelc {

/// One entry per spatial dimension. Kernel, strides and dilations are
/// positive, and small enough for arithmetic in 64 bits.
struct Window {
  llvm::SmallVector<int64_t> kernel, strides, dilations, padsBegin, padsEnd;

  int64_t dilatedKernel(unsigned i) const { return (kernel[i] - 1) * dilations[i] + 1; }
};

/// Which padding attribute `auto_pad` asks for.
enum class AutoPad { NotSet, Valid, SameUpper, SameLower };

mlir::FailureOr<AutoPad> readAutoPad(NodeBinder &b);

/// Reads attributes of the window; `kernel` is its size if that follows from
/// the weights, else empty. Pads are those of the attribute (0 if left out).
mlir::FailureOr<Window> readWindow(NodeBinder &b, unsigned spatialRank,
                                   llvm::ArrayRef<int64_t> kernel);

/// Sets the pads of `window` that `autoPad` asks for, for inputs of the
/// spatial extents `input`.
void applyAutoPad(AutoPad autoPad, llvm::ArrayRef<int64_t> input, Window &window);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_OPS_WINDOW_H
