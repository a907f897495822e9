//===- ElementAccess.h - values of a kernel, element by element -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_KERNEL_ELEMENTACCESS_H
#define MODELC_CODEGEN_KERNEL_ELEMENTACCESS_H

#include "ir/ModelcOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <map>

namespace modelc {

/// Reads elements of the tensors inside a kernel: from a buffer if the tensor
/// has one, else by computing the element from those of the op's operands.
class ElementAccess {
public:
  explicit ElementAccess(mlir::ImplicitLocOpBuilder &b) : b(b) {}

  /// From here on `tensor` is read from `buffer`.
  void bind(mlir::Value tensor, mlir::Value buffer) { buffers[tensor] = buffer; }
  bool isBound(mlir::Value tensor) const { return buffers.count(tensor); }
  mlir::Value buffer(mlir::Value tensor) const { return buffers.lookup(tensor); }

  /// Element `indices` of `tensor`, in its compute type.
  mlir::Value read(mlir::Value tensor, mlir::ValueRange indices);

  /// Makes `value` the element `indices` of `tensor` wherever the current
  /// insertion point dominates.
  void remember(mlir::Value tensor, mlir::ValueRange indices, mlir::Value value);

  /// Stores an element given in its compute type.
  void store(mlir::Type elementType, mlir::Value value, mlir::Value buffer,
             mlir::ValueRange indices);

  /// Gives the buffer of one `i32` where bad indices are reported, which is
  /// called when the first index needs it.
  std::function<mlir::Value()> makeStatus;
  /// That buffer; null so far.
  mlir::Value status;

  /// Makes the status 7 if `condition` holds.
  void reportBadIndex(mlir::Value condition);

private:
  mlir::Value compute(mlir::Value tensor, mlir::ValueRange indices);
  mlir::Value load(mlir::Value tensor, mlir::Value buffer, mlir::ValueRange indices);

  using Key = std::pair<void *, llvm::SmallVector<void *, 4>>;
  static Key keyOf(mlir::Value tensor, mlir::ValueRange indices);

  mlir::ImplicitLocOpBuilder &b;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  /// Elements computed so far, so that a tensor with several readers is
  /// computed once per position. Valid while their block encloses the
  /// insertion point.
  std::map<Key, mlir::Value> known;
};

} // namespace modelc

#endif // MODELC_CODEGEN_KERNEL_ELEMENTACCESS_H
