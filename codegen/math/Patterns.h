//===- Patterns.h - From an emitting function to a rewrite pattern ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/math/Emitter.h"
#include "mlir/IR/PatternMatch.h"

namespace modelc::math {

/// Writes the results of an operation on floats of one type: f32 and f64 as
/// they are, f16 and bf16 through f32. Null if the type is none of these, or if
/// `keep` says that the operation of that type is the target's own.
mlir::Value expandFloats(mlir::PatternRewriter &rewriter, mlir::Operation *op,
                         const MathOptions &options,
                         llvm::function_ref<Float(llvm::ArrayRef<Float>)> emit,
                         bool (Emitter::*keep)() const = nullptr);

/// Replaces `Op`, whose operands and result have one float type.
template <typename Op, typename... Operands>
class ExpandPattern : public mlir::OpRewritePattern<Op> {
public:
  using Function = Float (*)(Operands...);
  using Keep = bool (Emitter::*)() const;

  ExpandPattern(mlir::MLIRContext *context, const MathOptions &options, Function function,
                Keep keep = nullptr)
      : mlir::OpRewritePattern<Op>(context), options(options), function(function), keep(keep) {}

  mlir::LogicalResult matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    mlir::Value result = expandFloats(
        rewriter, op, options,
        [&](llvm::ArrayRef<Float> operands) {
          return call(operands, std::index_sequence_for<Operands...>());
        },
        keep);
    if (!result) {
      return rewriter.notifyMatchFailure(op,
                                         "not a float type to expand, or native on this target");
    }
    rewriter.replaceOp(op, result);
    return mlir::success();
  }

private:
  template <size_t... Index>
  Float call(llvm::ArrayRef<Float> operands, std::index_sequence<Index...>) const {
    return function(operands[Index]...);
  }

  MathOptions options;
  Function function;
  Keep keep;
};

/// Adds the pattern for an operation of as many operands as `function` has.
template <typename Op, typename... Operands>
void addPattern(mlir::RewritePatternSet &patterns, const MathOptions &options,
                Float (*function)(Operands...), bool (Emitter::*keep)() const = nullptr) {
  patterns.add<ExpandPattern<Op, Operands...>>(patterns.getContext(), options, function, keep);
}

} // namespace modelc::math
