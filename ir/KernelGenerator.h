//===- KernelGenerator.h - turns kernels into code ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_KERNELGENERATOR_H
#define MODELC_IR_KERNELGENERATOR_H

#include "ir/ModelcOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace modelc {

/// The code of one kernel: a module with one public function whose arguments
/// are the operands, the results that take no operand's place, and temporary
/// buffers, all memrefs of static shape in the identity layout. Booleans are
/// stored as `i8`, unsigned integers as signless ones. The function returns
/// nothing, or an `i32` status: 0, or 7 for a bad index.
struct KernelCode {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<uint64_t, 2> scratchBytes; ///< sizes of the temporaries
  bool returnsStatus = false;
  bool scalarLoops = true; ///< LLVM's loop vectorizer should widen the loops
};

/// A way to generate code for kernels. Of the generators that support a
/// kernel, the one of the lowest cost is taken.
class KernelGenerator {
public:
  virtual ~KernelGenerator() = default;

  virtual llvm::StringRef name() const = 0;

  /// Whether emit can succeed for `kernel`.
  virtual bool supports(KernelOp kernel, TargetAttr target) const = 0;

  /// Estimated time of one run in units of one scalar multiply-add.
  virtual double cost(KernelOp kernel, TargetAttr target) const = 0;

  /// The code, with `symbol` as the function's name. Reports a diagnostic on
  /// failure.
  virtual mlir::FailureOr<KernelCode> emit(KernelOp kernel,
                                           llvm::StringRef symbol,
                                           TargetAttr target) const = 0;
};

} // namespace modelc

#endif // MODELC_IR_KERNELGENERATOR_H
