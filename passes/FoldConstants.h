//===- FoldConstants.h - what is known at compile time is computed then ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_FOLDCONSTANTS_H
#define MODELC_PASSES_FOLDCONSTANTS_H

#include "ir/ConstantEvaluator.h"
#include "mlir/IR/BuiltinOps.h"

namespace modelc {

/// Replaces ops of the module's functions whose operands are constants by their
/// results, as `evaluator` computes them. Importers fold small results already;
/// this is for weights. An op stays if its result is much larger than what it
/// is made from (a broadcast, say), if the evaluator declines, and if it is a
/// `dequantize`: quantized weights are to stay quantized.
void foldConstants(mlir::ModuleOp module, ConstantEvaluator &evaluator);

} // namespace modelc

#endif // MODELC_PASSES_FOLDCONSTANTS_H
