//===- ModelcOps.h - ops of the modelc dialect ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_MODELCOPS_H
#define MODELC_IR_MODELCOPS_H

#include "ir/KernelIO.h"
#include "ir/ModelcDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/ModelcInterfaces.h.inc"

namespace modelc {

/// How the element type of an elementwise result follows from the operands.
enum class ElementRule {
  sameElement,      ///< that of all operands
  firstElement,     ///< that of the first operand; others may differ
  boolElement,      ///< i1; all operands have the same
  secondElement,    ///< that of the second and third operand
  scaleElement,     ///< that of the second operand; first and third agree
  zeroPointElement, ///< that of the third operand
  toElement         ///< the type attribute `to`
};

/// Result type of an elementwise op: NumPy's broadcast of all operand shapes.
/// Fails with a message at `location`, if there is one.
mlir::LogicalResult inferElementwise(std::optional<mlir::Location> location,
                                     mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                                     ElementRule rule,
                                     llvm::SmallVectorImpl<mlir::Type> &inferredReturnTypes);

/// NumPy's broadcast of two shapes; fails if they do not fit together.
mlir::FailureOr<llvm::SmallVector<int64_t>> broadcastShapes(llvm::ArrayRef<int64_t> a,
                                                            llvm::ArrayRef<int64_t> b);

/// Whether a tensor's element type is an unsigned integer.
inline bool isUnsigned(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType()).isUnsignedInteger();
}

/// The type in which elements of `type` are computed: `f32` for `f16` and
/// `bf16`, signless for unsigned integers, else `type` itself.
mlir::Type computeType(mlir::Type type);

} // namespace modelc

#define GET_OP_CLASSES
#include "ir/ModelcOps.h.inc"

namespace modelc {

/// Creates an op whose result types are inferred, after checking that they can
/// be: unlike `builder.create` it fails with a diagnostic, so it is the way to
/// build ops from what a model file says.
template <typename OpTy>
mlir::FailureOr<OpTy> createInferred(mlir::OpBuilder &builder, mlir::Location location,
                                     mlir::ValueRange operands,
                                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
  mlir::OperationState state(location, OpTy::getOperationName());
  state.addOperands(operands);
  state.addAttributes(attributes);
  llvm::SmallVector<mlir::Type> types;
  if (mlir::failed(OpTy::inferReturnTypes(builder.getContext(), location, state.operands,
                                          state.attributes.getDictionary(builder.getContext()),
                                          mlir::OpaqueProperties(nullptr), mlir::RegionRange(),
                                          types))) {
    return mlir::failure();
  }
  state.addTypes(types);
  return llvm::cast<OpTy>(builder.create(state));
}

/// For each result of a kernel the number of the operand whose memory it
/// takes, or -1; empty if no result takes one (attribute `in_place`).
inline llvm::ArrayRef<int64_t> inPlaceOperands(KernelOp kernel) {
  auto attr = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>("in_place");
  return attr ? attr.asArrayRef() : llvm::ArrayRef<int64_t>();
}

} // namespace modelc

#endif // MODELC_IR_MODELCOPS_H
