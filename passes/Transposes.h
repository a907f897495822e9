//===- Transposes.h - transposes that meet each other ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_TRANSPOSES_H
#define MODELC_PASSES_TRANSPOSES_H

#include "mlir/IR/PatternMatch.h"

namespace modelc {

/// The transpose of `x` whose dimension `i` is dimension `order[i]` of `x`.
mlir::Value makeTranspose(mlir::PatternRewriter &rewriter, mlir::Location loc, mlir::Value x,
                          llvm::ArrayRef<int64_t> order);

/// Patterns that join transposes and move them behind reshapes.
void populateTransposePatterns(mlir::RewritePatternSet &patterns);

} // namespace modelc

#endif // MODELC_PASSES_TRANSPOSES_H
