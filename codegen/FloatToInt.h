// Conversion of floats to integers that saturates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_FLOATTOINT_H
#define MODELC_CODEGEN_FLOATTOINT_H

#include "mlir/IR/Builders.h"

namespace modelc {

/// Emits the conversion of `value` (a float or a vector of floats) to `type` (a signless integer of
/// 1 < width <= 64 or a vector of it): rounded toward zero, saturated to the range of the signed or
/// unsigned integer, NaN gives 0. `arith.fptosi` alone has no defined result outside the range.
mlir::Value createFloatToInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                             mlir::Type type, bool isUnsigned);

} // namespace modelc

#endif // MODELC_CODEGEN_FLOATTOINT_H
