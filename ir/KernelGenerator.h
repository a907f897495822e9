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

/// An order of a constant operand's elements that a generator prefers. The
/// first dimension is cut into `parts` equal ones, which follow each other, each
/// in the order of a tensor of its own. There the dimensions before `leading`
/// stay outermost; then come blocks of `block` positions of dimension `blocked`,
/// each with the dimensions `inner` in this order and the positions of the block
/// innermost. A last block that is not full has only the positions there are,
/// and comes before the others.
struct OperandPacking {
  unsigned operand;
  int64_t leading, blocked;
  llvm::SmallVector<int64_t, 4> inner;
  int64_t block;
  int64_t parts = 1;
};

/// Whether operand `number` of a kernel is packed as its generator wants it
/// (attribute `packed`, the numbers of such operands).
inline bool isPacked(KernelOp kernel, unsigned number) {
  auto attr = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>("packed");
  return attr && llvm::is_contained(attr.asArrayRef(), number);
}

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

  /// How operands should be packed if they are constants.
  virtual llvm::SmallVector<OperandPacking> packings(KernelOp kernel, TargetAttr target) const {
    return {};
  }

  /// The code, with `symbol` as the function's name. Reports a diagnostic on
  /// failure.
  virtual mlir::FailureOr<KernelCode> emit(KernelOp kernel, llvm::StringRef symbol,
                                           TargetAttr target) const = 0;
};

} // namespace modelc

#endif // MODELC_IR_KERNELGENERATOR_H
