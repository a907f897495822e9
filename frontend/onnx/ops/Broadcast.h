// How operators before opset 7 broadcast.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_OPS_BROADCAST_H
#define MODELC_FRONTEND_ONNX_OPS_BROADCAST_H

#include "frontend/onnx/NodeBinder.h"

namespace modelc {

/// The second operand of a binary operator, in a shape that broadcasts to the
/// first as in NumPy. Before opset 7 attribute `axis` says with which
/// dimension of the first operand the second one starts.
mlir::Value alignSecondOperand(NodeBinder &b);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_OPS_BROADCAST_H
